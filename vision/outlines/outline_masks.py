"""Which places of a picture lie inside outlines, and which beside cards.

Places are a mask (h × w, 1, else 0), a quarter as high and wide as the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Indices, Mask, Points

SHRINK: Final = 4
"""How many times smaller masks are than pictures."""
WINDOW_PX: Final = 5
"""In windows so wide of the smaller picture places are compared: what has come changes what is around it as well."""


def share_changed(places: Mask, outline_px: Points) -> float:
    """The share, 0 to 1, of what is inside an outline (n × 2, px of the whole picture, convex) that has changed."""
    outline = _shrunk(outline_px)
    (left, top), (right, bottom) = outline.min(axis=0).clip(0).tolist(), outline.max(axis=0).tolist()
    near = places[top : max(bottom + 1, 0), left : max(right + 1, 0)]
    if not near.size:
        return 0.0
    inside = np.zeros(near.shape, dtype=np.uint8)
    cv2.fillConvexPoly(inside, outline - (left, top), (1,))
    return cv2.countNonZero(near & inside) / max(cv2.countNonZero(inside), 1)


def without_cards(places: Mask, cards_px: Sequence[Corners]) -> Mask:
    """The places that lie on none of these cards (each 4 × 2, px of the whole picture), nor on the rim of one.

    Where places are compared in windows, a card that has come changes what is around it as well.
    """
    left = places.copy()
    for corners_px in cards_px:
        outline = _shrunk(corners_px)
        cv2.fillConvexPoly(left, outline, (0,))
        cv2.polylines(left, [outline], isClosed=True, color=(0,), thickness=2 * WINDOW_PX - 1)
    return left


def fill_outline(places: Mask, outline_px: Points) -> None:
    """Adds what is inside an outline (n × 2, px of the whole picture, convex) to the places."""
    cv2.fillConvexPoly(places, _shrunk(outline_px), (1,))


def _shrunk(outline_px: Points) -> Indices:
    return (np.asarray(outline_px) / SHRINK).round().astype(np.int32)
