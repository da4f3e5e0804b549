"""What lies over the phase of the game, from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.at_table import layers
from companion.games.at_table.desk import PlayDesk
from companion.games.events import Pressed
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.dialogs.looking import look
from companion.games.locomotion.play.dialogs.stepping import can_step, enter_steps
from companion.games.locomotion.play.dialogs.taking_back import take_back
from companion.games.locomotion.play.trouble import trouble, trouble_screen
from companion.games.locomotion.rules import Phase
from companion.games.locomotion.rules.state import SIDES_OF_A_DIE
from companion.screen.screen import Screen
from hardware.buttons import Button

Layer = layers.Layer[Desk]


class FallingDice(layers.FallingDice):
    """The die of a turn, or those of all who roll for the beginning."""

    def told(self, desk: PlayDesk, dice: Sequence[int]) -> str:
        """One die as its number; of several the first sentence says what came of them."""
        story = desk.story
        return str(dice[0]) if len(dice) == 1 or story is None or not story.lines else story.lines[0]


class Shortcuts(Layer):
    """BACK takes back, whatever is seen."""

    def press(self, desk: Desk, press: Pressed) -> bool:
        """Hears BACK."""
        if press.button is not Button.BACK:
            return False
        if desk.early.button is not None:
            desk.early.drop()
        else:
            take_back(desk, held=press.held)
        return True


class Disorder(Layer):
    """What stands there is not what should."""

    def is_up(self, desk: Desk) -> bool:
        """Once it has been so for a while."""
        return trouble(desk) is not None

    def press(self, desk: Desk, press: Pressed) -> bool:
        """ROLL: it is right so, or cannot be. PASS, where a train is moved: people say what it does.

        What is below is not seen, and so nothing of it is changed.
        """
        is_moving = can_step(desk)
        match press.button:
            case Button.ROLL if is_moving:
                desk.sound("wrong")
            case Button.ROLL:
                desk.accept()
            case Button.PASS if is_moving:
                enter_steps(desk)
            case Button.UP:
                look(desk)
            case _:
                pass
        return True

    def screen(self, desk: Desk) -> Screen | None:
        """What is wrong, the most important large."""
        error = trouble(desk)
        return None if error is None else trouble_screen(desk, error)


class Looking(Layer):
    """UP opens what can be looked at, but where the phase chooses with the arrows."""

    def is_up(self, desk: Desk) -> bool:
        """Where the phase does not choose with the arrows."""
        if not desk.has_begun:
            return not desk.chooses_puzzle
        phase = desk.state.phase
        is_choosing = phase is Phase.CHOOSING or (phase is Phase.MOVING and desk.is_blind)
        return desk.is_automatic or not is_choosing

    def press(self, desk: Desk, press: Pressed) -> bool:
        """Hears UP."""
        if press.button is Button.UP:
            look(desk)
        return press.button is Button.UP


OVER_THE_PHASE: Final[tuple[Layer, ...]] = (
    layers.Unrecorded(),
    layers.OpenDialog(),
    FallingDice(SIDES_OF_A_DIE),
    Shortcuts(),
    Disorder(),
    Looking(),
)
