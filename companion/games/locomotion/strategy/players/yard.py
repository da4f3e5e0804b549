"""What one train finds on the network: where it stands itself, the cuts that it may couple, what is in its way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.games.locomotion.rules import Behind, Gap
from companion.games.locomotion.rules.state import Setup, Stock
from companion.games.locomotion.strategy.players.ports import Port, ports_of

Train = tuple[Port, ...]
"""Where the vehicles of a train are, its locomotive first."""


class Standing(NamedTuple):
    """A wagon that nobody moves: its dot, and the places there on which it may lie."""

    wagon: int
    dot: int
    places: tuple[int, ...]


Cut = tuple[Standing, ...]


class Layout(NamedTuple):
    """Who hangs on whom: the wagons of the train, and the cuts that stand alone."""

    wagons: tuple[int, ...]
    cuts: tuple[Cut, ...]


class Yard:
    """The network as one train finds it while the other trains do not move.

    Runs, couplings and uncouplings are those of the rules but for the directions within a turn: it is for looking
    ahead, and what is done in the end the rules have been asked for.
    """

    def __init__(self, setup: Setup, stock: Stock, locomotive: int, order: tuple[int, ...]) -> None:
        self.ports = ports_of(setup.network)
        self.colours = setup.colours
        self.order = order
        self._setup = setup
        self._known: dict[Stock, tuple[Layout, list[Train]]] = {}
        self._after: dict[Train, list[tuple[int, Train]]] = {}
        self._locomotive = locomotive
        self.is_directed = setup.knobs.behind is Behind.BACK_ONLY
        self._makes_gap = setup.knobs.gap is Gap.A_DOT
        trains = [row for row in stock.rows if setup.is_locomotive(row[0]) and row[0] != locomotive]
        self.other_trains = frozenset(stock.dots[vehicle] for row in trains for vehicle in row)

    def standing(self, stock: Stock) -> tuple[Layout, list[Train]]:
        """The layout, and where the train may be: several places where lies are open."""
        if stock not in self._known:
            self._known[stock] = self._standing(stock)
        return self._known[stock]

    def _standing(self, stock: Stock) -> tuple[Layout, list[Train]]:
        train = stock.row_of(self._locomotive)
        cuts = tuple(
            tuple(Standing(wagon, stock.dots[wagon], self._places(stock, wagon)) for wagon in row)
            for row in stock.rows
            if not self._setup.is_locomotive(row[0])
        )
        fronts = self._fronts(stock, alone=len(train) == 1)
        followers = tuple(Standing(wagon, stock.dots[wagon], self._places(stock, wagon)) for wagon in train[1:])
        trains = [(front, *rest) for front in fronts for rest in self._behind(front, followers)]
        return Layout(train[1:], cuts), trains

    def _fronts(self, stock: Stock, *, alone: bool) -> tuple[Port, ...]:
        dot, lie = stock.dots[self._locomotive], stock.lies[self._locomotive]
        if self.is_directed:
            return self.ports.fronts(dot, lie)
        ends = (0,) if alone else (0, 1)
        return tuple(2 * place + end for place in self.ports.places(dot, lie) for end in ends)

    def _places(self, stock: Stock, wagon: int) -> tuple[int, ...]:
        return self.ports.places(stock.dots[wagon], stock.lies[wagon])

    def _behind(self, port: Port, wagons: Sequence[Standing]) -> Iterator[Train]:
        """Where these wagons may be, one after another behind a vehicle."""
        if not wagons:
            yield ()
            return
        for entered in self.ports.entered[port ^ 1]:
            if self.ports.dot[entered] == wagons[0].dot and entered // 2 in wagons[0].places:
                yield from ((entered, *rest) for rest in self._behind(entered, wagons[1:]))

    def runs(self, train: Train, blocked: frozenset[int]) -> list[tuple[int, Train]]:
        """The dots, neither blocked nor its own, onto which a train can run, and where it is then."""
        after = self._after.get(train)
        if after is None:
            after = self._after[train] = self._free_runs(train)
        return [run for run in after if run[0] not in blocked]

    def _free_runs(self, train: Train) -> list[tuple[int, Train]]:
        """The same where nothing is blocked: whoever looks ahead comes to the same places in many layouts."""
        ports = self.ports
        after: list[tuple[int, Train]] = []
        own = [ports.dot[port] for port in train]
        first, last = train[0], train[-1] ^ 1
        ahead = ports.ahead[first]
        if ahead is not None and ahead not in own:
            after += [(ahead, (entered ^ 1, *train[:-1])) for entered in ports.entered[first]]
        ahead = ports.ahead[last]
        if ahead is not None and ahead not in own:
            after += [(ahead, (*train[1:], entered)) for entered in ports.entered[last]]
        return [(dot, self._alike(moved)) for dot, moved in after]

    def _alike(self, train: Train) -> Train:
        """A locomotive alone whose front does not matter is the same whichever way it looks."""
        return train if self.is_directed or len(train) > 1 else (train[0] & ~1,)

    def couplings(
        self, layout: Layout, train: Train, ends: Mapping[int, tuple[int, Cut]]
    ) -> Iterator[tuple[Layout, Train]]:
        """What may be coupled to the end of the train; ``ends`` are the cuts by the dots of their end wagons."""
        for turned in (train,) if self.is_directed or len(train) > 1 else (train, (train[0] ^ 1,)):
            ahead = self.ports.ahead[turned[-1] ^ 1]
            if ahead is None or ahead not in ends:
                continue
            number, cut = ends[ahead]
            colours = {self.colours[wagon] for wagon in layout.wagons}
            if any(self.colours[standing.wagon] in colours for standing in cut):
                continue
            after = Layout(
                (*layout.wagons, *(standing.wagon for standing in cut)),
                (*layout.cuts[:number], *layout.cuts[number + 1 :]),
            )
            for behind in self._behind(turned[-1], cut):
                yield after, (*turned, *behind)

    def uncoupled(
        self, layout: Layout, train: Train, count: int, blocked: frozenset[int]
    ) -> Iterator[tuple[Layout, Train]]:
        """The last wagons left standing; where the gap wants a dot, with the train run off it."""
        dot = self.ports.dot
        left = zip(layout.wagons[-count:], train[-count:], strict=True)
        cut = tuple(Standing(wagon, dot[port], (port // 2,)) for wagon, port in left)
        if cut[0].wagon > cut[-1].wagon:
            cut = cut[::-1]
        after = Layout(layout.wagons[:-count], tuple(sorted((*layout.cuts, cut))))
        rest = train[:-count]
        if not self._makes_gap:
            yield after, self._alike(rest)
            return
        ahead = self.ports.ahead[train[0]]
        if ahead is None or ahead in blocked or any(dot[port] == ahead for port in train):
            return
        for entered in self.ports.entered[train[0]]:
            yield after, self._alike((entered ^ 1, *rest[:-1]))


def ends_of(cuts: Sequence[Cut]) -> dict[int, tuple[int, Cut]]:
    """The cuts and their numbers by the dots at which they can be coupled, each from there on."""
    return {
        end[0].dot: (number, end)
        for number, cut in enumerate(cuts)
        for end in ((cut,) if len(cut) == 1 else (cut, cut[::-1]))
    }
