"""How a person plays a turn: which steps, and how the table is brought to show them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from random import Random

from companion.games.locomotion.robot.table import Table
from companion.games.locomotion.rules import ChooseSpeed, Motion, State, after
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.rules.steps import AnyStep


class Manner(StrEnum):
    """How people move a train."""

    AT_ONCE = "at once"
    """All of it to where the turn ends."""
    DOT_BY_DOT = "dot by dot"
    ONE_BY_ONE = "one by one"
    """Each vehicle to where the turn ends, one after the other."""


class Plan:
    """A turn from its die or speed on, or from the choice of its speed on."""

    def __init__(self, state: State, steps: Sequence[AnyStep], random: Random) -> None:
        self.speed = next((step.speed for step in steps if isinstance(step, ChooseSpeed)), 0)
        """The speed that is wanted."""
        self.manner = random.choice(list(Manner))
        stocks = []
        for step in steps:
            state = after(state, step)
            if isinstance(step, Motion):
                stocks.append(state.stock)
        self.end: Stock = state.stock
        """What stands where, and who hangs on whom, after it."""
        self._left = stocks if self.manner is Manner.DOT_BY_DOT else stocks[-1:]

    def goes_on(self, table: Table) -> bool:
        """Moves on; says whether there was anything to do."""
        while self._left:
            if table.show(self._left[0], one_by_one=self.manner is Manner.ONE_BY_ONE):
                return True
            del self._left[0]
        return table.show(self.end)
