"""Where Emma stands, from picture to picture."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol

from vision.arrays import Homography, Mask, Picture
from vision.outlines.outline_masks import share_changed
from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading
from vision.watching.card_memory import CardMemory
from vision.watching.table_changes import Spot
from vision.watching.unread_places import LOOKS

_CLEARLY_EMMA: Final = 0.4
"""How sure it is at least that she stands where she was seen: of 387 tables with her one had less. Where it is less she
is looked for again and again."""
_MAY_HAVE_LEFT: Final = 4.0
"""Where her place has changed by so many times the noise around it, it is looked whether she stands there still: of 188
pictures in which nothing had moved (24 decks for building) 1 in 60 had changed by more. In the four streams of 282 in
which it had gone unnoticed that she left a card, dark on dark, it had changed by 4.1 to 7.8 times."""


class LocomotiveFinder(Protocol):
    """Finds Emma on cards (``vision.reading.emma.EmmaFinder``)."""

    def find(self, picture: Picture, readings: Sequence[CardReading]) -> EmmaSighting | None:
        """Emma, if she stands on one of these cards."""

    def on_card(self, picture: Picture, reading: CardReading) -> EmmaSighting:
        """Where on this card, and how surely, she stands if she stands on it."""


class _EmmaOnCard(NamedTuple):
    """Emma, and the number of the card on which she stands."""

    serial: int
    sighting: EmmaSighting


class EmmaMemory:
    """Emma as she was seen last."""

    def __init__(self, finder: LocomotiveFinder) -> None:
        self._finder = finder
        self._last: _EmmaOnCard | None = None
        self._quarter: Picture | None = None
        """The picture that was watched last, at a quarter of its size."""
        self._there: Spot | None = None
        """Where she stands, as it looked when she was seen there last."""
        self.has_left = False
        """Whether she is not seen any more where she stood in the picture that was watched last, unless it changed."""
        self._was_ever_seen = False
        self._searches = 0

    def forget(self) -> None:
        """Forgets her."""
        self._last, self._there, self.has_left, self._was_ever_seen, self._searches = None, None, False, False, 0

    def move(self, motion: Homography) -> None:
        """Moves her in the picture, with the card on which she stands."""
        if self._last is not None:
            self._last, self._there = self._last._replace(sighting=self._last.sighting.moved(motion)), None

    def watch(self, picture: Picture, quarter: Picture, memory: CardMemory) -> bool:
        """Whether she is not seen any more where she stood, though hardly anything may have changed there.

        A dark Emma on dark cards, in the dark, shows by less than what counts as a change anywhere in a picture, of
        which ``quarter`` is the same at a quarter of its size. If so she is looked for all the same (``look``).
        """
        self._quarter, self.has_left = quarter, False
        if self._last is not None and self._there is not None and self._there.stands_out(quarter) >= _MAY_HAVE_LEFT:
            hers = [card.reading for card in memory.cards if card.serial == self._last.serial]
            seen = [self._finder.on_card(picture, card).confidence for card in hers]
            self.has_left = max(seen, default=0.0) < _CLEARLY_EMMA
            if not self.has_left:
                self._there = Spot(quarter, self._last.sighting.hidden.outline_px)
        return self.has_left

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
        is_touched = self.has_left or any(share_changed(places, card.reading.corners_px) > 0 for card in cards)
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
        self._last, self._there = found, None
        if found is not None and self._quarter is not None:
            self._there = Spot(self._quarter, found.sighting.hidden.outline_px)

    def told(self, serials: Sequence[int]) -> EmmaSighting | None:
        """Where she stands among the cards with these numbers, all that lie there."""
        return None if self._last is None else self._last.sighting._replace(card=serials.index(self._last.serial))

    def stays_on(self, places: Mask) -> int | None:
        """The number of the card on which she stands still, if only these ``places`` (h/4 × w/4) have changed."""
        return self._last.serial if self._last is not None and self._has_stayed(places) else None

    def _has_stayed(self, places: Mask) -> bool:
        """Whether she was seen clearly, and nothing has changed where she stands."""
        if self._last is None or self.has_left or self._last.sighting.confidence < _CLEARLY_EMMA:
            return False
        return share_changed(places, self._last.sighting.hidden.outline_px) == 0

    def _on_cards(self, picture: Picture, memory: CardMemory) -> _EmmaOnCard | None:
        sighting = self._finder.find(picture, [card.reading for card in memory.cards])
        return None if sighting is None else _EmmaOnCard(memory.cards[sighting.card].serial, sighting)
