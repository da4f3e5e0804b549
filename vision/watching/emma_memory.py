"""Where Emma stands, from picture to picture."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol

from vision.arrays import Homography, Mask, Picture
from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading
from vision.watching.card_memory import LOOKS, CardMemory
from vision.watching.table_changes import share_changed

_CLEARLY_EMMA: Final = 0.4
"""How sure it is at least that she stands where she was seen: of 387 tables with her one had less. Where it is less she
is looked for again and again."""


class LocomotiveFinder(Protocol):
    """Finds Emma on cards (``vision.reading.emma.EmmaFinder``)."""

    def find(self, picture: Picture, readings: Sequence[CardReading]) -> EmmaSighting | None:
        """Emma, if she stands on one of these cards."""


class _EmmaOnCard(NamedTuple):
    """Emma, and the number of the card on which she stands."""

    serial: int
    sighting: EmmaSighting


class EmmaMemory:
    """Emma as she was seen last."""

    def __init__(self, finder: LocomotiveFinder) -> None:
        self._finder = finder
        self._last: _EmmaOnCard | None = None
        self._was_ever_seen = False
        self._searches = 0

    def forget(self) -> None:
        """Forgets her."""
        self._last, self._was_ever_seen, self._searches = None, False, 0

    def move(self, motion: Homography) -> None:
        """Moves her in the picture, with the card on which she stands."""
        if self._last is not None:
            self._last = self._last._replace(sighting=self._last.sighting.moved(motion))

    def look(
        self,
        picture: Picture,
        memory: CardMemory,
        places: Mask,
        expected: Collection[str],
        *,
        is_first: bool,
        has_moved: bool,
    ) -> None:
        """Finds her if something has changed on a card (``places``, h/4 × w/4), or all has moved.

        Where none of the cards carries her any more, one may have been missed: then ``memory`` looks once more for
        cards, as soon as she was ever seen; in the first picture if there are cards enough for a game.
        """
        cards = memory.cards
        if self._last is not None and all(card.serial != self._last.serial for card in cards):
            self._last = None
        is_touched = any(share_changed(places, card.reading.corners_px) > 0 for card in cards)
        if not cards or not (is_touched or has_moved) or (self._has_stayed(places) and not has_moved):
            return
        found = self._on_cards(picture, memory)
        may_be_there = self._was_ever_seen or (is_first and len(cards) > 1)
        if found is None and may_be_there and self._searches < LOOKS:
            self._searches += 1
            memory.read_besides(picture, expected)
            found = self._on_cards(picture, memory)
        if found is not None:
            self._searches, self._was_ever_seen = 0, True
        self._last = found

    def told(self, serials: Sequence[int]) -> EmmaSighting | None:
        """Where she stands among the cards with these numbers, all that lie there."""
        return None if self._last is None else self._last.sighting._replace(card=serials.index(self._last.serial))

    def stays_on(self, places: Mask) -> int | None:
        """The number of the card on which she stands still, if only these ``places`` (h/4 × w/4) have changed."""
        return self._last.serial if self._last is not None and self._has_stayed(places) else None

    def _has_stayed(self, places: Mask) -> bool:
        """Whether she was seen clearly, and nothing has changed where she stands."""
        if self._last is None or self._last.sighting.confidence < _CLEARLY_EMMA:
            return False
        return share_changed(places, self._last.sighting.hidden.outline_px) == 0

    def _on_cards(self, picture: Picture, memory: CardMemory) -> _EmmaOnCard | None:
        sighting = self._finder.find(picture, [card.reading for card in memory.cards])
        return None if sighting is None else _EmmaOnCard(memory.cards[sighting.card].serial, sighting)
