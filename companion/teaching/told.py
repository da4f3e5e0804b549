"""What screens of teaching are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.teaching.face_words import face_in_words, rails_in_words
from companion.teaching.lesson import CardFacts, Photographed
from companion.texts.language import Texts
from vision.cards import Port

Subject = Photographed | int
"""The card that is spoken of: a new one, or one of the lesson by its index."""
Keys = tuple[str, str, str, str, str]


class Told(NamedTuple):
    """What screens are made of besides the step: sentences, what the cards are, and what is out of order."""

    say: Texts
    cards: Sequence[CardFacts]
    fault: str = ""

    def number(self, card: Subject) -> str:
        """Which card of the lesson is spoken of."""
        return self.say("teaching.card", number=1 + (card if isinstance(card, int) else len(self.cards)))

    def face(self, card: CardFacts) -> str:
        """What people call a card."""
        return face_in_words(self.say, card)

    def rails(self, ports: tuple[Port, ...]) -> str:
        """What people call rails that leave there."""
        return rails_in_words(self.say, ports)

    @property
    def back(self) -> str:
        """What stands above BACK."""
        return self.say("device.key-back")

    @property
    def choosing(self) -> Keys:
        """The buttons of a list."""
        return (self.say("device.key-ok"), "", "▲", "▼", self.back)
