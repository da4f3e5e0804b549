"""Where exactly a card lies that was read about there: a face is laid onto it wherever it may fit."""

from __future__ import annotations

from itertools import product
from typing import Final

import cv2
import numpy as np

from vision.arrays import Flags, Floats32, Mask
from vision.faces.alike.fine_print import PX_PER_MM
from vision.faces.face_patterns import unit_rows

RIM_MM: Final = 2.0
"""So near to the border of a card neighbours and shadows show."""
NEARLY_AS_ALIKE: Final = 0.15
"""A place at which so much less is alike than at the best one is none."""
BEYOND_PX: Final = 4
"""What is kept of a card beyond its border."""
_MARGIN_MM: Final = 6.0
"""So far off is a card that was laid on a sleeper beside where it lies."""
_NEAR: Final = np.ones((5, 5), np.uint8)
_SCALES: Final = (0.92, 0.96, 1.0, 1.04, 1.08)
_TURNS_DEG: Final = (-2.0, 0.0, 2.0)
_DIFFERENT_MM: Final = 1.5
_MOST_PLACES: Final = 3
_RUNS_AWAY_MM: Final = 3.5
_CUT_OUT_MM: Final = 3.0
"""So far the same spot of two faces may be off at most: more is another print."""
_ROUNDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 12, 1e-3)
_ECC_BLUR_PX: Final = 3


class Places:
    """Where cards of one size (px) may lie in what was cut out around them, with so many px as margin.

    A place is an affine matrix (2 × 3) from a face's pixels to those that were cut out.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.margin = round(_MARGIN_MM * PX_PER_MM)
        rim = round(RIM_MM * PX_PER_MM)
        self.inner = np.zeros(size[::-1], bool)
        self.inner[rim:-rim, rim:-rim] = True

    def of(self, seen: Floats32, face: Floats32, bare: Flags) -> list[Floats32]:
        """Where a face may lie in what was cut out, of which ``bare`` tells what nothing hides.

        On plain ground it may as well lie a sleeper or two farther along its rails.
        """
        mask = bare.astype(np.uint8)
        seen = seen * mask
        starts = self._starts(cv2.resize(seen, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), face)
        return [self._aligned(seen, face, mask, start) for start in starts]

    def _starts(self, seen: cv2.typing.MatLike, face: Floats32) -> list[Floats32]:
        """About where the face may lie in what was cut out, halved: where it was read, and the likeliest other places.

        Corners that were read badly make a card larger or smaller, or turn it a little.
        """
        rim = round(RIM_MM * PX_PER_MM / 2)
        small = cv2.resize(face, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        inner = small[rim:-rim, rim:-rim]
        middle = (np.array(seen.shape[1::-1]) - 1) / 2
        found: list[tuple[float, Floats32]] = []
        for scale, turn_deg in product(_SCALES, _TURNS_DEG):
            turned = cv2.getRotationMatrix2D(middle.tolist(), turn_deg, scale)
            there = cv2.warpAffine(seen, turned, seen.shape[1::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
            likeness = cv2.matchTemplate(there[rim:-rim, rim:-rim], inner, cv2.TM_CCOEFF_NORMED)
            tops = likeness == cv2.dilate(likeness, _NEAR)
            tops[[0, -1]] = tops[:, [0, -1]] = False  # at the end of its reach it has found something else
            for y, x in np.argwhere(tops):
                place = turned.copy()
                place[:, 2] += turned[:, :2] @ (x, y)
                # From halved pixels to whole ones, whose middles lie a quarter of a pixel elsewhere.
                place[:, 2] = 2 * place[:, 2] + 0.5 - 0.5 * place[:, :2].sum(axis=1)
                found.append((float(likeness[y, x]), place.astype(np.float32)))
        found.sort(key=lambda one: -one[0])
        starts: list[Floats32] = []
        for alike, place in found:
            if alike < found[0][0] - NEARLY_AS_ALIKE or len(starts) == _MOST_PLACES:
                break
            if all(self.apart_px(place, other) > _DIFFERENT_MM * PX_PER_MM for other in starts):
                starts.append(place)
        return [self.as_given, *starts]

    def apart_px(self, one: Floats32, other: Floats32) -> float:
        """How far a corner of a card is off if it lies at one of two places rather than at the other."""
        width, height = self.size
        outline = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)], np.float32)
        return float(np.abs(outline @ (one - other).T).max())

    def _aligned(self, seen: Floats32, face: Floats32, mask: Mask, start: Floats32) -> Floats32:
        """Where exactly the face lies in what was cut out, about there."""
        try:
            _, moved = cv2.findTransformECC(
                face, seen, start.copy(), cv2.MOTION_AFFINE, _ROUNDS, 255 * mask, _ECC_BLUR_PX
            )
            found = np.asarray(moved, np.float32)
        except cv2.error:  # nothing alike there
            return start
        if self.apart_px(found, start) > _RUNS_AWAY_MM * PX_PER_MM:
            return start
        # On a bent card, or where little shows, it may end at a worse place than it began.
        inside = slice(BEYOND_PX, -BEYOND_PX)
        rows = [self.laid_on(seen, place)[inside, inside][self.inner] for place in (start, found)]
        before, after, sought = unit_rows(np.stack([*rows, face[self.inner]]))
        return np.asarray(found if after @ sought > before @ sought else start, np.float32)

    @property
    def as_given(self) -> Floats32:
        """The matrix of a card that lies just where it was read."""
        return np.array([[1, 0, self.margin], [0, 1, self.margin]], np.float32)

    def laid_on(self, seen: Floats32, to_card: Floats32) -> Floats32:
        """The card as the face lies, with the margin that shifting needs."""
        width, height = (side + 2 * BEYOND_PX for side in self.size)
        matrix = to_card.copy()
        matrix[:, 2] -= to_card[:, :2] @ np.array([BEYOND_PX, BEYOND_PX], np.float32)
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        card = cv2.warpAffine(seen, matrix, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(card, np.float32)

    def between(self, face: Floats32, other: Floats32) -> Floats32:
        """Where a face lies on one that it is like: each was cut out to a part of a millimetre only."""
        start = np.eye(2, 3, dtype=np.float32)
        everything = np.full(face.shape, 255, np.uint8)
        try:
            _, found = cv2.findTransformECC(
                face, other, start.copy(), cv2.MOTION_AFFINE, _ROUNDS, everything, _ECC_BLUR_PX
            )
        except cv2.error:  # they have nothing in common
            return start
        moved = np.asarray(found, np.float32)
        return start if self.apart_px(moved, start) > _CUT_OUT_MM * PX_PER_MM else moved
