"""The card on which Emma stands: a part of it is hidden, and what shows of it tells its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Corners, Picture, Points
from vision.faces.fit import Fit
from vision.reading.found_cards import FoundCards
from vision.reading.learnt_deck import LearntDeck
from vision.reading.recognition import Recognizer

_TRIED: Final = 6
"""So many faces are laid onto a card of which she hides a part: her own outline makes others alike."""
_STANDS_PLAINLY: Final = 0.25
"""How surely Emma stands on a card at least: on 645 cards without her 0.12 was the most, and 0.28 on those of 25 other
decks; on cards with her one in twenty has less."""
_HERS: Final = 0.05
"""How surely she stands on a card that was not found, times how alike its looks and its pattern are beside what is
usual here: each by itself is fooled.

Of 1,051 false places on 194 tables of 50 decks the best had 0.048, and the next where it mattered 0.023; 16 of 18 true
ones had more than 0.05.
"""
_MOST_PLACES: Final = 8
"""So many are looked at: each is compared with several faces."""


class Stand(NamedTuple):
    """A card that carries Emma, the convex outline (n × 2, px) of what she hides, and how surely (to 1) she does."""

    fit: Fit
    hidden_px: Points
    confidence: float


class _Card(NamedTuple):
    """A card that may carry Emma."""

    face: str
    corners_px: Corners


class EmmasCard:
    """Looks for Emma's card in one picture."""

    def __init__(self, picture: Picture, deck: LearntDeck, cards: FoundCards, recognizer: Recognizer) -> None:
        """``cards`` are those that were found; hers is added to them if it was not."""
        self._picture = picture
        self._deck = deck
        self._cards = cards
        self._recognizer = recognizer

    def find(self, unread: Iterable[Corners]) -> Stand | None:
        """The card on which she stands; None if there is none.

        Where she stands plainly on none of the cards that were found, she may hide which card lies at one of the
        places (4 × 2, px) where one was seen but not ``unread``, or to which rails lead.
        """
        if not self._cards.all:
            return None
        stand = self.stand_among(self._cards.all)
        if stand is not None and stand.confidence >= _STANDS_PLAINLY:
            return stand
        usual = float(np.median([_alike(fit) for fit in self._cards.all]))
        beside = (place for fit in self._cards.all for place in self._cards.beside(fit))
        places = [place for place in (*unread, *beside) if self._cards.leave_free(place)]
        stands = [self.under(place) for place in places[:_MOST_PLACES]]
        plainly = [
            one
            for one in stands
            if one.confidence * _alike(one.fit) >= _HERS * usual and self._cards.are_as_large(one.fit.corners)
        ]
        hers = max(plainly, key=lambda one: one.confidence * _alike(one.fit), default=None)
        return stand if hers is None or not self._cards.add(hers.fit) else hers

    def stand_among(self, fits: Sequence[Fit]) -> Stand | None:
        """The one of these cards on which she stands."""
        cards = [_Card(self._deck.ids[fit.face], fit.corners) for fit in fits]
        emma = self._deck.emma.find(self._picture, cards)
        return None if emma is None else Stand(fits[emma.card], emma.outline_px, emma.confidence)

    def under(self, corners: Corners) -> Stand:
        """Which face lies there if she stands on it: the one most like what she leaves to be seen.

        Its likeness is that of what shows.
        """
        stands = []
        for fit in self._recognizer.likeliest(corners, self._deck.tracks, _TRIED):
            card = _Card(self._deck.ids[fit.face], fit.corners)
            emma = self._deck.emma.on_card(self._picture, card, self._cards.viewpoint())
            shown = self._recognizer.partly_hidden(fit, emma.outline_px)
            stands.append(Stand(shown, emma.outline_px, emma.confidence))
        return max(stands, key=lambda stand: stand.fit.likeness)


def _alike(fit: Fit) -> float:
    """How alike a card is in its looks and in its pattern."""
    return max(fit.likeness, 0.0) * max(fit.pattern, 0.0)
