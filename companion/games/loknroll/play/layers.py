"""Who is seen and who hears the buttons: one order for both, the most urgent first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.at_table import layers
from companion.games.at_table.desk import PlayDesk
from companion.games.events import Pressed
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.corrections import correct, put_in_place
from companion.games.loknroll.play.dialogs.looking import look
from companion.games.loknroll.play.dialogs.taking_back import take_back
from companion.games.loknroll.play.trouble import accept, trouble, trouble_lines
from companion.games.loknroll.rules import Phase
from companion.games.loknroll.rules.setting_up import railway_is_ready
from companion.games.loknroll.table.maps import railway_map
from companion.screen.screen import Screen
from hardware.buttons import Button

Layer = layers.Layer[Desk]


class FallingWheels(layers.FallingDice):
    """The wheel dice."""

    def told(self, desk: PlayDesk, dice: Sequence[int]) -> str:
        """How many wheels they show."""
        return desk.word("wheels", count=sum(dice))


class Shortcuts(Layer):
    """Keys that mean the same whatever is seen: PASS held corrects, BACK takes back. Nothing of them is to be seen."""

    def press(self, desk: Desk, press: Pressed) -> bool:
        """Hears PASS if it is held, and BACK."""
        if press.button is Button.PASS and press.held:
            correct(desk)
        elif press.button is Button.BACK and desk.early.button is not None:
            desk.early.drop()
        elif press.button is Button.BACK and not (desk.state.phase is Phase.LAYING_OPEN and desk.hand):
            take_back(desk, held=press.held)
        else:
            return False
        return True


class Objecting(Layer):
    """Something is wrong with a card that lies there.

    Where the card may stay as it lies, ROLL says so to the automaton's phase; if there is trouble as well, which is not
    seen then, ROLL accepts that first.
    """

    def is_up(self, desk: Desk) -> bool:
        """While the card lies there so."""
        return desk.objection is not None

    def press(self, desk: Desk, press: Pressed) -> bool:
        """PASS: it is another card. ROLL: it lies right."""
        objection = desk.objection
        if press.button is Button.PASS:
            correct(desk)
        elif objection is None or press.button is not Button.ROLL or objection.can_stay:
            return False
        elif objection.is_place:
            put_in_place(desk)
        else:
            desk.remark(desk.word("first-away", card=desk.state.setup.deck[objection.card.face]))
            desk.sound("wrong")
        return True

    def screen(self, desk: Desk) -> Screen | None:
        """What is wrong with it, and where it should lie."""
        objection = desk.objection
        if objection is None:
            return None
        can_stay = objection.is_place or objection.can_stay
        keys = (desk.word("key-keep") if can_stay else "", desk.word("key-other"), desk.word("key-look"), "", "")
        face = desk.state.setup.deck[objection.card.face]
        picture = railway_map(desk.state, marked=objection.marked) if objection.marked else None
        if objection.can_stay and desk.choice is not None:
            picture = railway_map(desk.state, face, desk.choice.placement)
        heading = desk.word("wrong-card", card=desk.word.apart([face], desk.state.railway.faces))
        away = "" if can_stay else desk.word("first-away", card=face)
        lines = tuple(line for line in ((desk.notice,) if desk.notice else (away, objection.advice)) if line)
        return Screen(heading=heading, main=objection.text, lines=lines, map=picture, keys=keys, alert=True)


class Disorder(Layer):
    """The table does not lie as it must.

    PASS and DOWN are for the phase below, though its keys are not seen: people need not tidy up first.
    """

    def is_up(self, desk: Desk) -> bool:
        """Once it has been so for a while."""
        return bool(trouble(desk))

    def press(self, desk: Desk, press: Pressed) -> bool:
        """ROLL: it is right so."""
        if press.button is Button.ROLL:
            accept(desk)
        return press.button is Button.ROLL

    def screen(self, desk: Desk) -> Screen:
        """What is wrong, the most important large."""
        first, *rest = trouble_lines(desk, trouble(desk))
        keys = (desk.word("key-right"), "", desk.word("key-look"), "", "")
        return Screen(heading=desk.name, main=first, lines=tuple(rest), map=None, keys=keys, alert=True)


class Looking(Layer):
    """UP opens what can be looked at, but where the phase chooses with the arrows. Who is seen names the key.

    Disorder names it also over penalty cards, where UP chooses among those.
    """

    def is_up(self, desk: Desk) -> bool:
        """Where the phase does not choose with the arrows."""
        phase = desk.state.phase
        return phase is not Phase.PUTTING and not (phase is Phase.SETTING_UP and railway_is_ready(desk.state))

    def press(self, desk: Desk, press: Pressed) -> bool:
        """Hears UP."""
        if press.button is Button.UP:
            look(desk)
        return press.button is Button.UP


OVER_THE_PHASE: Final[tuple[Layer, ...]] = (
    layers.Unrecorded(),
    layers.OpenDialog(),
    FallingWheels(),
    Shortcuts(),
    Objecting(),
    Disorder(),
    Looking(),
)
"""What lies over the phase of the game, from top to bottom."""
