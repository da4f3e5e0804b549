"""Doubts about cards that people have answered: these cards are right."""

from __future__ import annotations

from collections.abc import Sequence

from companion.teaching.lesson import Lesson
from companion.teaching.taught_deck import CardDoubt, Reason


class AcceptedDoubts:
    """What was said of doubts about the cards of a lesson; the deck may be made anew and doubt the same."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._accepted: set[tuple[int, Reason]] = set()
        """Of cards by their numbers: indices change where one is taken out."""

    def add(self, doubt: CardDoubt) -> None:
        """That card is right."""
        self._accepted.add((self._lesson.cards[doubt.card].number, doubt.reason))

    def left_of(self, doubts: Sequence[CardDoubt]) -> tuple[CardDoubt, ...]:
        """Those of which nothing has been said."""
        numbers = [card.number for card in self._lesson.cards]
        return tuple(doubt for doubt in doubts if (numbers[doubt.card], doubt.reason) not in self._accepted)

    def forget_gone(self) -> None:
        """What was said counts for cards that are there: a number may be given again."""
        numbers = {card.number for card in self._lesson.cards}
        self._accepted = {answer for answer in self._accepted if answer[0] in numbers}
