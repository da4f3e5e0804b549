"""The phase that the game is in."""

from __future__ import annotations

from typing import Protocol

from companion.games.at_table.layers import with_faults
from companion.games.events import Pressed
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.layers import Layer
from companion.games.loknroll.play.phases.betsy import Betsy
from companion.games.loknroll.play.phases.building import Building
from companion.games.loknroll.play.phases.discarding import Discarding
from companion.games.loknroll.play.phases.drawing import Drawing
from companion.games.loknroll.play.phases.ending import Hands, Over
from companion.games.loknroll.play.phases.piles import Piles
from companion.games.loknroll.play.phases.setting_up import SettingUp
from companion.games.loknroll.rules import Phase
from companion.screen.screen import Screen
from hardware.buttons import Button


class PlayedPhase(Protocol):
    """A phase of the game at the table."""

    def watch(self, desk: Desk) -> bool:
        """Accepts what lies there; says whether the game has gone on."""

    def press(self, desk: Desk, button: Button) -> None:
        """A button was pressed."""

    def screen(self, desk: Desk) -> Screen:
        """What is to be seen."""


class CurrentPhase(Layer):
    """The phase that the game is in: it lies at the bottom, and hears what is for nobody above."""

    def __init__(self) -> None:
        self._building, self._betsy = Building(), Betsy()
        self._others: dict[Phase, PlayedPhase] = {
            Phase.SETTING_UP: SettingUp(),
            Phase.DRAWING: Drawing(),
            Phase.DISCARDING: Discarding(),
            Phase.PUTTING: Piles(),
            Phase.LAYING_OPEN: Hands(),
            Phase.OVER: Over(),
        }

    def of(self, desk: Desk) -> PlayedPhase:
        """The phase."""
        state = desk.state
        if state.phase in {Phase.ACTING, Phase.BUILDING}:
            return self._betsy if state.is_automatons_turn else self._building
        return self._others[state.phase]

    def press(self, desk: Desk, press: Pressed) -> bool:
        """Hears everything."""
        self.of(desk).press(desk, press.button)
        return True

    def screen(self, desk: Desk) -> Screen:
        """What was just remarked, and what does not work, beside what it shows."""
        return with_faults(desk, self.of(desk).screen(desk))
