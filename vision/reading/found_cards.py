"""The cards that were found in a picture so far, and what they tell of how the table lies."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Points
from vision.faces.fit import Fit
from vision.faces.placing import WHOLLY
from vision.outlines.viewpoint import Viewpoint, estimate_viewpoint
from vision.reading.learnt_deck import LearntDeck
from vision.reading.recognition import is_card_shaped
from vision.reading.searched_picture import SearchedPicture

_ENOUGH_FOR_SIZE: Final = 2
"""So many cards that nothing hides tell how large the others are."""
SURE_OF_THE_TABLE: Final = 4
_SIZE_SPREAD: Final = 0.15
_WELL_KNOWN: Final = 0.07
"""Where a card is so much larger or smaller than the table says, its neighbours are as well."""
_LARGEST_OVERLAP: Final = 0.2
LEAST_SURPRISE: Final = -math.log(1 - 0.95)
"""As a logarithm, how improbable it has to be by what is printed there that no card of the deck lies there: of 1,108
cards on 166 tables of 60 decks for building 18 never had as much, and of 754 other places the most was 1.8."""
SURE: Final = 4 * LEAST_SURPRISE
"""A card that is surer lies just there. What is less sure is looked at once more: 12 of 22 cards that were missed on
282 tables of 94 decks for building are found by this that were not with half as much, 10 with half as much again."""
_COVERED: Final = 0.35
_COVERED_IN_DOUBT: Final = 0.6
"""So much of a place has to be covered that is taken by a card which is not sure: of two cards that lie beside one
another each is covered by half where one was read in their middle. A card covers as much of its place where it lies the
other way, 0.65 of it and more."""


class _Outlines(NamedTuple):
    """Cards, between which corners (n × 2, px) each of them lies, and where more has changed than that they came."""

    fits: list[Fit]
    least: Points
    most: Points
    shows_more: Callable[[Corners], bool]


class FoundCards:
    """The cards of a picture: those that were ``known`` before, then those that are found."""

    def __init__(self, picture: SearchedPicture, deck: LearntDeck, known: Sequence[Fit]) -> None:
        """Others are found only where the picture is looked at."""
        self.all = list(known)
        self.known = list(known)
        self.face_down: list[Fit] = []
        """Cards of which the back shows: they are none to be read, but no others lie there."""
        self._picture = picture
        self._deck = deck
        self._shape = deck.shape
        self._viewpoint_of: tuple[list[Fit], Viewpoint] | None = None
        self._outlines: _Outlines | None = None

    def wholly_seen(self) -> list[Fit]:
        """The cards that neither Emma nor a hand hides."""
        return [fit for fit in self.all if fit.likeness >= WHOLLY]

    def tell_size(self) -> bool:
        """Whether they tell how large other cards are."""
        return len(self.wholly_seen()) >= _ENOUGH_FOR_SIZE

    def add(self, fit: Fit) -> bool:
        """Adds a card of a card's shape, unless one that is known or surer lies there; those less sure have to go.

        Returns whether it was added.
        """
        if not is_card_shaped(fit.corners, self._shape.card_mm):
            return False
        if self._deck.is_back(fit.face):
            self.face_down.append(fit)
            return False
        rivals = [other for other in self.all if _overlap(fit.corners, other.corners) > _LARGEST_OVERLAP]
        if any(fit.surprise <= other.surprise or is_one_of(other, self.known) for other in rivals):
            return False
        self.all[:] = [*(kept for kept in self.all if not is_one_of(kept, rivals)), fit]
        return True

    def leave_free(self, corners: Corners) -> bool:
        """Whether a card may be found there: where the picture is looked at, and none that is sure was found.

        Where nothing has changed but that a card came which is sure, no other one has come.
        """
        if not self._picture.is_looked_at(corners.mean(axis=0)):
            return False
        fits = [*self.all, *self.face_down]
        if self._outlines is None or not _are_same(fits, self._outlines.fits):
            outlines = np.array([fit.corners for fit in fits]).reshape(-1, 4, 2)
            come = [fit.corners for fit in fits if fit.surprise >= SURE and not is_one_of(fit, self.known)]
            shows_more = self._picture.changed_besides(come)
            self._outlines = _Outlines(fits, outlines.min(axis=1), outlines.max(axis=1), shows_more)
        if not self._outlines.shows_more(corners):
            return False
        is_apart = (self._outlines.least > corners.max(axis=0)) | (self._outlines.most < corners.min(axis=0))
        near = np.flatnonzero(~(is_apart[:, 0] | is_apart[:, 1])).tolist()
        return all(
            _overlap(corners, fits[index].corners) < (_COVERED if fits[index].surprise >= SURE else _COVERED_IN_DOUBT)
            for index in near
        )

    def viewpoint(self) -> Viewpoint:
        """From where the table is seen, as those tell that nothing hides; if these are few, as all tell."""
        whole = self.wholly_seen()
        # A few that lie together tell little of a corner far off; others, hidden or dark, tell more.
        fits = whole if len(whole) >= SURE_OF_THE_TABLE else self.all
        if self._viewpoint_of is None or not _are_same(fits, self._viewpoint_of[0]):
            cards, near = np.array([fit.corners for fit in fits]), None
            if self._viewpoint_of is not None and len(self._viewpoint_of[0]) >= SURE_OF_THE_TABLE:
                near = self._viewpoint_of[1]
            viewpoint = estimate_viewpoint(cards, self._shape.card_mm, self._picture.size, near)
            self._viewpoint_of = (list(fits), viewpoint)
        return self._viewpoint_of[1]

    def straight(self, corners: Corners) -> Corners:
        """The flat card of the right size that lies most nearly there.

        It is nearer to the truth than corners that were found one by one: a card of known size on a known table has
        three degrees of freedom, not eight.
        """
        viewpoint = self.viewpoint()
        return viewpoint.in_picture(self._shape.rigid(viewpoint.on_table(corners)))

    def are_as_large(self, corners: Corners, spread: float = _SIZE_SPREAD) -> bool:
        """Whether this could be a card's outline, but for this spread (of logarithms), as far as the table is known."""
        if not self.tell_size():
            return True
        on_table = self.viewpoint().on_table(corners)
        sides = np.linalg.norm(np.roll(on_table, -1, axis=0) - on_table, axis=1)
        width, height = self._shape.card_mm
        return bool(np.abs(np.log(sides / (width, height, width, height))).max() < spread)

    def beside(self, fit: Fit) -> Corners:
        """Where in the picture (n × 4 × 2, px) cards would lie that join the rails of this one, if it is looked at."""
        ways = self._deck.ways_on[fit.face]
        # Of two cards that touch the middles are no farther apart than corners of one, seen more or less from the side.
        diagonal = float(np.linalg.norm(fit.corners[2] - fit.corners[0]))
        if not ways.size or not self._picture.is_looked_at(fit.corners.mean(axis=0), 2 * diagonal):
            return ways[:0]
        beside = ways.reshape(1, -1, 2)
        if not self.are_as_large(fit.corners, _WELL_KNOWN):
            # From a few cards in a row a viewpoint may be wrong for the next one; the card itself says it better.
            return np.asarray(cv2.perspectiveTransform(beside, self._shape.homography(fit.corners)).reshape(-1, 4, 2))
        viewpoint = self.viewpoint()
        on_table = self._shape.homography(self._shape.rigid(viewpoint.on_table(fit.corners)))
        return viewpoint.in_picture(cv2.perspectiveTransform(beside, on_table)[0]).reshape(-1, 4, 2)


def is_one_of(fit: Fit, fits: Sequence[Fit]) -> bool:
    """Whether it is among these, and not only like one of them."""
    return any(fit is other for other in fits)


def _are_same(fits: Sequence[Fit], others: Sequence[Fit]) -> bool:
    return [*map(id, fits)] == [*map(id, others)]


def _overlap(corners: Corners, others: Corners) -> float:
    """The share of a card that lies over another one."""
    outline = corners.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(outline, others.astype(np.float32))
    return float(common / max(cv2.contourArea(outline), 1.0))
