"""What a train can do on the network, whoever's turn it is: run, couple, uncouple (LRUN1 to LCPL7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.games.locomotion.rules.errors import NOWHERE, Impossible, NotAllowed
from companion.games.locomotion.rules.sides import Dot, Passage, Side
from companion.games.locomotion.rules.state import Behind, Gap, Lie, Row, Setup, Stock


class Run(NamedTuple):
    """A way for a train to run: its row from the vehicle that leads, the side by which that leaves, the dot ahead."""

    row: Row
    side: Side
    dot: int


def runs(setup: Setup, stock: Stock, row: Row, *, backwards: bool) -> Iterator[Run]:
    """The tracks that the leading end of a train can take, whatever stands on them; ``backwards`` its last leads."""
    ordered = row[::-1] if backwards else row
    leader = ordered[0]
    dot = stock.dots[leader]
    taken = stock.dots[ordered[1]] if len(ordered) > 1 else None
    for side in sorted({side for passage in stock.lies[leader] for side in passage}):
        other = setup.network.neighbours[dot][side]
        if other is not None and other != taken:
            yield Run(ordered, side, other)


def can_run(setup: Setup, stock: Stock, row: Row, *, backwards: bool) -> Iterator[Run]:
    """The runs onto an empty dot. The one that its own tail clears in the same step is not (LRUN2)."""
    return (run for run in runs(setup, stock, row, backwards=backwards) if stock.on(run.dot) is None)


def after_run(setup: Setup, stock: Stock, run: Run) -> Stock:
    """The stock after a train has run one dot: each vehicle takes the dot of the one ahead of it (LRUN3)."""
    dots, lies = list(stock.dots), list(stock.lies)
    targets = (run.dot, *(stock.dots[vehicle] for vehicle in run.row))
    ahead = None
    for vehicle, target in zip(run.row, targets, strict=False):
        left = _side(setup, stock.dots[vehicle], target)
        lies[vehicle] = _lie_after(setup, vehicle, stock.lies[vehicle], target, _Came(left, left.opposite, ahead))
        dots[vehicle] = target
        ahead = left  # the next one comes to the dot that this one left by that side
    return Stock(tuple(dots), tuple(lies), stock.rows)


def _side(setup: Setup, dot: int, joined: int) -> Side:
    return Side(setup.network.neighbours[dot].index(joined))


class _Came(NamedTuple):
    """How a vehicle came onto its dot: the side by which it left the last one, that by which it came, who is ahead."""

    left: Side
    entered: Side
    ahead: Side | None


def _lie_after(setup: Setup, vehicle: int, lie: Lie, dot: int, came: _Came) -> Lie:
    ways = [way for way in setup.lies_on(vehicle, dot) if came.entered in way and came.ahead in {None, *way}]
    if setup.knobs.behind is Behind.EITHER_END or not setup.is_locomotive(vehicle):
        return tuple(ways)
    # A locomotive keeps its front ahead or behind; which of them may still be open.
    front_led = any(front == came.left for front, _ in lie)
    back_led = any(back == came.left for _, back in lie)
    return tuple(way for way in ways if (front_led and way[1] == came.entered) or (back_led and way[0] == came.entered))


def side_left(setup: Setup, stock: Stock, run: Run) -> Side:
    """The side of its dot by which the locomotive of the train leaves in a run."""
    place = next(place for place, vehicle in enumerate(run.row) if setup.is_locomotive(vehicle))
    target = stock.dots[run.row[place - 1]] if place else run.dot
    return _side(setup, stock.dots[run.row[place]], target)


def after_coupling(setup: Setup, stock: Stock, row: Row, wagon: int) -> Stock:
    """The stock after the end of a train has been coupled to a wagon at an end of a cut; raises RuleError (LCPL2)."""
    cut = _cut_of(setup, stock, wagon)
    colours = {setup.colours[vehicle] for vehicle in row[1:]}
    again = next((setup.colours[other] for other in cut if setup.colours[other] in colours), None)
    if again is not None:
        raise NotAllowed("LCPL6", "same-colour", colour=again)
    end, dot, other = row[-1], stock.dots[row[-1]], stock.dots[wagon]
    side = setup.network.side_towards(dot, other)
    if side is None:
        raise NotAllowed("LCPL2", "not-beside")
    end_lie, wagon_lie = _with_side(stock.lies[end], side), _with_side(stock.lies[wagon], side.opposite)
    if not end_lie or not wagon_lie:
        raise NotAllowed("LCPL2", "no-track-between")
    if setup.is_locomotive(end) and setup.knobs.behind is Behind.BACK_ONLY:
        end_lie = tuple(way for way in end_lie if way[1] == side)
        if not end_lie:
            raise NotAllowed("LCPL7", "wrong-end")
    lies = list(stock.lies)
    lies[end], lies[wagon] = end_lie, wagon_lie
    joined = row + (cut if cut[0] == wagon else cut[::-1])
    rows = [joined if other == row else other for other in stock.rows if other != stock.row_of(wagon)]
    return Stock(stock.dots, tuple(lies), tuple(sorted(rows)))


def _cut_of(setup: Setup, stock: Stock, wagon: int) -> Row:
    if not 0 <= wagon < len(setup.colours):
        raise Impossible("LMAT1", "no-such-wagon", wagon=wagon)
    if setup.is_locomotive(wagon):
        raise NotAllowed("LCPL4", "not-a-wagon", wagon=wagon)
    cut = stock.row_of(wagon)
    if setup.is_locomotive(cut[0]):
        raise NotAllowed("LRUN6", "in-a-train")
    if wagon not in {cut[0], cut[-1]}:
        raise NotAllowed("LCPL2", "not-at-an-end")
    return cut


def _with_side(lie: Lie, side: Side) -> tuple[Passage, ...]:
    return tuple(passage for passage in lie if side in passage)


def after_uncoupling(stock: Stock, row: Row, count: int) -> Stock:
    """The stock after the last wagons of a train have been left standing as a cut; raises RuleError (LCPL3).

    Where the knob ``gap`` wants a dot the train has still to run off it.
    """
    most = len(row) - 1
    if not most:
        raise NotAllowed("LCPL3", "no-wagons")
    if not 1 <= count <= most:
        raise NotAllowed("LCPL3", "not-so-many", count=count, most=most)
    train, cut = row[:-count], row[-count:]
    cut = min(cut, cut[::-1])
    rows = [*(other for other in stock.rows if other != row), train, cut]
    return Stock(stock.dots, stock.lies, tuple(sorted(rows)))


def chosen_run(setup: Setup, stock: Stock, row: Row, to: Dot, *, backwards: bool) -> Run:
    """The run that leads a train onto a dot; raises RuleError with what it can do instead."""
    network = setup.network
    if backwards and len(row) == 1:
        raise NotAllowed("LRUN3", "no-last-wagon")
    possible = [network.dots[run.dot] for run in can_run(setup, stock, row, backwards=backwards)]
    leader = row[-1] if backwards else row[0]
    told: dict[str, object] = {"end": network.dots[stock.dots[leader]], "dot": to, "allowed": possible or NOWHERE}
    dot = network.number(to)
    if dot is None:
        raise Impossible("LRUN1", "no-dot", dot=to)
    run = next((run for run in runs(setup, stock, row, backwards=backwards) if run.dot == dot), None)
    if stock.on(dot) is not None and network.side_towards(stock.dots[leader], dot) is not None:
        raise NotAllowed("LRUN5", "occupied", dot=to)
    if network.side_towards(stock.dots[leader], dot) is None:
        raise NotAllowed("LRUN2", "not-joined", **told)
    if run is None:
        raise NotAllowed("LRUN2", "corner", **told)
    return run


def makes_gap(setup: Setup) -> bool:
    """Whether the train has to move off in uncoupling (LCPL3)."""
    return setup.knobs.gap is Gap.A_DOT
