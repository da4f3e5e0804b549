"""Reads a picture: which cards lie there, where, and which way round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.alignment import Corners, FacePatterns, Fit
from vision.cards import Deck
from vision.features import FaceFeatures, Matches, joined, likely_scales, propose
from vision.hands import Region
from vision.rails_on import WayOn, ways_on
from vision.viewpoint import Viewpoint, estimate_viewpoint, from_above

Image = NDArray[np.uint8]

LEAST_LIKENESS: Final = 0.5
"""From here on a face is taken to lie where it fits."""
_WORTH_A_TRY: Final = 0.28
_MOST_PROPOSALS: Final = 40
_MOST_FIRST_TRIES: Final = 12
_CLEAR: Final = 0.75
_ENOUGH_FIRST: Final = 2
_ENOUGH_FAILED: Final = 12
_ENOUGH_IN_A_PART: Final = 5
_SMALLEST_PART_PX: Final = 16
_AROUND_PX: Final = 8
_SURE_OF_THE_TABLE: Final = 6
_WHOLLY: Final = 0.85
_LARGEST_OVERLAP: Final = 0.2
_INSIDE: Final = 0.12


class CardReading(NamedTuple):
    """A card that was read: its face's id, its corners (4 × 2, px, of the upright face), and how sure it is.

    ``likeness`` is from -1 to 1, ``next_likeness`` that of the face which fits second best.
    """

    face: str
    corners_px: Corners
    likeness: float
    next_likeness: float


class Reader:
    """Reads pictures of tables with one deck."""

    def __init__(self, deck: Deck, faces: Mapping[str, Image]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces by their ids; raises DeckError where they are plain."""
        self.deck = deck
        self._ids = [face.id for face in deck.faces]
        pictures = [faces[face] for face in self._ids]
        self._features = FaceFeatures(pictures, deck.card_mm)
        self._patterns = FacePatterns(pictures, deck.card_mm)
        self._ways_on = ways_on(deck)

    def read(
        self, picture: Image, known: Sequence[CardReading] = (), changed: Sequence[Region] | None = None
    ) -> list[CardReading]:
        """Every card in a picture (B, G, R).

        ``known`` cards are taken to lie where they were read before, and say how the table lies. Others are looked for
        only where the picture has ``changed``, if that is told.
        """
        look = _Look(picture, self._patterns, self._ways_on, changed)
        look.found += [self._fit(card) for card in known]
        matches = joined([self._features.matches(part, 0.5, corner) for part, corner in look.parts()])
        if not look.found:
            look.find_first(matches)
        if look.found:
            look.find_others(matches)
        return [CardReading(self._ids[fit.face], fit.corners, fit.likeness, fit.next_likeness) for fit in look.found]

    def still_there(self, picture: Image, card: CardReading) -> float:
        """How much (-1 to 1) a card still looks like itself at the very place where it was read."""
        left, top = np.maximum(card.corners_px.min(axis=0) - _AROUND_PX, 0).astype(int) // 2 * 2
        right, bottom = np.maximum(card.corners_px.max(axis=0) + _AROUND_PX, 0).astype(int)
        part = picture[top:bottom, left:right]
        if min(part.shape[:2]) < 2:
            return -1.0
        fit = self._fit(card)
        return self._patterns.likeness(_halved(part), fit.corners - (left, top), fit.face)

    def _fit(self, card: CardReading) -> Fit:
        return Fit(self._ids.index(card.face), card.corners_px, card.likeness, card.next_likeness, 1.0)


