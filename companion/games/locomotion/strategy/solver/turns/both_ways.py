"""A search from both ends, over places, for turns of at most so many steps (see ``lies`` and ``tracks``).

A step forwards and one back are not the same where uncoupling makes a gap of a dot; so each end knows all that it has
seen. The two meet where the fewest turns lead from one to the other.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.games.locomotion.strategy.solver.turns.manners import Lapsing
from companion.games.locomotion.strategy.solver.turns.stepping import Stand, Stepping
from companion.games.locomotion.strategy.solver.turns.sweep import Layer, Limits, Moment, Played, Sweep, size

_WHOLE = 1 << 62
"""The width of layers from which nothing is left out."""


class BothWays:
    """Two sweeps that leave nothing out, from the start and from the goals, of places.

    ``bound``: fewer turns are not enough. ``way``: for each turn what stands after each of its steps, once it is found.
    """

    def __init__(self, stepping: Stepping, start: Stand, most: int, most_held: int) -> None:
        self.bound = 1
        self.is_impossible = False
        self.way: list[Played] | None = None
        limits = Limits(_WHOLE, most_held // 2)
        forwards = Lapsing(stepping, stepping.steps, most)
        backwards = Lapsing(stepping, stepping.steps_back, most)
        self._forwards = Sweep(stepping, forwards, _between(start), limits, goal=None)
        self._backwards = Sweep(stepping, backwards, _between(stepping.goal()), limits, goal=None)
        self._forwards.back, self._backwards.back = backwards, forwards

    @property
    def states(self) -> int:
        """How many were looked at."""
        return self._forwards.states + self._backwards.states

    def grow(self, has_time: Callable[[], bool]) -> bool:
        """Goes on by a turn, from the end that has less; False if it is done, or there is no more time or memory."""
        sweep = min(self._forwards, self._backwards, key=lambda sweep: size(sweep.layers[-1]))
        if not sweep.layers[-1]:
            self.is_impossible = True
            return False
        if not sweep.grow(has_time):
            return False
        met = _common(self._forwards.layers[-1], self._backwards.layers[-1])
        turns = len(self._forwards.layers) + len(self._backwards.layers) - 2
        if met is None:
            self.bound = turns + 1
            return True
        self.bound = turns
        back = [played._replace(way=played.way[::-1]) for played in self._backwards.trail(met)[::-1]]
        self.way = [*self._forwards.trail(met), *back]
        return False


def _between(stand: Stand) -> Layer:
    return {(standing, None): codes for standing, codes in stand.items()}


def _common(one: Layer, other: Layer) -> Moment | None:
    for key, codes in one.items():
        if key in other:
            shared = np.intersect1d(codes, other[key], assume_unique=True)
            if len(shared):
                return Moment(key, int(shared[0]))
    return None
