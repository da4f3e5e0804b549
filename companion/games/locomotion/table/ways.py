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
    likeliest comes first: what is read without doubt; of that a win; then what seems nearest to one; of what seems as
    near what takes the fewest steps, and goes least to and fro. None where no way leads to what is seen, or the state
    waits for something else.
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
    return _likeliest_first(state, found)


def _after(state: State, done: Sequence[Motion]) -> State:
    for motion in done:
        state = after(state, motion)
    return state


def _turns_back(way: Way) -> int:
    """How often the train changes its direction."""
    directions = [motion.backwards for motion in way.motions if isinstance(motion, Run)]
    return sum(one != other for one, other in pairwise(directions))


def _likeliest_first(before: State, found: Sequence[Way]) -> Sequence[Way]:
    """Nobody tells what they have coupled, but they want to win: what seems nearest to the goal comes first."""
    if len(found) < 2:
        return found
    yard = Yard(before.setup, before.stock, before.locomotive, before.order)
    farness = Farness(yard)

    def far(way: Way) -> int:
        layout, trains = yard.standing(way.state.stock)
        return min(farness.of(layout, train) for train in trains)

    def order(way: Way) -> tuple[object, ...]:
        is_won = way.state.phase is Phase.OVER
        return way.doubt, not is_won, far(way), len(way.motions), _turns_back(way), way.state.stock.rows

    return sorted(found, key=order)
