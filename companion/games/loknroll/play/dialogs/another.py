"""A card that looks like the one shown before it, after somebody's hand was there: the same, or another one?"""

from __future__ import annotations

from collections.abc import Callable

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.table.same_cards import is_same_card
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.table_reading import SeenCard


class Another:
    """The question; it is dropped when the card is taken away."""

    def __init__(self, card: SeenCard, yes: Callable[[Desk, SeenCard], object]) -> None:
        """``yes`` is done where it is another one."""
        self._card = card
        self._yes = yes

    def is_moot(self, desk: Desk) -> bool:
        """Whether the card does not lie there any more."""
        table = desk.table
        return table is not None and not any(is_same_card(self._card, card) for card in table.new)

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: yes. PASS and BACK: it is the same card."""
        if button in {Button.ROLL, Button.PASS, Button.BACK}:
            desk.close()
        if button is Button.ROLL:
            self._yes(desk, self._card)

    def screen(self, desk: Desk) -> Screen:
        main = desk.word("another", card=desk.state.setup.deck[self._card.face])
        keys = (desk.word("key-yes"), desk.word("key-no"), "", "", "")
        return Screen(main=main, keys=keys)


def ask_whether_another(
    desk: Desk, can_be: Callable[[SeenCard], bool], yes: Callable[[Desk, SeenCard], object]
) -> None:
    """Asks about a card that has been dealt with, if it was moved by a hand since and ``can_be`` another one."""
    table = desk.table
    if table is None:
        return
    for card in desk.memory.moved(table):
        desk.memory.deal(card)
        if can_be(card):
            desk.open(Another(card, yes))
            return
