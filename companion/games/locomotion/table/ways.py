"""How a turn was played: the ways by the rules from the state at its beginning to what is seen now."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.games.locomotion.rules import Mode, Motion, Phase, Run, State, after
from companion.games.locomotion.rules.motions import position
from companion.games.locomotion.strategy.players.farness import Farness
from companion.games.locomotion.strategy.players.yard import Yard
from companion.games.locomotion.table.search import Goal, reached
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
    likeliest comes first: what is read without doubt, of that what comes nearest to the colour order, of that what
    takes the fewest steps and is the least to and fro. None where no way leads to what is seen, or the state waits
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
    return found if len(found) < 2 else sorted(found, key=_Sorting(state).key)


def _after(state: State, done: Sequence[Motion]) -> State:
    for motion in done:
        state = after(state, motion)
    return state


class _Sorting:
    """Sorts the ways of a turn, the likeliest first: whoever plays wants to get on.

    Of 332 turns of good players that could have been played in several ways it finds the one that was in 195, of 491 of
    greedy ones in 391; the shortest was it in 148 and 268 (``tests/benchmarks/likely_ways.py``).
    """

    def __init__(self, before: State) -> None:
        self._yard = Yard(before.setup, before.stock, before.locomotive, before.order)
        self._farness = Farness(self._yard)

    def key(self, way: Way) -> tuple[object, ...]:
        """What is read without doubt, then what is nearest to the colour order, then what is short and straight on."""
        layout, trains = self._yard.standing(way.state.stock)
        far = min(self._farness.of(layout, train) for train in trains)
        return way.doubt, far, len(way.motions), _turns_back(way), way.state.stock.rows


def _turns_back(way: Way) -> int:
    """How often the train changes its direction."""
    directions = [motion.backwards for motion in way.motions if isinstance(motion, Run)]
    return sum(one != other for one, other in pairwise(directions))
