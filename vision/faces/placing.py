"""Lays a face onto a card that lies at a known place: where exactly it lies, and how much it looks like that face.

A card is looked at in channels that lamps change little (``looks``). The face is moved to where it fits exactly
(``exact_alignment``), and what it leaves unexplained there tells how alike it is (``face_prints``, ``lamp_light``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Homography, Picture, Points
from vision.faces.exact_alignment import ExactAlignment
from vision.faces.face_prints import MOST_HIDDEN, FacePrints
from vision.faces.looks import looks_of
from vision.faces.upright_cards import UprightCards

PX_PER_MM: Final = 1.2
WHOLLY: Final = 0.8
"""From this likeness on nothing hides a card."""
_HALF_PX_PER_MM: Final = 0.6
_PLACE_DOUBT_MM: Final = 0.6
"""How far off each corner of a place is (a deviation): of 439 cards of 20 decks for building 68 % of what each corner
was off along or across were less than 0.65 where the table was known, and 0.4 of 60 others."""


class FacePlacer:
    """Lays on the faces of a deck."""

    def __init__(
        self, faces: Sequence[Picture], card_mm: tuple[float, float], most_hidden: float = MOST_HIDDEN
    ) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces, so much (0 to 1) of which a locomotive may hide."""
        self._card_mm = card_mm
        self._fine = UprightCards(card_mm, PX_PER_MM)
        self._half = UprightCards(card_mm, _HALF_PX_PER_MM)
        self._looks = np.stack([_upright_looks(face, self._fine.size) for face in faces])
        self._fine_prints = FacePrints(self._looks, self._fine, most_hidden)
        self._alignments = [ExactAlignment(face, self._half) for face in self._looks]
        self._fine_alignment = cache(lambda face: ExactAlignment(self._looks[face], self._fine, _PLACE_DOUBT_MM))

    def placed(
        self, picture: Picture, corners: Corners, face: int, hidden_px: Points | None = None, *, is_flat: bool = False
    ) -> tuple[float, Corners]:
        """How alike (-1 to 1) this face is to what shows of a card, and where exactly it would lie.

        It is turned as the corners say (px, to 2 mm); if they are those of a card that ``is_flat`` there, it is shifted
        and turned like one at first. ``hidden_px`` (n × 2) is the convex outline of what hides the rest of it, if
        anything does.
        """
        crop, half = self._crops(picture, corners)
        bare, half_bare = self._bare(corners, hidden_px)
        alignment = self._alignments[face]
        start = alignment.aligned(half, np.eye(3), is_flat=is_flat)
        start = alignment.aligned(half, start, half_bare)
        warp = self._fine_alignment(face).aligned(crop, start, bare)
        shown = None if bare is None else self._fine.warped(bare, warp).ravel().round()[None]
        _, (likeness,) = self._fine_prints.compared([self._fine.warped(crop, warp)], [face], shown)
        return float(likeness), self._moved(corners, warp)

    def laid_exactly(
        self, picture: Picture, corners: Corners, face: int, hidden_px: Points | None = None, *, is_flat: bool
    ) -> Corners:
        """Where exactly a card with this face lies that lies about as a flat one would at these corners (px, to 2 mm).

        If it ``is_flat`` there it is only shifted and turned; else how the table lies is a little in doubt.
        ``hidden_px`` is as in ``placed``, which takes the corners to say no more than about where a card lies.
        """
        crop, half = self._crops(picture, corners)
        bare, half_bare = self._bare(corners, hidden_px)
        start = self._alignments[face].aligned(half, np.eye(3), half_bare, is_flat=True)
        return self._moved(corners, self._fine_alignment(face).aligned(crop, start, bare, is_flat=is_flat))

    def _bare(self, corners: Corners, hidden_px: Points | None) -> tuple[Floats32, Floats32] | tuple[None, None]:
        """What of both crops of the card there nothing hides (1); None where nothing hides any of it."""
        if hidden_px is None:
            return None, None
        fine, half = (
            np.ones([side + 2 * cards.margin for side in cards.size[::-1]], np.float32)
            for cards in (self._fine, self._half)
        )
        goal = (self._fine.outline + self._fine.margin).astype(np.float32)
        to_crop = cv2.getPerspectiveTransform(corners.astype(np.float32), goal)
        outline = cv2.perspectiveTransform(hidden_px[None].astype(np.float64), to_crop)[0]
        cv2.fillConvexPoly(fine, outline.round().astype(np.int32), (0,))
        return fine, np.asarray(cv2.resize(fine, half.shape[::-1], interpolation=cv2.INTER_AREA), np.float32)

    def _crops(self, picture: Picture, corners: Corners) -> tuple[Floats32, Floats32]:
        """The looks of the card there in full and at half size, both with their margins."""
        fine = looks_of(self._fine.cut(picture, corners, self._fine.margin), self._fine.margin)
        size = tuple(side + 2 * self._half.margin for side in self._half.size)
        return fine, np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), dtype=np.float32)

    def _moved(self, corners: Corners, warp_mm: Homography) -> Corners:
        """The corners in the picture of the card where it was found in the crop."""
        width, height = self._card_mm
        outline = np.array([(0, 0), (width, 0), (width, height), (0, height)])
        to_picture = cv2.getPerspectiveTransform(outline.astype(np.float32), corners.astype(np.float32))
        both = np.asarray(to_picture, dtype=np.float64) @ warp_mm
        return np.asarray(cv2.perspectiveTransform(outline[None].astype(np.float64), both)[0])


def _upright_looks(face: Picture, size: tuple[int, int]) -> Floats32:
    """The looks of a face at this width and height."""
    return looks_of(np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), 0)
