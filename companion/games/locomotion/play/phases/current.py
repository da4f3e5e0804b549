"""The phase that the game is in."""

from __future__ import annotations

from typing import Final, Protocol

from msgspec.structs import replace

from companion.games.at_table.layers import with_faults
from companion.games.events import Pressed
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.layers import Layer
from companion.games.locomotion.play.phases.automatic import Automatic
from companion.games.locomotion.play.phases.beginning import Beginning
from companion.games.locomotion.play.phases.choosing import Choosing
from companion.games.locomotion.play.phases.describing import Describing
from companion.games.locomotion.play.phases.moving import Moving
from companion.games.locomotion.play.phases.over import Over
from companion.games.locomotion.play.phases.preparing import Preparing
from companion.games.locomotion.play.phases.puzzle import ChoosingPuzzle
from companion.games.locomotion.play.phases.rolling import Rolling
from companion.games.locomotion.rules import Phase
from companion.screen.screen import Screen
from hardware.buttons import Button


class PlayedPhase(Protocol):
    """A phase of the game at the table."""

    def watch(self, desk: Desk) -> bool:
        """Accepts what lies there; says whether the game has gone on."""

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:
        """A button was pressed."""

    def screen(self, desk: Desk) -> Screen:
        """What is to be seen."""


_TURNS: Final = {Phase.ROLLING, Phase.CHOOSING, Phase.MOVING}


class CurrentPhase(Layer):
    """The phase that the game is in: it lies at the bottom, and hears what is for nobody above."""

    def __init__(self) -> None:
        self._choosing_puzzle, self._preparing, self._automatic = ChoosingPuzzle(), Preparing(), Automatic()
        self._describing = Describing()
        self._others: dict[Phase, PlayedPhase] = {
            Phase.DRAWING_LOTS: Beginning(),
            Phase.ROLLING_OFF: Beginning(),
            Phase.ROLLING: Rolling(),
            Phase.CHOOSING: Choosing(),
            Phase.MOVING: Moving(),
            Phase.OVER: Over(),
        }

    def of(self, desk: Desk) -> PlayedPhase:
        """The phase."""
        if desk.draft is not None:
            return self._describing
        if not desk.has_begun:
            return self._choosing_puzzle if desk.chooses_puzzle else self._preparing
        phase = desk.state.phase
        return self._automatic if phase in _TURNS and desk.is_automatic else self._others[phase]

    def press(self, desk: Desk, press: Pressed) -> bool:
        """Hears everything."""
        self.of(desk).press(desk, press.button, held=press.held)
        return True

    def screen(self, desk: Desk) -> Screen:
        """What was just remarked, and what does not work, beside what it shows; a remark has the room of the map."""
        shown = with_faults(desk, self.of(desk).screen(desk))
        return replace(shown, map=None) if desk.notice else shown

    def close(self) -> None:
        """Nobody thinks any more."""
        self._automatic.close()
