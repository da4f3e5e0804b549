"""How a turn was played: the ways by the rules from the state at its beginning to what is seen now."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.games.locomotion.rules import Couple, Mode, Motion, Phase, Run, State, after, legal_motions
from companion.games.locomotion.rules.motions import position
from companion.games.locomotion.table.search import Goal, hanging, reached
from companion.games.locomotion.table.seen import Seen


class Way(NamedTuple):
    """Steps by the rules, and the state that they lead to.

    ``doubt`` counts the likelier things that the dots of its vehicles seem to hold.
    """

    motions: tuple[Motion, ...]
    state: State
    doubt: int = 0


def ways(state: State, seen: Seen) -> Sequence[Way]:
    """For each different coupling at its end the shortest way from a turn's beginning to what is seen.

    With the die a way may end at any step; at a speed it uses it in full, or as far as can be (LSPD3, LSPD4). The
    likeliest comes first: what is read without doubt; of that whoever has come to a wagon with a step left couples it;
    else as few steps as possible, and as little to and fro. None where no way leads to what is seen, or the state waits
    for something else.
    """
    if state.phase is not Phase.MOVING:
        return ()
    goal = Goal(state.setup, seen)
    ends = reached(position(state), state.left, goal, in_full=state.setup.mode is Mode.SPEED)
    found = [
        Way(end.motions, _after(state, end.motions), goal.doubt(end.position.stock))
        for end in ends
        if end.position.is_won or not state.must_win
    ]
    found.sort(key=lambda way: (way.doubt, len(way.motions), _turns_back(way), way.state.stock.rows))
    return _coupled_first(state, found)


def _after(state: State, done: Sequence[Motion]) -> State:
    for motion in done:
        state = after(state, motion)
    return state


def _turns_back(way: Way) -> int:
    """How often the train changes its direction."""
    directions = [motion.backwards for motion in way.motions if isinstance(motion, Run)]
    return sum(one != other for one, other in pairwise(directions))


def _coupled_first(before: State, found: Sequence[Way]) -> Sequence[Way]:
    """Whoever runs to a wagon couples it; one more behind that only where the colour order wants it."""
    if not found or found[0].state.stock.dots == before.stock.dots:
        return found
    likeliest = found[0]
    coupled = _coupled(before, likeliest, found)
    while coupled:
        likeliest = coupled[0]
        coupled = [way for way in _coupled(before, likeliest, found) if _is_in_order(before, way)]
    return likeliest, *(way for way in found if way is not likeliest)


def _coupled(before: State, way: Way, found: Sequence[Way]) -> Sequence[Way]:
    """Ways that end as this one with one more coupling, first those that the colour order wants."""
    couplings = (motion for motion in legal_motions(way.state) if isinstance(motion, Couple))
    setup = before.setup
    after_them = [hanging(setup, after(way.state, motion).stock) for motion in couplings]
    ends = [other for other in found if hanging(setup, other.state.stock) in after_them]
    return sorted(ends, key=lambda end: not _is_in_order(before, end))


def _is_in_order(before: State, way: Way) -> bool:
    wagons = way.state.stock.row_of(before.locomotive)[1:]
    return all(way.state.setup.colours[wagon] == colour for wagon, colour in zip(wagons, before.order, strict=False))