class _Look:
    """One look at one picture: what has been found in it so far, and from where the table is seen."""

    def __init__(
        self,
        picture: Image,
        patterns: FacePatterns,
        ways: list[list[WayOn]],
        regions: Sequence[Region] | None,
    ) -> None:
        self.whole = picture
        self.half = _halved(picture)
        self.quarter = _halved(self.half)
        self.found: list[Fit] = []
        self._size = (picture.shape[1], picture.shape[0])
        self._patterns = patterns
        self._ways_on = ways
        self._is_part = regions is not None
        self._regions = [Region(0, 0, *self._size)] if regions is None else list(regions)

    def parts(self) -> list[tuple[Image, tuple[int, int]]]:
        """The parts of the picture, at half size, in which to look, and where they lie in it."""
        parts = []
        for region in self._regions:
            left, top = max(region.left // 2, 0), max(region.top // 2, 0)
            right, bottom = (region.left + region.width) // 2, (region.top + region.height) // 2
            part = self.half[top:bottom, left:right]
            if min(part.shape[:2]) >= _SMALLEST_PART_PX:
                parts.append((part, (left, top)))
        return parts

    def find_first(self, matches: Matches) -> None:
        """Finds a few cards when nothing is known of the table but how large most things look."""
        for px_per_mm in likely_scales(matches):
            viewpoint = from_above(self._size, px_per_mm)
            for proposal in propose(matches, viewpoint, _MOST_FIRST_TRIES):
                corners = self._patterns.corners_at(proposal.centre_mm, proposal.rotation_deg, proposal.size)
                seen = viewpoint.in_picture(corners)
                if self._is_free(seen):
                    self._try(seen, is_size_known=False)
                if len(self._wholly_seen()) == _ENOUGH_FIRST:
                    return
            if self.found:
                return

    def find_others(self, matches: Matches) -> None:
        """Finds the other cards, now that some tell how the table lies."""
        found = 0
        while found < len(self.found):
            found = len(self.found)
            self._follow_keypoints(matches, until=found + 2 if found < _SURE_OF_THE_TABLE else None)
        self._follow_rails()

    def _follow_keypoints(self, matches: Matches, until: int | None) -> None:
        """Looks where keypoints agree on a card."""
        viewpoint, failed = self._viewpoint(), 0
        for proposal in propose(matches, viewpoint, _MOST_PROPOSALS):
            seen = viewpoint.in_picture(self._patterns.corners_at(proposal.centre_mm, proposal.rotation_deg))
            if not self._is_free(seen):
                continue
            if self._try(seen):
                viewpoint, failed = self._viewpoint(), 0
            else:
                failed += 1
            if failed == (_ENOUGH_IN_A_PART if self._is_part else _ENOUGH_FAILED) or len(self.found) == until:
                return

    def _viewpoint(self) -> Viewpoint:
        """From where the table is seen, as the cards tell which are not hidden."""
        fits = self._wholly_seen() or self.found
        return estimate_viewpoint(np.array([fit.corners for fit in fits]), self._patterns.card_mm, self._size)

    def _wholly_seen(self) -> list[Fit]:
        return [fit for fit in self.found if fit.seen >= _WHOLLY]

    def _follow_rails(self) -> None:
        """Looks where the rails of the cards lead: a neighbour may be too faint to be found by itself."""
        followed: list[Fit] = []
        while fits := [fit for fit in self.found if not any(fit is other for other in followed)]:
            fit = max(fits, key=lambda fit: fit.likeness)
            followed.append(fit)
            viewpoint = self._viewpoint()
            on_table = self._patterns.homography(viewpoint.on_table(fit.corners))
            for way in self._ways_on[fit.face]:
                corners = viewpoint.in_picture(cv2.perspectiveTransform(way.corners_mm[None], on_table)[0])
                if self._is_free(corners):
                    self._try(corners, way.faces)

    def _is_free(self, corners: Corners) -> bool:
        """Whether a card may be found there: where to look, and not on another."""
        middle = corners.mean(axis=0)
        is_inside = any(
            region.left <= middle[0] < region.left + region.width
            and region.top <= middle[1] < region.top + region.height
            for region in self._regions
        )
        return is_inside and not _is_covered(middle, self.found)

    def _try(self, corners: Corners, faces: tuple[int, ...] | None = None, *, is_size_known: bool = True) -> bool:
        """Adds the card that lies about there, if one does; whether it was added."""
        near = self._patterns.near(self.half, self.quarter, corners, faces)
        if near.likeness < _WORTH_A_TRY:
            return False
        fit = self._patterns.named(
            self.whole, self.half, self._patterns.slid(self.half, near.corners, near.face, is_size_known=is_size_known)
        )
        if fit.face != near.face:
            fit = self._patterns.named(
                self.whole,
                self.half,
                self._patterns.slid(self.half, fit.corners, fit.face, is_size_known=is_size_known),
            )
        if fit.likeness < _CLEAR or not is_size_known:
            polished = self._patterns.named(
                self.whole, self.half, self._patterns.aligned(self.whole, fit.corners, fit.face)
            )
            fit = max(fit, polished, key=lambda fit: fit.likeness)
        return fit.likeness >= LEAST_LIKENESS and _is_card_shaped(fit.corners) and _settle(fit, self.found)


def _is_covered(point: NDArray[np.float64], found: list[Fit]) -> bool:
    """Whether a point lies well inside a card that was found."""
    x, y = float(point[0]), float(point[1])
    return any(
        cv2.pointPolygonTest(fit.corners.astype(np.float32), (x, y), measureDist=True) > _INSIDE * _side(fit.corners)
        for fit in found
    )


def _side(corners: Corners) -> float:
    return float(np.linalg.norm(corners[1] - corners[0]))


def _is_card_shaped(corners: Corners) -> bool:
    """Whether alignment has not run away: convex, and its opposite sides of about one length."""
    if not cv2.isContourConvex(corners.astype(np.float32)):
        return False
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    opposite = np.maximum(sides[:2] / np.maximum(sides[2:], 1e-6), sides[2:] / np.maximum(sides[:2], 1e-6))
    return bool(sides.min() > 8 and opposite.max() < 1.35)


def _settle(fit: Fit, found: list[Fit]) -> bool:
    """Adds a card, unless one that fits better lies there; those that fit worse there have to go."""
    rivals = [other for other in found if _overlap(fit, other) > _LARGEST_OVERLAP]
    if any(fit.likeness <= other.likeness for other in rivals):
        return False
    for other in rivals:
        found[:] = [kept for kept in found if kept is not other]
    found.append(fit)
    return True


def _overlap(fit: Fit, other: Fit) -> float:
    """The share of a card that lies over another one."""
    outline = fit.corners.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(outline, other.corners.astype(np.float32))
    return float(common / max(cv2.contourArea(outline), 1.0))


def _halved(picture: Image) -> Image:
    return np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
