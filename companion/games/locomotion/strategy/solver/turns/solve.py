"""A solo game's plan with the fewest turns with speed cards, and that with the fewest steps with any knobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import msgspec
import numpy as np

from companion.games.locomotion.rules.state import FASTEST, Behind, Gap, State
from companion.games.locomotion.rules.steps import Couple, Motion, Run, Uncouple
from companion.games.locomotion.strategy.solver import solo
from companion.games.locomotion.strategy.solver.rows import Rows
from companion.games.locomotion.strategy.solver.solo import MOST_BYTES, Solution, Watcher
from companion.games.locomotion.strategy.solver.turns.cutting import Turn, cut
from companion.games.locomotion.strategy.solver.turns.manners import Lapsing, Manner, WithSpeedCards
from companion.games.locomotion.strategy.solver.turns.stepping import Stepping
from companion.games.locomotion.strategy.solver.turns.sweep import Layer, Played, Sweep

_NARROWEST = 30
"""How many states of each key the first pass takes along."""
_WIDENING = 4


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
    *,
    has_time: Callable[[], bool] = lambda: True,
    watch: Watcher | None = None,
    most_bytes: int = MOST_BYTES,
) -> Solution:
    """The best plan of steps from the start of a solo game, lots drawn; raises TooLarge."""
    knobs = start.setup.knobs
    if knobs.gap is Gap.ON_THE_DOTS and knobs.behind is Behind.EITHER_END:
        locomotive, *dots = start.stock.dots
        wagons = dict(enumerate(dots, 1))
        return solo.solve(
            start.setup.network, locomotive, wagons, start.order, has_time=has_time, watch=watch, most_bytes=most_bytes
        )
    stepping = _stepping(start)
    passes = _Passes(start, stepping, Lapsing(stepping, 1), most_bytes)
    passes.go(has_time, watch or _nobody)
    plan = None if passes.best is None else tuple(step for turn in passes.best for step in turn.steps)
    return Solution(plan, passes.bound, passes.is_impossible, passes.states)


def fewest_turns(
    start: State,
    *,
    has_time: Callable[[], bool] = lambda: True,
    has_time_for_steps: Callable[[], bool] = lambda: True,
    watch: Watcher | None = None,
    most_bytes: int = MOST_BYTES,
) -> SolutionInTurns:
    """The best plan of turns with speed cards; raises TooLarge.

    First the fewest steps are looked for: a turn has six at most. If the direction may change within a turn, any plan
    can be carried out that fast, and that is all. Else another search finds plans with fewer turns, and proves more.
    ``watch`` is told turns.
    """
    is_all = start.setup.knobs.reverse_in_turn
    watch = watch or _nobody
    is_enough = False

    def watch_steps(bound: int, steps: int | None) -> None:
        nonlocal is_enough
        turns = None if steps is None or not is_all else _turns_of(steps)
        is_enough = turns == _turns_of(bound)
        watch(_turns_of(bound), turns)

    def goes_on() -> bool:
        return not is_enough and has_time() and (is_all or has_time_for_steps())

    steps = fewest_steps(start, has_time=goes_on, watch=watch_steps, most_bytes=most_bytes)
    plan = None if steps.plan is None else cut(start, steps.plan)
    found = SolutionInTurns(plan, _turns_of(steps.bound), steps.is_impossible, steps.states)
    if found.is_proven or is_all:
        return found
    stepping = _stepping(start)
    passes = _Passes(start, stepping, WithSpeedCards(stepping), most_bytes)
    passes.best, passes.bound = found.plan, found.bound
    passes.go(has_time, watch)
    return SolutionInTurns(passes.best, passes.bound, passes.is_impossible, steps.states + passes.states)


def _turns_of(steps: int) -> int:
    """How many turns so many steps take with the highest speed."""
    return -(-steps // FASTEST)


def _nobody(_bound: int, _turns: int | None) -> None:
    """Nobody watches."""


def _stepping(start: State) -> Stepping:
    return Stepping(start.setup.network, start.setup.wagon_colours, start.setup.knobs)


class _Passes:
    """Sweeps, each wider than the last, until one has proven the best plan or there is no more time or memory."""

    def __init__(self, start: State, stepping: Stepping, manner: Manner, most_bytes: int) -> None:
        self.best: tuple[Turn, ...] | None = None
        self.bound = 1
        self.is_impossible = False
        self.states = 0
        self._setup = start.setup
        self._order = start.order
        self._stepping = stepping
        self._manner = manner
        self._most_held = most_bytes // 8
        dots = start.stock.dots
        stands = stepping.start([dots[0], *(dots[wagon] for wagon in start.order)])
        self._start: Layer = {(standing, None): codes for standing, codes in stands.items()}

    def go(self, has_time: Callable[[], bool], watch: Watcher) -> None:
        """Goes on until nothing more can be found or proven."""
        width = _NARROWEST
        while not self.is_impossible and self._best_turns() != self.bound and self._sweep(width, has_time, watch):
            width *= _WIDENING

    def _best_turns(self) -> int | None:
        return None if self.best is None else len(self.best)

    def _sweep(self, width: int, has_time: Callable[[], bool], watch: Watcher) -> bool:
        """A pass; whether a wider one could find more."""
        sweep = Sweep(self._stepping, self._manner, self._start, width)
        is_held = True
        while sweep.won is None and sweep.layers[-1] and is_held and self._is_worth_it(sweep):
            watch(self.bound, self._best_turns())
            if not sweep.grow(has_time):
                break
            self.bound = max(self.bound, sweep.whole)
            is_held = sweep.held() < self._most_held
        self.states += sweep.states
        if sweep.won is not None:
            self.best = tuple(self._turn(played) for played in sweep.plan())
        elif not sweep.layers[-1] and sweep.is_whole:
            self.is_impossible = True
        return is_held and has_time()

    def _is_worth_it(self, sweep: Sweep) -> bool:
        return self.best is None or len(sweep.layers) < len(self.best)

    def _turn(self, played: Played) -> Turn:
        return Turn(played.chosen or 0, tuple(self._steps(played.way)))

    def _steps(self, way: list[tuple[Rows, int]]) -> Iterator[Motion]:
        for (before, old), (after, new) in pairwise(way):
            yield self._step(before.train, self._dots(old), after.train, self._dots(new))

    def _step(self, train: tuple[int, ...], old: list[int], longer: tuple[int, ...], new: list[int]) -> Motion:
        dots = self._setup.network.dots
        if len(longer) > len(train):
            return Couple(self._order[longer[len(train)] - 1])
        if len(longer) < len(train):
            moves_off = self._setup.knobs.gap is Gap.A_DOT
            return Uncouple(len(train) - len(longer), dots[new[0]] if moves_off else None)
        is_forwards = len(train) == 1 or new[1] == old[0]
        return Run(dots[new[0 if is_forwards else len(train) - 1]], backwards=not is_forwards)

    def _dots(self, code: int) -> list[int]:
        """Of the vehicles in each slot: the train's come first."""
        return [int(column[0]) for column in self._stepping.dots(np.array([code], dtype=np.uint64))]
