"""What has been found as steps of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from companion.games.locomotion.rules.state import Gap, State
from companion.games.locomotion.rules.steps import Couple, Motion, Run, Uncouple
from companion.games.locomotion.strategy.solver.rows import Row, Rows
from companion.games.locomotion.strategy.solver.turns.cutting import Turn
from companion.games.locomotion.strategy.solver.turns.stepping import Stepping
from companion.games.locomotion.strategy.solver.turns.sweep import Played


class Teller:
    """Tells the turns of a search, in which wagons are numbered in their order, as those of the game."""

    def __init__(self, start: State, stepping: Stepping) -> None:
        self._dots = start.setup.network.dots
        self._moves_off = start.setup.knobs.gap is Gap.A_DOT
        self._order = start.order
        self._stepping = stepping

    def turns(self, played: Sequence[Played]) -> tuple[Turn, ...]:
        """A plan; without speed cards its speeds are 0."""
        return tuple(Turn(turn.chosen or 0, tuple(self._steps(turn.way))) for turn in played)

    def _steps(self, way: Sequence[tuple[Rows, int]]) -> Iterator[Motion]:
        for (before, old), (after, new) in pairwise(way):
            yield self._step(before.train, self._places(old), after.train, self._places(new))

    def _step(self, train: Row, old: list[int], after: Row, new: list[int]) -> Motion:
        if len(after) > len(train):
            return Couple(self._order[after[len(train)] - 1])
        if len(after) < len(train):
            return Uncouple(len(train) - len(after), self._dots[new[0]] if self._moves_off else None)
        is_forwards = len(train) == 1 or new[1] == old[0]
        return Run(self._dots[new[0 if is_forwards else len(train) - 1]], backwards=not is_forwards)

    def _places(self, code: int) -> list[int]:
        """The dots of the vehicles in each slot: the train's come first."""
        return [int(column[0]) for column in self._stepping.dots(np.array([code], dtype=np.uint64))]
