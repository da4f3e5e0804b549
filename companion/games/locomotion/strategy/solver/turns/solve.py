"""A solo game's plan with the fewest turns with speed cards, and that with the fewest steps with any knobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from companion.games.locomotion.rules.state import FASTEST, Behind, Gap, State
from companion.games.locomotion.strategy.solver import solo
from companion.games.locomotion.strategy.solver.solo import MOST_BYTES, Solution, Watcher
from companion.games.locomotion.strategy.solver.turns.cutting import Turn, cut
from companion.games.locomotion.strategy.solver.turns.manners import Lapsing, WithSpeedCards
from companion.games.locomotion.strategy.solver.turns.passes import Known, Passes, from_both_ends
from companion.games.locomotion.strategy.solver.turns.stepping import Stepping

_FIRST_LOOK = 1 << 16
"""States that are looked at for a plan before the search from both ends: a fraction of a second."""


class HasTime(Protocol):
    """Whether there is more time, or with a share, whether less than that of it has gone."""

    def __call__(self, share: float = 1, /) -> bool: ...


class SolutionInTurns(msgspec.Struct, frozen=True):
    """What is known about the fewest turns.

    ``plan`` is None while none is known; ``turns`` is its length. Fewer than ``bound`` are not enough. ``states`` were
    looked at.
    """

    plan: tuple[Turn, ...] | None
    bound: int
    is_impossible: bool
    states: int

    @property
    def turns(self) -> int | None:
        """How many the plan has."""
        return None if self.plan is None else len(self.plan)

    @property
    def is_proven(self) -> bool:
        """Whether no plan has fewer turns, or there is none at all."""
        return self.is_impossible or self.turns == self.bound


def fewest_steps(
    start: State,
    also: Sequence[State] = (),
    *,
    has_time: HasTime = lambda _=1: True,
    watch: Watcher | None = None,
    most_bytes: int = MOST_BYTES,
) -> Solution:
    """The best plan of steps from a state of a solo game, lots drawn, whatever is coupled by then; raises TooLarge.

    All may stand ``also`` as in other states, which differ in lies alone: the plan is one from any of them.
    """
    knobs, watch = start.setup.knobs, watch or _nobody
    if knobs.gap is Gap.ON_THE_DOTS and knobs.behind is Behind.EITHER_END:
        return solo.solve(start, also, has_time=has_time, watch=watch, most_bytes=most_bytes)
    known = Known()
    stepping = _stepping(start)
    starts = (start, *also)
    passes = Passes(starts, stepping, Lapsing(stepping, stepping.steps, 1), known, most_bytes)
    passes.go(has_time, watch, _FIRST_LOOK)
    plan = from_both_ends(starts, 1, known, lambda: has_time(2 / 3), watch, most_bytes=most_bytes)
    if plan is not None:
        known.offer(tuple(Turn(0, (step,)) for step in plan))
    passes.go(has_time, watch)
    best = None if known.best is None else tuple(step for turn in known.best for step in turn.steps)
    return Solution(best, known.bound, known.is_impossible, known.states)


def fewest_turns(
    start: State,
    *,
    has_time: HasTime = lambda _=1: True,
    watch: Watcher | None = None,
    most_bytes: int = MOST_BYTES,
) -> SolutionInTurns:
    """The best plan of turns with speed cards; raises TooLarge.

    First the fewest steps are looked for: a turn has six at most. If the direction may change within a turn, any plan
    can be carried out that fast, and that is all. Else other searches find plans with fewer turns, and prove more.
    ``watch`` is told turns.
    """
    steps = _steps_for_turns(start, has_time, watch or _nobody, most_bytes)
    known = Known(_turns_of(steps.bound), None if steps.plan is None else cut(start, steps.plan))
    known.states, known.is_impossible = steps.states, steps.is_impossible
    if not known.is_settled and not start.setup.knobs.reverse_in_turn:
        _look_for_turns(start, known, has_time, watch or _nobody, most_bytes)
    return SolutionInTurns(known.best, known.bound, known.is_impossible, known.states)


def _steps_for_turns(start: State, has_time: HasTime, watch: Watcher, most_bytes: int) -> Solution:
    """The fewest steps, no more exactly than turns have to be known."""
    is_all = start.setup.knobs.reverse_in_turn
    is_enough = False

    def watch_steps(bound: int, steps: int | None) -> None:
        nonlocal is_enough
        turns = None if steps is None or not is_all else _turns_of(steps)
        is_enough = turns == _turns_of(bound)
        watch(_turns_of(bound), turns)

    def goes_on(share: float = 1, /) -> bool:
        return not is_enough and has_time(share if is_all else share / 3)

    return fewest_steps(start, has_time=goes_on, watch=watch_steps, most_bytes=most_bytes)


def _look_for_turns(start: State, known: Known, has_time: HasTime, watch: Watcher, most_bytes: int) -> None:
    """For trains that do not change their direction within a turn. First what is left of a speed may lapse."""
    plan = from_both_ends([start], FASTEST, known, lambda: has_time(2 / 3), watch, most_bytes=most_bytes)
    if plan is not None:
        known.offer(cut(start, plan))
    stepping = _stepping(start)
    Passes([start], stepping, WithSpeedCards(stepping), known, most_bytes).go(has_time, watch)


def _turns_of(steps: int) -> int:
    """How many turns so many steps take with the highest speed."""
    return -(-steps // FASTEST)


def _nobody(_bound: int, _turns: int | None) -> None:
    """Nobody watches."""


def _stepping(start: State) -> Stepping:
    return Stepping(start.setup.network, start.setup.wagon_colours, start.setup.knobs)
