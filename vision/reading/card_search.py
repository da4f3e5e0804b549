"""The search for the cards of a picture: where keypoints, outlines and rails say that one may lie.

The first cards that are found tell how the table lies, and so where and how large the others are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Picture, Region
from vision.faces.alignment import Fit
from vision.outlines.outlines import SEARCHED_PX, card_outlines
from vision.reading.card_names import CardNames
from vision.reading.doubtful_cards import DoubtfulCards
from vision.reading.found_cards import SURE_OF_THE_TABLE, is_one_of
from vision.reading.keypoint_search import KeypointSearch
from vision.reading.learnt_deck import LearntDeck
from vision.reading.place_search import PlaceSearch
from vision.reading.rail_search import follow_rails
from vision.reading.recognition import FAINTLY_PROMISING
from vision.reading.searched_picture import Part, SearchedPicture
from vision.reading.trials import Trials

_KEYPOINTS_WIDTH: Final = 460
"""How many px wide the picture is made in which keypoints are looked for."""
_CLOSER_WIDTH: Final = 656
"""The same where few cards were found, or only a part has to be looked at."""
_CLOSEST_SCALE: Final = 0.6
"""The scale at which they are looked for where hardly any card was found even then: pale print shows no sooner."""
_KEYPOINTS_SCALE: Final = 0.4
"""The largest at which keypoints are looked for at first, and the smallest at which they are a second time."""
_FEW: Final = 2
_LESS_LIKELY: Final = 0.1
"""So much less a card may look like itself where a flat one would lie; else it is bent, or the table badly known."""
_OUTLINED_PX: Final = 27
"""So many px a card's shorter side has at least where outlines are looked for, if the table is known."""
_OUTLINE_SPREAD: Final = 0.3
_QUITE_SURE: Final = 1.75
"""From this evidence on nothing better is looked for at a place that is told by its outline."""


class CardSearch:
    """A search for cards in one picture."""

    def __init__(
        self, picture: Picture, deck: LearntDeck, known: Sequence[Fit], regions: Sequence[Region] | None
    ) -> None:
        """``known`` cards are found already, others are looked for in these regions, or everywhere."""
        self._picture = SearchedPicture(picture, regions)
        self._deck = deck
        self._trials = Trials(self._picture, deck, known)
        self._cards = self._trials.cards
        self._keypoints = KeypointSearch(deck, self._trials)
        self._seen = PlaceSearch(deck, self._trials)
        self._doubtful = DoubtfulCards(deck, self._trials)
        self._names = CardNames(picture, deck)

    def find_all(self) -> list[Fit]:
        """All cards of the picture, those that are known first."""
        if self._seen.read_plain():
            follow_rails(self._trials, self._deck.ways_on)
        else:
            self._find_printed()
            self._seen.find()
        if self._deck.has_rails:  # else there is no Emma
            self._doubtful.judge_faint()
        if self._doubtful.are_blank():
            return []
        hers = self._doubtful.find_hers() if self._deck.has_rails else None
        return self._names.named(
            [self._flat(fit) for fit in self._cards.all],
            [not is_one_of(fit, self._cards.known) for fit in self._cards.all],
            [hers if hers is not None and fit is hers.fit else None for fit in self._cards.all],
        )

    def _find_printed(self) -> None:
        """Finds cards by what is printed on them, and by their outlines."""
        widest = max(self._picture.size)
        first = min(_KEYPOINTS_SCALE, _KEYPOINTS_WIDTH / widest)
        closer = min(1.0, max(_KEYPOINTS_SCALE, _CLOSER_WIDTH / widest))
        for scale in (closer,) if self._picture.is_part else dict.fromkeys((first, closer)):
            self._keypoints.find_at(scale)
            if len(self._cards.wholly_seen()) > _FEW:
                break
        if len(self._cards.all) <= _FEW and not self._picture.is_part:
            self._keypoints.find_at(_CLOSEST_SCALE)
        self._find_outlined()
        if not self._cards.all:
            self._keypoints.find_by_other_guesses()

    def _find_outlined(self) -> None:
        """Finds cards that lie by themselves, and show too few keypoints."""
        found = len(self._cards.all)
        px_per_mm = self._cards.viewpoint().px_per_mm() if len(self._cards.wholly_seen()) > _FEW else None
        scale = min(1.0, SEARCHED_PX / max(self._picture.size))
        if px_per_mm is not None:
            scale = min(scale, _OUTLINED_PX / (px_per_mm[0] * min(self._deck.shape.card_mm)))
        for part in self._picture.parts(scale, self._picture.size[0]):
            if not (self._picture.is_part and self._is_explained(part)):
                self._try_outlines(part, px_per_mm)
        if len(self._cards.all) > found:
            self._keypoints.find_others()

    def _try_outlines(self, part: Part, px_per_mm: tuple[float, float] | None) -> None:
        """Tries the outlines in a part of the picture; ``px_per_mm`` are the smallest and the largest, if known."""
        scale = part.scale
        seen_px_per_mm = None if px_per_mm is None else (px_per_mm[0] * scale, px_per_mm[1] * scale)
        for outline in card_outlines(part.picture, self._deck.shape.card_mm, px_per_mm=seen_px_per_mm):
            corners = (outline + part.corner + 0.5) / scale - 0.5
            if not self._trials.is_free(corners, _QUITE_SURE) or not self._cards.are_as_large(corners, _OUTLINE_SPREAD):
                continue
            # An outline is seldom exact: one side may be its neighbour's, or a stripe of the table.
            place = self._cards.straight(corners) if self._cards.all else corners
            if not self._trials.try_at(place, is_size_known=bool(self._cards.all)):
                # In the dark a card that Emma hides promises nothing, and can be read.
                least = FAINTLY_PROMISING if self._cards.are_plain() else -np.inf
                self._trials.add(self._trials.recognizer.from_afar(corners, least=least))

    def _is_explained(self, part: Part) -> bool:
        """Whether a new card was found in this part of the picture."""
        return any(part.holds(fit.corners.mean(axis=0)) for fit in self._cards.new())

    def _flat(self, fit: Fit) -> Fit:
        """The card as a flat one of the right size lies there, if that looks about as much like it."""
        if len(self._cards.wholly_seen()) < SURE_OF_THE_TABLE or is_one_of(fit, self._cards.known):
            return fit
        flat = self._cards.straight(fit.corners)
        as_flat = self._deck.patterns.likeness(self._picture.half, flat, fit.face)
        return fit._replace(corners=flat) if as_flat > fit.pattern - _LESS_LIKELY else fit
