"""Looks for the steps that lead to what is seen.

A turn has thousands of ends, but few on the way to a given one: what has farther to go than steps are left is not
looked at any more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, NamedTuple

from companion.games.locomotion.rules import Motion, Network
from companion.games.locomotion.rules.motions import Position, longest, motions
from companion.games.locomotion.rules.state import Setup, Stock
from companion.games.locomotion.table.seen import Seen, kinds_in
from companion.games.locomotion.wording import Kind

_FAR: Final = 1000
"""More steps than any search takes."""


class Goal:
    """What is seen, as where a search is to end."""

    def __init__(self, setup: Setup, seen: Seen) -> None:
        self._kinds = kinds_in(setup)
        self._seen = seen
        self._needed = frozenset(seen.kinds)
        far = {kind: _distances(setup.network, _fitting(kind, seen)) for kind in self._kinds}
        self.far = [far[kind] for kind in self._kinds]
        """For each vehicle: from each dot so many dots it is at least to one where it may stand, as is seen."""

    def misplaced(self, stock: Stock) -> Sequence[int]:
        """The vehicles that cannot stand where they should, as is seen."""
        return [vehicle for vehicle, dot in enumerate(stock.dots) if self.far[vehicle][dot]]

    def is_met(self, stock: Stock) -> bool:
        """Whether all may stand so, and nothing else is seen."""
        return self._needed <= set(stock.dots) and not self.misplaced(stock)

    def doubt(self, stock: Stock) -> int:
        """How many likelier things are to be seen on the dots where the vehicles stand."""
        told = self._seen.kinds
        return sum(told[dot].index(self._kinds[v]) for v, dot in enumerate(stock.dots) if dot in told)


def _fitting(kind: Kind, seen: Seen) -> frozenset[int]:
    return frozenset(dot for dot, kinds in seen.kinds.items() if kind in kinds) | seen.hidden


def _distances(network: Network, dots: Iterable[int]) -> Sequence[int]:
    """How far it is from each dot to one of these, round any corner."""
    far = [_FAR] * len(network.dots)
    waiting = list(dots)
    for dot in waiting:
        far[dot] = 0
    for dot in waiting:
        for other in network.neighbours[dot]:
            if other is not None and far[other] > far[dot] + 1:
                far[other] = far[dot] + 1
                waiting.append(other)
    return far


Hanging = Sequence[Sequence[tuple[int, Kind]]]
"""What stands on which dots and hangs together: the same for all that people cannot tell apart."""


def hanging(setup: Setup, stock: Stock) -> Hanging:
    """How all hangs together; the rows in their order, a cut from the end with the lower number."""
    kinds = kinds_in(setup)
    rows = (tuple((stock.dots[vehicle], kinds[vehicle]) for vehicle in row) for row in stock.rows)
    return tuple(sorted(min(row, row[::-1]) for row in rows))


class Reached(NamedTuple):
    """Where a search has come to, and how."""

    position: Position
    before: Reached | None = None
    motion: Motion | None = None

    @property
    def motions(self) -> tuple[Motion, ...]:
        """The steps from the start on."""
        done: list[Motion] = []
        here = self
        while here.before is not None and here.motion is not None:
            done.append(here.motion)
            here = here.before
        return tuple(done[::-1])


def reached(
    start: Position,
    most: int,
    goal: Goal,
    *,
    in_full: bool = False,
    apart: Callable[[Setup, Stock], object] = hanging,
) -> Collection[Reached]:
    """For each way in which all may hang together at the goal an end with the fewest steps, at most ``most``.

    ``in_full``: with so many steps, or as many as can be done, or fewer that win. Of several ends that are as short it
    is one after which the vehicles are freest to go on. ``apart`` says what else tells ends from each other.
    """
    mine = start.train
    fixed = (row for row in start.stock.rows if start.setup.is_locomotive(row[0]) and row != mine)
    if {vehicle for row in fixed for vehicle in row} & set(goal.misplaced(start.stock)):
        return ()
    steps = longest(start, most) if in_full else most
    found: dict[object, Reached] = {}
    for number, layer in enumerate(_layers(start, steps, goal, comes_again=in_full)):
        here: dict[object, Reached] = {}
        for end in layer:
            stock = end.position.stock
            if goal.is_met(stock) and (number == steps or not in_full or end.position.is_won):
                key = apart(start.setup, stock)
                if key not in here or _freedom(stock) > _freedom(here[key].position.stock):
                    here[key] = end
        found = here | found
    return found.values()


def _freedom(stock: Stock) -> int:
    return sum(map(len, stock.lies))


def _layers(start: Position, most: int, goal: Goal, *, comes_again: bool) -> Iterable[Collection[Reached]]:
    """What leads on to the goal after exactly 0, 1, 2... steps; what was there before only if it ``comes_again``."""
    layer: dict[object, Reached] = {_key(start): Reached(start)}
    seen: set[object] = set(layer)
    yield layer.values()
    for left in reversed(range(most)):
        following: dict[object, Reached] = {}
        for here in layer.values():
            if here.position.is_won:
                continue
            for motion, position in motions(here.position):
                key = _key(position)
                if key not in following and key not in seen and _leads_on(position, left, goal):
                    following[key] = Reached(position, here, motion)
        seen = set() if comes_again else seen | following.keys()
        layer = following
        yield layer.values()


def _key(position: Position) -> object:
    return position.stock, position.entered


def _leads_on(position: Position, left: int, goal: Goal) -> bool:
    """Whether all that is misplaced can come to its place in so many steps: in the train, or coupled first."""
    train = position.train
    return all(
        goal.far[vehicle][position.stock.dots[vehicle]] + (vehicle not in train) <= left
        for vehicle in goal.misplaced(position.stock)
    )
