"""Chaos cards shown to the camera, or entered, and the end of such a turn."""

from __future__ import annotations

from typing import Final

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.another import ask_whether_another
from companion.games.loknroll.play.laying import is_near, tidied
from companion.games.loknroll.play.phases.building import enter_card
from companion.games.loknroll.rules import Discard, EndTurn
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Face, Kind
from vision.watching.table_reading import SeenCard

LAST_SECONDS: Final = 3.0
"""So long after a chaos card has been taken away another one may follow in the same turn."""


class Combining:
    """Whether a chaos card is combined with the top of the pile."""

    def __init__(self, face: Face) -> None:
        """The card that is discarded."""
        self._face = face

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """Yes or no."""
        if button in {Button.ROLL, Button.PASS}:
            desk.do(Discard(self._face.id, combine=button is Button.ROLL))
        elif button is Button.BACK:
            desk.dialog = None

    def screen(self, desk: Desk) -> Screen:
        """What is to be seen."""
        main = desk.word("combine", card=self._face, top=desk.state.player.top)
        keys = (desk.word("key-yes"), desk.word("key-no"), "", "", desk.word("key-back"))
        return Screen(heading=desk.name, main=main, keys=keys)


def shown(desk: Desk, card: SeenCard) -> bool:
    """A chaos card lies on the table; says whether the game has gone on."""
    face = desk.state.setup.deck[card.face]
    if not desk.game.can(Discard(face.id)):
        return False
    discard(desk, face)
    desk.memory.deal(card)
    desk.sound("right")
    return True


def _again(desk: Desk, card: SeenCard) -> None:
    shown(desk, card)


def discard(desk: Desk, face: Face) -> None:
    """Discards a chaos card; asks where there is a choice."""
    top = desk.state.player.top
    combines = top is not None and top.value == face.value
    if combines and not desk.settings.puts_by_itself:
        desk.dialog = Combining(face)
        desk.sound("right")
    else:
        desk.do(Discard(face.id, combine=combines))


class Discarding:
    """DISCARDING: another chaos card, or the end of the turn."""

    def watch(self, desk: Desk) -> bool:
        """Ends the turn once no chaos card lies there any more."""
        if desk.state.player.hand == 0:
            desk.do(EndTurn())
            return True
        table = tidied(desk)
        if table is None:
            return False
        deck, railway = desk.state.setup.deck, desk.state.railway
        fresh = desk.memory.fresh(table)
        chaos = [card for card in fresh if deck[card.face].kind is Kind.CHAOS]
        if chaos:
            return shown(desk, chaos[0])
        ask_whether_another(desk, lambda card: desk.game.can(Discard(card.face)), _again)
        is_shown = any(deck[card.face].kind is Kind.CHAOS for card in table.new)
        is_building = any(is_near(railway, deck[card.face], card) for card in fresh)
        if is_building or (not is_shown and desk.memory.quiet_seconds(desk.now) >= LAST_SECONDS):
            desk.do(EndTurn())
            return True
        return False

    def press(self, desk: Desk, button: Button) -> None:
        """ROLL: no more. PASS: it was another card; without a camera, one more."""
        if button is Button.ROLL:
            desk.do(EndTurn())
        elif button is Button.PASS and desk.is_blind:
            enter_card(desk)
        elif button is Button.PASS:
            from companion.games.loknroll.play.dialogs.corrections import correct

            correct(desk)

    def screen(self, desk: Desk) -> Screen:
        """What has been discarded."""
        (put,) = desk.state.outcome.put or (None,)
        main = "" if put is None else desk.word("combined" if put.combined else "discarded", card=put.face)
        other = desk.word("key-more-cards" if desk.is_blind else "key-other")
        keys = (desk.word("key-done"), other, desk.word("key-look"), "", desk.word("key-back"))
        return Screen(heading=desk.name, main=main, lines=(desk.word("more-chaos"),), keys=keys)
