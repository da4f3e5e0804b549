"""What looking at the table cannot tell of a turn: what was coupled (LCPL1), and how vehicles lie (LRUN2)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.locomotion.rules import Mode, Motion, State, after
from companion.games.locomotion.rules.motions import position
from companion.games.locomotion.rules.state import Setup, Stock
from companion.games.locomotion.table.search import Goal, Hanging, Reached, hanging, reached
from companion.games.locomotion.table.seen import Seen, kinds_in, standing_so
from companion.games.locomotion.table.ways import Way, ways
from companion.games.locomotion.wording import Kind


def alike_ways(before: State, ended: Stock) -> Sequence[Way]:
    """All ways to play a turn after which everything stands and hangs as in ``ended``, whatever it can do from there.

    Those with the fewest steps first; none after which all is only as free as after one with as few steps, or less.
    """
    return _freest(before, _ends(before, ended), hanging(before.setup, ended))


def any_ways(before: State, ended: Stock) -> Sequence[Way]:
    """As ``alike_ways``, however it hangs together; what is likeliest to be coupled first."""
    ends = _ends(before, ended)
    told = [hanging(before.setup, way.state.stock) for way in ways(before, standing_so(before.setup, ended))]
    return [way for hung in told for way in _freest(before, ends, hung)]


def otherwise_coupled(before: State, ended: Stock) -> Sequence[Way]:
    """Of ``any_ways`` those after which everything hangs together otherwise than in ``ended``."""
    hung = hanging(before.setup, ended)
    return [way for way in any_ways(before, ended) if hanging(before.setup, way.state.stock) != hung]


def _ends(before: State, ended: Stock) -> Sequence[Reached]:
    """All that may stand so after a turn, those with the fewest steps first."""
    goal, is_full = Goal(before.setup, standing_so(before.setup, ended)), before.setup.mode is Mode.SPEED
    ends = reached(position(before), before.left, goal, in_full=is_full, apart=_with_lies)
    return sorted(ends, key=lambda end: len(end.motions))


def _freest(before: State, ends: Sequence[Reached], hung: Hanging) -> Sequence[Way]:
    found: list[Way] = []
    for end in ends:
        stock = end.position.stock
        is_alike = hanging(before.setup, stock) == hung and (end.position.is_won or not before.must_win)
        if is_alike and not any(_is_as_free(way.state.stock, stock) for way in found):
            found.append(Way(end.motions, _after(before, end.motions)))
    return [way for way in found if not any(_is_freer(other, way) for other in found)]


def may_have_won(state: State, seen: Seen) -> bool:
    """Whether all wagons stand in the colour order beside the active locomotive, one beside the other."""
    network = state.setup.network
    rows: list[tuple[int, ...]] = [
        (dot,) for dot, kinds in seen.kinds.items() if kinds_in(state.setup)[state.locomotive] in kinds
    ]
    for colour in state.order:
        wagon = Kind(colour, is_locomotive=False)
        rows = [
            (*row, dot)
            for row in rows
            for dot in network.neighbours[row[-1]]
            if dot is not None and dot not in row and wagon in seen.kinds.get(dot, ())
        ]
    return bool(rows)


def _after(state: State, motions: Sequence[Motion]) -> State:
    for motion in motions:
        state = after(state, motion)
    return state


def _with_lies(setup: Setup, stock: Stock) -> tuple[Hanging, object]:
    return hanging(setup, stock), stock.lies


def _is_freer(one: Way, other: Way) -> bool:
    """Whether it is so with as few steps."""
    stocks = one.state.stock, other.state.stock
    return one is not other and len(one.motions) <= len(other.motions) and _is_as_free(*stocks)


def _is_as_free(one: Stock, other: Stock) -> bool:
    """Whether all that each vehicle can do in the other stock it can do in this one as well."""
    return one.dots == other.dots and all(set(lie) >= set(less) for lie, less in zip(one.lies, other.lies, strict=True))
