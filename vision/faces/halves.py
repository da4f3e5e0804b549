"""A part of a picture as two pictures, each with every other pixel: what they have in common is no noise.

In the dark a card is never much like its face, however surely it lies there. How alike the two halves are says how
alike it could be at most, and a likeness divided by that is what it would be in a better light (C. Spearman, The Proof
and Measurement of Association between Two Things, 1904).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Picture

_AROUND_PX: Final = 8


class Halves(NamedTuple):
    """Two pictures (B, G, R) of the surroundings of a card at half their size, and its corners in px of the whole."""

    pictures: tuple[Picture, Picture]
    corners: Corners


def halves_of(picture: Picture, corners: Corners) -> Halves | None:
    """What lies around these corners (px of the whole picture); None where some of it is outside of the picture."""
    left, top = (corners.min(axis=0) - _AROUND_PX).astype(int)
    right, bottom = (corners.max(axis=0) + _AROUND_PX).astype(int)
    if min(left, top) < 0 or right > picture.shape[1] or bottom > picture.shape[0]:
        return None
    part = picture[top:bottom, left:right]
    height, width = (side // 2 * 2 for side in part.shape[:2])
    # On the diagonals, so that neither half lies beside the other.
    rising = cv2.addWeighted(part[1:height:2, 0:width:2], 0.5, part[0:height:2, 1:width:2], 0.5, 0)
    falling = cv2.addWeighted(part[0:height:2, 0:width:2], 0.5, part[1:height:2, 1:width:2], 0.5, 0)
    return Halves((np.asarray(rising, np.uint8), np.asarray(falling, np.uint8)), corners - (left, top))
