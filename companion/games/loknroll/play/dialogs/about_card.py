"""A question about a card that lies on the table, where nothing else tells what is meant by it."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.table.same_cards import is_same_card
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.table_reading import SeenCard


class AboutCard:
    """The question; it is dropped when the card is taken away."""

    def __init__(self, text: str, card: SeenCard, yes: Callable[[Desk, SeenCard], object]) -> None:
        """``yes`` is done where people say so; else nothing is done with the card as long as it lies there."""
        self._text = text
        self._card = card
        self._yes = yes

    def is_moot(self, desk: Desk) -> bool:
        """Whether the card does not lie there any more."""
        table = desk.table
        return table is not None and not any(is_same_card(self._card, card) for card in table.new)

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: yes. PASS and BACK: no."""
        if button in {Button.ROLL, Button.PASS, Button.BACK}:
            desk.close()
        if button is Button.ROLL:
            self._yes(desk, self._card)

    def screen(self, desk: Desk) -> Screen:
        keys = (desk.word("key-yes"), desk.word("key-no"), "", "", "")
        return Screen(heading=desk.name, main=self._text, keys=keys)


def ask_about(desk: Desk, text: str, card: SeenCard, yes: Callable[[Desk, SeenCard], object]) -> None:
    """Asks, once as long as the card lies there."""
    desk.memory.deal(card)
    desk.open(AboutCard(text, card, yes))


def ask_whether_another(
    desk: Desk, can_be: Callable[[SeenCard], bool], yes: Callable[[Desk, SeenCard], object]
) -> None:
    """Asks about a card that looks like the one dealt with before, if a hand has moved it and ``can_be`` is so.

    It is the same one, or another: which, is found out next where the camera cannot tell.
    """
    table = desk.table
    if table is None:
        return
    for card in desk.memory.moved(table):
        desk.memory.deal(card)
        if can_be(card):
            text = desk.word("another", card=desk.state.setup.deck[card.face])
            ask_about(desk, text, card, _renew if card.others else yes)
            return


def _renew(desk: Desk, card: SeenCard) -> None:
    desk.memory.renew(card)
