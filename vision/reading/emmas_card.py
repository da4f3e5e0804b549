"""The card on which Emma stands: a part of it is hidden, and what shows of it tells its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from vision.arrays import Corners
from vision.faces.fit import Fit
from vision.faces.hidden_map import HiddenMap
from vision.reading.found_cards import FoundCards
from vision.reading.learnt_deck import LearntDeck
from vision.reading.recognition import Recognizer
from vision.reading.searched_picture import SearchedPicture
from vision.reading.seen_places import edged

_TRIED: Final = 6
"""So many faces are laid onto a card of which she hides a part: her own outline makes others alike."""
_HERS: Final = 0.9
"""How surely (to 1) she has to stand at a place at which no card was read: of four of her cards the least had 0.999."""
_A_FACE: Final = -4.6
"""As a logarithm, 1 in 100: how probable it has to be by what shows there that one of the deck's faces lies there. Of
four of her cards on 120 tables of 40 decks for building the least had -1.2; of twelve sheets without a face the most
had -10, and of eleven piles on which she was put -11."""
_PERHAPS: Final = 0.5
"""If she does so less surely beside one face, no other one is laid on."""
_EDGES: Final = 0.5
"""From this probability on a card lies where its edges are seen."""
_MOST_PLACES: Final = 8
"""So many are looked at."""


class Stand(NamedTuple):
    """A card that carries Emma, what she hides, and how surely (to 1) she does."""

    fit: Fit
    hidden: HiddenMap
    confidence: float


class _Card(NamedTuple):
    """A card that may carry Emma."""

    face: str
    corners_px: Corners


class EmmasCard:
    """Looks for Emma's card in one picture."""

    def __init__(self, picture: SearchedPicture, deck: LearntDeck, cards: FoundCards, recognizer: Recognizer) -> None:
        """``cards`` are those that were found; hers is added to them if it was not."""
        self._searched = picture
        self._picture = picture.whole
        self._deck = deck
        self._cards = cards
        self._recognizer = recognizer

    def find(self, unread: Iterable[Corners]) -> Stand | None:
        """The card on which she stands; None if there is none.

        Where she stands plainly on none of the cards that were found, she may hide which card lies at one of the
        places (4 × 2, px) where one was seen but not ``unread``, or to which rails lead.
        """
        stand = self.stand_among(self._cards.all) if self._cards.all else None
        if stand is not None:
            return stand
        beside = (place for fit in self._cards.all for place in self._cards.beside(fit))
        free = [place for place in (*unread, *beside) if self._cards.leave_free(place)]
        face_down = [fit.corners for fit in self._cards.face_down]
        places = [near for place in free[:_MOST_PLACES] for near in self._about(place)]
        stands = [self.under(place) for place in (*places, *face_down)]
        plainly = [one for one in stands if one.confidence >= _HERS and self._shows_a_face(one.fit.corners)]
        hers = max(plainly, key=lambda one: one.confidence, default=None)
        return hers if hers is not None and self._cards.add(hers.fit) else None

    def _shows_a_face(self, corners: Corners) -> bool:
        """Whether what shows beside her may be a face of the deck; else she may stand on anything, or on its back."""
        card = self._recognizer.read([corners])
        return card is not None and card.seen.faces.max() >= _A_FACE and self._cards.are_as_large(corners)

    def _about(self, place: Corners) -> list[Corners]:
        """The place, and where the edges of a card are seen about it."""
        edges = edged(self._searched, place)
        return [edges.corners, place] if edges.probability >= _EDGES else [place]

    def stand_among(self, fits: Sequence[Fit]) -> Stand | None:
        """The one of these cards on which she stands."""
        cards = [_Card(self._deck.ids[fit.face], fit.corners) for fit in fits]
        emma = self._deck.emma.find(self._picture, cards)
        return None if emma is None else Stand(fits[emma.card], emma.hidden, emma.confidence)

    def under(self, corners: Corners) -> Stand:
        """Which face lies there if she stands on it: the one most like what she leaves to be seen.

        Its likeness is that of what shows.
        """
        fits = self._recognizer.likeliest(corners, self._deck.tracks, _TRIED)
        first = self._on(fits[0])
        # Whether she stands there hardly depends on which face is taken to lie under her.
        if first.confidence < _PERHAPS:
            return first
        stands = [first, *map(self._on, fits[1:])]
        shown = [self._recognizer.partly_hidden(stand.fit, stand.hidden.outline_px) for stand in stands]
        likeliest = max(range(len(shown)), key=lambda index: shown[index].likeness)
        return stands[likeliest]._replace(fit=shown[likeliest])

    def _on(self, fit: Fit) -> Stand:
        """The card if she stands on it."""
        emma = self._deck.emma.on_card(self._picture, _Card(self._deck.ids[fit.face], fit.corners))
        return Stand(fit, emma.hidden, emma.confidence)
