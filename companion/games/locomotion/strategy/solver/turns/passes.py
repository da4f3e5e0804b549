"""What is known of the fewest turns, and how more comes to be known: sweeps that become wider, and from both ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from companion.games.locomotion.rules.state import Lie, State
from companion.games.locomotion.rules.steps import Motion
from companion.games.locomotion.strategy.solver.rows import Rows
from companion.games.locomotion.strategy.solver.solo import Watcher
from companion.games.locomotion.strategy.solver.standing import rows_of, vehicles_of
from companion.games.locomotion.strategy.solver.turns.both_ways import BothWays
from companion.games.locomotion.strategy.solver.turns.cutting import Turn
from companion.games.locomotion.strategy.solver.turns.manners import Manner
from companion.games.locomotion.strategy.solver.turns.stepping import Stand, Stepping
from companion.games.locomotion.strategy.solver.turns.sweep import Layer, Limits, Sweep
from companion.games.locomotion.strategy.solver.turns.told import Teller

_NARROWEST = 30
"""How many states of each key the first sweep takes along."""
_WIDENING = 4
_BYTES = 12
"""Of a code, and of what sorting takes for a while."""


class Known:
    """The best plan so far, and how few turns could still do."""

    def __init__(self, bound: int = 1, best: Sequence[Turn] | None = None) -> None:
        self.best: tuple[Turn, ...] | None = None if best is None else tuple(best)
        self.bound = bound
        self.is_impossible = False
        self.states = 0

    @property
    def turns(self) -> int | None:
        """Of the best plan."""
        return None if self.best is None else len(self.best)

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing more to find out."""
        return self.is_impossible or self.turns == self.bound

    def offer(self, plan: tuple[Turn, ...]) -> None:
        """A plan that is taken if it is better."""
        if self.best is None or len(plan) < len(self.best):
            self.best = plan


class Passes:
    """Sweeps, each wider than the last, until one has proven the best plan or there is no more time or memory."""

    def __init__(
        self, starts: Sequence[State], stepping: Stepping, manner: Manner, known: Known, most_bytes: int
    ) -> None:
        """From one of these states, which differ in lies alone."""
        self._stepping = stepping
        self._manner = manner
        self._known = known
        self._teller = Teller(starts[0], stepping)
        self._start: Layer = {(standing, None): codes for standing, codes in beginning(starts, stepping).items()}
        self._most_held = most_bytes // _BYTES
        self._width = _NARROWEST

    def go(self, has_time: Callable[[], bool], watch: Watcher, most_states: float = float("inf")) -> None:
        """Goes on until nothing more can be found or proven, or a pass has looked at so many states."""
        is_enough = False
        while not is_enough and not self._known.is_settled and has_time():
            limits = Limits(self._width, self._most_held)
            sweep = Sweep(self._stepping, self._manner, self._start, limits, self._stepping.won)
            goes_on = self._sweep(sweep, has_time, watch, most_states)
            is_enough = not goes_on or sweep.states >= most_states
            self._width *= _WIDENING

    def _sweep(self, sweep: Sweep, has_time: Callable[[], bool], watch: Watcher, most_states: float) -> bool:
        """A pass; whether time and memory sufficed."""
        known, goes_on = self._known, True
        while goes_on and sweep.won is None and sweep.layers[-1] and self._is_worth_it(sweep):
            watch(known.bound, known.turns)
            if sweep.states >= most_states:
                break
            goes_on = sweep.grow(has_time)
            known.bound = max(known.bound, sweep.whole)
        known.states += sweep.states
        if sweep.won is not None:
            known.offer(self._teller.turns(sweep.plan()))
        elif not sweep.layers[-1] and sweep.is_whole:
            known.is_impossible = True
        return goes_on

    def _is_worth_it(self, sweep: Sweep) -> bool:
        turns = self._known.turns
        return turns is None or len(sweep.layers) < turns


def from_both_ends(
    starts: Sequence[State], most: int, known: Known, has_time: Callable[[], bool], watch: Watcher, *, most_bytes: int
) -> tuple[Motion, ...] | None:
    """Learns of turns of at most so many steps, whose rest lapses; the steps of a plan with the fewest, if it finds it.

    Who has to use a speed in full needs no fewer turns.
    """
    start = starts[0]
    stepping = Stepping(start.setup.network, start.setup.wagon_colours, start.setup.knobs, are_places=True)
    search = BothWays(stepping, beginning(starts, stepping), most, most_bytes // _BYTES)
    while not known.is_settled and search.grow(has_time):
        known.bound = max(known.bound, search.bound)
        watch(known.bound, known.turns)
    known.bound = max(known.bound, search.bound)
    known.is_impossible = known.is_impossible or search.is_impossible
    known.states += search.states
    if search.way is None:
        return None
    return tuple(step for turn in Teller(start, stepping).turns(search.way) for step in turn.steps)


def beginning(starts: Sequence[State], stepping: Stepping) -> Stand:
    """The states of a search that states of a game for one can be, at the beginning of a turn."""
    codes = [stepping.standing(*_standing(start)) for start in starts]
    standing = next(iter(codes[0]))
    return {standing: np.unique(np.concatenate([each[standing] for each in codes]))}


def _standing(start: State) -> tuple[Rows, list[tuple[int, Lie]]]:
    stock, vehicles = start.stock, vehicles_of(start.order)
    standing = rows_of(stock, start.order)
    slots = [vehicles[number] for number in standing.vehicles]
    return standing, [(stock.dots[vehicle], stock.lies[vehicle]) for vehicle in slots]
