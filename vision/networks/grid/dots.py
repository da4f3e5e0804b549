"""Dots in a picture: dark round places that are lighter all around. Some are a network's, others anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, GreyPicture, Indices, Points

_RINGS_PX: Final = (2.5, 3.5, 4.5, 6.0, 8.0)
"""Radii of the rings that are compared with what is inside of them. Dots have 0.12 to 0.15 of a cell, which has from 14
px (a small picture of a tilted camera) to 45; the ring of a dot has about 1.4 times its radius."""
_MOST: Final = 900
"""So many are kept: a network has 135 at most."""
_LEAST_CONTRAST: Final = 0.05
"""By which share a dot is darker than all around it for sure: less is a shadow, or grain."""
_DARKEST: Final = 4.0
"""In levels: what is darker around has no contrast."""
_BLUR_PX: Final = 0.8
_BLUR: Final = 0.3
"""How far a picture is blurred before a ring is looked at, in its radii: against noise, as the darkest of twelve places
in it is dark by chance."""
_BY_CHANCE: Final = 2.0
"""So many standard deviations of the noise a place may be darker by chance. (Of 40 tables with wood in little light the
grid was found in the first picture on 37, and on 30 where it did not count.)"""


class Dots(NamedTuple):
    """Places that may be dots (n × 2, px), the most distinct first, and by which share each is darker (n)."""

    points_px: Points
    contrasts: Floats


def find_dots(grey: GreyPicture) -> Dots:
    """What may be dots in a picture (h × w)."""
    best = dot_contrasts(grey.astype(np.float32), _RINGS_PX)
    peaks = cv2.dilate(best, np.ones((5, 5), np.uint8))
    rows, columns = np.nonzero((best >= peaks) & (best > _LEAST_CONTRAST))
    contrasts = best[rows, columns]
    order = np.argsort(-contrasts, kind="stable")[:_MOST]
    rows, columns = rows[order], columns[order]
    return Dots(_refined(best, rows, columns), contrasts[order].astype(np.float64))


def dot_contrasts(whole: Floats32, rings_px: Sequence[float]) -> Floats32:
    """By which share each px of a grey picture (h × w) is darker than all around it, at one of some distances.

    As much of it as is not the noise's: in dark places it alone makes deep ones.
    """
    noise = _noise(whole)
    best = np.zeros(whole.shape, np.float32)
    for radius in rings_px:
        blur = max(_BLUR_PX, _BLUR * radius)
        smooth = np.asarray(cv2.GaussianBlur(whole, (0, 0), blur), np.float32)
        # Lighter in every direction: on the edge of something dark, or on a dark line, it is not.
        around = cv2.erode(smooth, _ring(radius))
        inside = cv2.blur(smooth, (2 * int(radius / 3) + 1,) * 2)
        chance = _BY_CHANCE * noise / (2 * np.sqrt(np.pi) * blur)
        best = np.maximum(best, (around - inside - chance) / (around + _DARKEST))
    return best


def _noise(grey: Floats32) -> float:
    """About the standard deviation of a picture's noise, in levels."""
    across = grey[::4, 2:-2:4] - (grey[::4, 1:-3:4] + grey[::4, 3:-1:4]) / 2
    return float(1.48 * np.median(np.abs(across)) / np.sqrt(1.5))


def _ring(radius: float) -> GreyPicture:
    """A kernel with ones at twelve places of a circle."""
    reach = int(np.ceil(radius))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    angles = np.arange(12) * (2 * np.pi / 12)
    rows, columns = (np.round(reach + radius * part).astype(int) for part in (np.sin(angles), np.cos(angles)))
    kernel[rows, columns] = 1
    return kernel


def _refined(response: Floats32, rows: Indices, columns: Indices) -> Points:
    """The middles of what responds, to parts of a pixel."""
    padded = np.pad(response, 2)
    by = np.arange(-2, 3)
    windows = padded[rows[:, None, None] + 2 + by[None, :, None], columns[:, None, None] + 2 + by[None, None, :]]
    weights = np.maximum(windows, 0) ** 2 + 1e-9
    total = weights.sum(axis=(1, 2))
    x = columns + (weights * by[None, None, :]).sum(axis=(1, 2)) / total
    y = rows + (weights * by[None, :, None]).sum(axis=(1, 2)) / total
    return np.column_stack([x, y]).astype(np.float64)
