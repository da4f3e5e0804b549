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
_DRAWN_MM: Final = 0.3
"""Marks of values do not tell where a card lies if they draw it farther than this where they are others: about so
exactly are cards laid on. Of 62 decks for building 12 are drawn so, one with a small numeral far from a few pale rails
by 1.3 mm: on two of its six tables a card was read wrongly, and nobody was asked. Where little draws, cards lie more
exactly with all that is printed: with no marks at all 95 % of 8,952 corners were within 0.71 mm instead of 0.67."""
_PAIRS: Final = 16
"""About so many pairs of faces tell how far."""


class FacePlacer:
    """Lays on the faces of a deck."""

    def __init__(
        self,
        faces: Sequence[Picture],
        card_mm: tuple[float, float],
        most_hidden: float = MOST_HIDDEN,
        telling: Flags | None = None,
        alike: Sequence[tuple[int, int]] = (),
    ) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces, so much (0 to 1) of which a locomotive may hide.

        ``telling`` (h × w) is what of each face is no mark of its value, ``alike`` are the pairs of faces (by their
        numbers) that differ by such marks alone.
        """
        self._card_mm = card_mm
        self._fine = UprightCards(card_mm, PX_PER_MM)
        self._half = UprightCards(card_mm, _HALF_PX_PER_MM)
        self._looks = np.stack([_upright_looks(face, self._fine.size) for face in faces])
        self._fine_prints = FacePrints(self._looks, self._fine, most_hidden)
        self._alignments = [ExactAlignment(face, self._half, telling) for face in self._looks]
        self._fine_alignment = cache(lambda face: ExactAlignment(self._looks[face], self._fine, telling))
        self._is_told_by_all = telling is None or not alike or not self._is_drawn(alike, telling)

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

        If it ``is_flat`` there it is only shifted and turned; else how the table lies is a little in doubt. Where marks
        would draw it to where they fit, and it would be read by them there, they do not count, but where the corners of
        a flat one were ``believed`` to be (px) before. ``hidden_px`` is as in ``placed``, which takes the corners to
        say no more than about where a card lies.
        """
        crop, half = self._crops(picture, corners)
        bare, half_bare = self._bare(corners, hidden_px)
        by_all = self._is_told_by_all
        believed_mm = None if believed is None or by_all else self._on_card(corners, believed)
        rough, fine = self._alignments[face], self._fine_alignment(face)
        start = rough.aligned(half, np.eye(3), half_bare, believed_mm, is_flat=True, is_told_by_all=by_all)
        known = believed_mm if is_flat else fine.corners_mm(start)
        return self._moved(corners, fine.aligned(crop, start, bare, known, is_flat=is_flat, is_told_by_all=by_all))

    def _is_drawn(self, alike: Sequence[tuple[int, int]], telling: Flags) -> bool:
        """Whether marks draw a card farther than the rest does where its face is taken for another one."""
        drawn, there, far = [], np.eye(3), self._fine.margin
        for one, other in alike[:: max(1, len(alike) // _PAIRS)]:
            looks = cv2.copyMakeBorder(self._looks[other], far, far, far, far, cv2.BORDER_REPLICATE)
            crop = np.asarray(looks, np.float32)
            # Not kept: most faces never lie on the table.
            alignment = ExactAlignment(self._looks[one], self._fine, telling)
            warps = [alignment.aligned(crop, there, is_flat=True, is_told_by_all=by_all) for by_all in (True, False)]
            drawn.append([np.abs(alignment.corners_mm(warp) - alignment.corners_mm(there)).max() for warp in warps])
        by_all, by_others = np.median(drawn, axis=0)
        return bool(by_all - by_others > _DRAWN_MM)

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
