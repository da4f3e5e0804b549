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

from vision.arrays import Corners, Flags, Floats32, Homography, Picture, Points
from vision.faces.exact_alignment import ExactAlignment
from vision.faces.face_prints import MOST_HIDDEN, FacePrints
from vision.faces.looks import looks_of
from vision.faces.upright_cards import UprightCards

PX_PER_MM: Final = 1.2
WHOLLY: Final = 0.8
"""From this likeness on nothing hides a card."""
_HALF_PX_PER_MM: Final = 0.6


class FacePlacer:
    """Lays on the faces of a deck."""

    def __init__(
        self,
        faces: Sequence[Picture],
        card_mm: tuple[float, float],
        most_hidden: float = MOST_HIDDEN,
        telling: Flags | None = None,
    ) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces, so much (0 to 1) of which a locomotive may hide.

        What is ``telling`` of a face (h × w) tells where exactly it lies whichever it is; all, if that is not known.
        """
        self._card_mm = card_mm
        self._fine = UprightCards(card_mm, PX_PER_MM)
        self._half = UprightCards(card_mm, _HALF_PX_PER_MM)
        self._looks = np.stack([_upright_looks(face, self._fine.size) for face in faces])
        self._fine_prints = FacePrints(self._looks, self._fine, most_hidden)
        self._alignments = [ExactAlignment(face, self._half, telling) for face in self._looks]
        self._fine_alignment = cache(lambda face: ExactAlignment(self._looks[face], self._fine, telling))

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
        fine = self._fine_alignment(face)
        warp = fine.aligned(crop, start, bare, fine.corners_mm(start))
        shown = None if bare is None else self._fine.warped(bare, warp).ravel().round()[None]
        _, (likeness,) = self._fine_prints.compared([self._fine.warped(crop, warp)], [face], shown)
        return float(likeness), self._moved(corners, warp)

    def laid_exactly(
        self,
        picture: Picture,
        corners: Corners,
        face: int,
        hidden_px: Points | None = None,
        believed: Corners | None = None,
        *,
        is_flat: bool,
    ) -> Corners:
        """Where exactly a card with this face lies that lies about as a flat one would at these corners (px, to 2 mm).

        If it ``is_flat`` there it is only shifted and turned; else how the table lies is a little in doubt. Where the
        corners of a flat one were ``believed`` to be (px) before anything that is printed told it counts as well.
        ``hidden_px`` is as in ``placed``, which takes the corners to say no more than about where a card lies.
        """
        crop, half = self._crops(picture, corners)
        bare, half_bare = self._bare(corners, hidden_px)
        believed_mm = None if believed is None else self._on_card(corners, believed)
        # What is printed on some faces alone would draw a card to where it fits, and then be read there.
        rough, fine = self._alignments[face], self._fine_alignment(face)
        start = rough.aligned(half, np.eye(3), half_bare, believed_mm, is_flat=True, is_told_by_all=False)
        known = believed_mm if is_flat else fine.corners_mm(start)
        warp = fine.aligned(crop, start, bare, known, is_flat=is_flat, is_told_by_all=False)
        return self._moved(corners, warp)

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

    def _on_card(self, corners: Corners, others: Corners) -> Corners:
        """Where other corners (px) lie on the card that lies at some: mm from its top left."""
        width, height = self._card_mm
        outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        to_card = cv2.getPerspectiveTransform(corners.astype(np.float32), outline)
        return np.asarray(cv2.perspectiveTransform(others[None].astype(np.float64), to_card)[0], np.float64)

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
