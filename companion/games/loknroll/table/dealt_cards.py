"""Cards that lie on the table beside the railway, and have been dealt with."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from companion.games.loknroll.table.comparison import Comparison
from companion.games.loknroll.table.same_cards import is_same_card, is_unmoved
from vision.cards import Motion, Pose
from vision.watching.table_reading import SeenCard


class Dealt(NamedTuple):
    """A card that has been dealt with, how often a hand had come by then, and where the camera saw it."""

    card: SeenCard
    visits: int
    in_picture: Pose | None = None


class DealtCards:
    """Which of the cards that are new on the table are so no more; each as long as it lies there."""

    def __init__(self) -> None:
        self._dealt: list[Dealt] = []
        self._inherited: str | None = None

    def deal(self, card: SeenCard, shift: Motion, visits: int) -> None:
        """This card has been dealt with."""
        self._dealt = [each for each in self._dealt if not is_same_card(each.card, card)]
        self._dealt.append(_dealt(card, shift, visits))

    def renew(self, serial: int) -> None:
        """This card is another one than it seemed to be: it is new."""
        self._dealt = [each for each in self._dealt if each.card.serial != serial]

    def inherit(self, face: str) -> None:
        """After a restart: a card of this face was dealt with before, and may lie there still."""
        self._inherited = face

    def carry(self, table: Comparison, visits: int) -> None:
        """The cards stay dealt with when the camera is bumped, and when the railway is pushed away beside them."""
        self._dealt = [_carried(each, table, visits) for each in self._dealt]

    def tidy(self, table: Comparison, visits: int) -> None:
        """Forgets what has been taken away."""
        self._dealt = [each for each in self._dealt if any(is_same_card(each.card, other) for other in table.new)]
        if self._inherited is not None:
            lying = [card for card in table.new if card.may_be(self._inherited)]
            self._dealt += [_dealt(card, table.shift, visits) for card in lying[:1]]
            self._inherited = None

    def fresh(self, table: Comparison) -> list[SeenCard]:
        """The new cards that nothing has been done with yet."""
        return [card for card in table.new if card not in self.lying(table)]

    def lying(self, table: Comparison) -> list[SeenCard]:
        """The cards that have been dealt with and lie there still."""
        return [card for card in table.new if any(is_same_card(card, each.card) for each in self._dealt)]

    def moved(self, table: Comparison, visits: int) -> list[SeenCard]:
        """The cards dealt with that lie a little elsewhere since a hand was there."""
        return [
            card
            for card in table.new
            for each in self._dealt
            if is_same_card(each.card, card) and visits > each.visits and not is_unmoved(each.card, card)
        ]


def _dealt(card: SeenCard, shift: Motion, visits: int) -> Dealt:
    return Dealt(card, visits, shift.inverse()(card.pose).rounded())


def _carried(each: Dealt, table: Comparison, visits: int) -> Dealt:
    """The same card as it lies now.

    A bump moves all in the picture alike: in the axes of the game, which go with the railway, it lies where it lay. A
    push takes the axes away with the railway: only in the picture it lies where it lay. The hand that pushed was not
    at this card, so its visit does not count for it.
    """
    for card in table.new:
        if is_same_card(card, each.card):
            return each._replace(in_picture=table.shift.inverse()(card.pose).rounded())
    if each.in_picture is None:
        return each
    there = replace(each.card, pose=table.shift(each.in_picture).rounded())
    for card in table.new:
        if is_same_card(card, there):
            return Dealt(card, visits, each.in_picture)
    return each
