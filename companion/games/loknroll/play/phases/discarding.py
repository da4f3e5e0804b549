"""Chaos cards shown to the camera, or entered, and the end of such a turn."""

from __future__ import annotations

from typing import Final

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.about_card import ask_whether_another
from companion.games.loknroll.play.dialogs.chaos_cards import shown
from companion.games.loknroll.play.dialogs.corrections import correct
from companion.games.loknroll.play.dialogs.entering import enter_card
from companion.games.loknroll.play.laying import is_near, tidied
from companion.games.loknroll.rules import Discard, EndTurn
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Kind

LAST_SECONDS: Final = 3.0
"""So long after a chaos card has been taken away another one may follow in the same turn."""


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
        ask_whether_another(desk, lambda card: desk.game.can(Discard(card.face)), shown)
        is_shown = any(deck[card.face].kind is Kind.CHAOS for card in table.new)
        is_building = any(is_near(railway, deck[card.face], card) for card in fresh)
        if is_building or (not is_shown and desk.memory.rest.quiet_seconds(desk.now) >= LAST_SECONDS):
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
            correct(desk)

    def screen(self, desk: Desk) -> Screen:
        """What has been discarded."""
        (put,) = desk.state.outcome.put or (None,)
        main = "" if put is None else desk.word("combined" if put.combined else "discarded", card=put.face)
        other = desk.word("key-more" if desk.is_blind else "key-other")
        keys = (desk.word("key-done"), other, desk.word("key-look"), "", desk.word("key-back"))
        is_boxed = put is not None and put.combined
        place = desk.word("into-box") if is_boxed else desk.word("onto-pile-of", player=desk.name)
        return Screen(heading=desk.name, main=main, lines=(desk.word("more-chaos", place=place),), keys=keys)
