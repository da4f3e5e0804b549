"""Reads a picture: which cards lie there, where, and which way round."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Corners, Picture, Region
from vision.cards import Deck
from vision.deck_pictures import EmmaPicture
from vision.faces.fit import Fit
from vision.outlines.place_finder import Place
from vision.reading.card_names import CardNames
from vision.reading.card_search import find_cards
from vision.reading.emma import EmmaFinder, EmmaSighting
from vision.reading.emmas_card import Stand
from vision.reading.learnt_deck import learnt
from vision.reading.searched_picture import Changed, SearchedPicture, resized
from vision.reading.seen_places import places_of

_LARGEST_PX: Final = 2000
"""Larger pictures are made smaller first: they would only take more memory."""
_AROUND_PX: Final = 8


class CardReading(NamedTuple):
    """A card that was read: its face's id, its corners (4 × 2, px, of the upright face), and how sure it is.

    ``likeness`` is from -1 to 1, ``lead`` by how much its face fits better than any other. ``others`` are faces that
    it may have as well, the likeliest first: where there are some, it cannot be told from this picture.
    ``probability`` (0 to 1) is that of its face being right. ``odds`` are those of all faces where they were told, as
    logarithms: by the picture, and by how many such cards are left.
    """

    face: str
    corners_px: Corners
    likeness: float
    lead: float
    others: tuple[str, ...] = ()
    probability: float = 1.0
    odds: tuple[tuple[str, float, float], ...] = ()


class Reader:
    """Reads pictures of tables with one deck."""

    def __init__(
        self,
        deck: Deck,
        faces: Mapping[str, Picture],
        back: Picture | None = None,
        emma: EmmaPicture | None = None,
    ) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces by their ids; raises DeckError where they are plain.

        With a picture of the ``back``, a card that lies face down is never taken for a face, however much alike.
        With one of ``emma`` it is she who is looked for, and no other locomotive.
        """
        self.deck = deck
        self._learnt = learnt(deck, faces, back, emma)

    @property
    def emma_finder(self) -> EmmaFinder:
        """What finds Emma on the cards that were read: of the same picture it knows already what was seen on most."""
        return self._learnt.emma

    def read(
        self,
        picture: Picture,
        known: Sequence[CardReading] = (),
        changed: Changed | None = None,
        before: Sequence[CardReading] = (),
        *,
        is_emma_known: bool = False,
    ) -> list[CardReading]:
        """Every card in a picture (B, G, R), those that are known first.

        ``known`` cards are taken to lie where they were read before, and say how the table lies. Others are looked for
        only where the picture has ``changed``, if that is told, and first where some lay ``before``. On them Emma may
        stand unless it ``is_emma_known`` that she stands on a card that is known.
        """
        factor = min(1.0, _LARGEST_PX / max(picture.shape[:2]))
        fits = [self._fit(card._replace(corners_px=card.corners_px * factor)) for card in known]
        lay = [card.corners_px * factor for card in before]
        shrunk = None if changed is None else changed._replace(regions=_shrunk(changed.regions, factor))
        searched = SearchedPicture(resized(picture, factor), shrunk)
        found = find_cards(searched, self._learnt, fits, lay, is_emma_known=is_emma_known)
        return [*known, *(self._reading(fit, factor) for fit in found[len(known) :])]

    def places(
        self, picture: Picture, known: Sequence[CardReading], regions: Sequence[Region] | None = None
    ) -> list[Place]:
        """Where cards as large as those that are known seem to lie, in all of a picture or in these regions.

        That is told whatever is printed on them, and at least one has to be known.
        """
        factor = min(1.0, _LARGEST_PX / max(picture.shape[:2]))
        corners = np.array([card.corners_px * factor for card in known])
        card_px = float(np.linalg.norm(np.roll(corners, 1, axis=1) - corners, axis=2).mean())
        changed = None if regions is None else Changed(_shrunk(regions, factor))
        seen = places_of(SearchedPicture(resized(picture, factor), changed), card_px)
        return [place._replace(corners=place.corners / factor) for place in seen.places]

    def named_anew(
        self, picture: Picture, cards: Sequence[CardReading], which: Collection[int], emma: EmmaSighting | None
    ) -> list[CardReading]:
        """All cards that lie in a picture, of which some (their indices) are named by it, wherever they were read.

        What ``emma`` hides of her card tells nothing.
        """
        fits = [self._fit(card) for card in cards]
        stands: list[Stand | None] = [None] * len(fits)
        if emma is not None:
            stands[emma.card] = Stand(fits[emma.card], emma.hidden, emma.confidence)
        named = CardNames(picture, self._learnt).named(fits, [index in which for index in range(len(fits))], stands)
        return [self._reading(fit, 1.0) if index in which else cards[index] for index, fit in enumerate(named)]

    def still_there(self, picture: Picture, card: CardReading) -> float:
        """How much (-1 to 1) a card still looks like itself at the very place where it was read."""
        # From an even pixel on: halved, the part has the very pixels of the halved picture in which the card was read.
        left, top = np.maximum(card.corners_px.min(axis=0) - _AROUND_PX, 0).astype(int) // 2 * 2
        right, bottom = np.maximum(card.corners_px.max(axis=0) + _AROUND_PX, 0).astype(int)
        part = picture[top:bottom, left:right]
        if min(part.shape[:2]) < 2:
            return -1.0
        fit = self._fit(card)
        return self._learnt.patterns.likeness(resized(part, 0.5), fit.corners - (left, top), fit.face)

    def _reading(self, fit: Fit, factor: float) -> CardReading:
        ids = self._learnt.ids
        others = tuple(ids[face] for face in fit.others)
        odds = tuple((ids[face], by_picture, by_deck) for face, by_picture, by_deck in fit.odds)
        return CardReading(ids[fit.face], fit.corners / factor, fit.likeness, fit.lead, others, fit.probability, odds)

    def _fit(self, card: CardReading) -> Fit:
        face = self._learnt.ids.index(card.face)
        return Fit(face, card.corners_px, card.likeness, surprise=np.inf, pattern=1.0)


def _shrunk(regions: Sequence[Region], factor: float) -> list[Region]:
    return [Region(*(round(side * factor) for side in region)) for region in regions]
