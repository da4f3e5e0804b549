"""How a card looks, in three channels that lamps and cameras change little.

How light a spot is, and its two tints, all as logarithms relative to the card's own middle, so that lamps only add
something that changes smoothly over the card.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Numbers, Picture

TRUST: Final = np.array([1.0, 0.7, 0.7], dtype=np.float32)
"""How much each channel counts; tints differ more between cameras."""
_SMOOTH_PX: Final = 0.7
_DARKEST: Final = 0.3
"""Of the card's brightness; what is darker than this looks much the same to all cameras."""
_LIGHT_AND_TINTS: Final = np.array([[1 / 3, 1 / 3, 1 / 3], [0, -1, 1], [1, -0.5, -0.5]]) * TRUST[:, None]


def looks_of(card: Picture, margin: int) -> Floats32:
    """Lightness and two tints (rows × columns × 3), each about 0 on most of the card."""
    values = cv2.GaussianBlur(card, (0, 0), _SMOOTH_PX).astype(np.float32)
    inner = slice(margin, values.shape[0] - margin, 2), slice(margin, values.shape[1] - margin, 2)
    middle = upper_median(values[inner].reshape(-1, 3), 0) + 2.0
    looks = np.asarray(cv2.transform(np.log(values / middle + _DARKEST), _LIGHT_AND_TINTS), dtype=np.float32)
    looks -= upper_median(looks[inner].reshape(-1, 3), 0)
    return looks


def by_channel(looks: Floats32) -> Floats32:
    """Looks (rows × columns × channels) as channels × spots."""
    return np.ascontiguousarray(looks.reshape(-1, looks.shape[2]).T)


def upper_median(values: Numbers, axis: int) -> Floats32:
    """The upper median: numpy's own takes longer over a few hundred values than all the rest."""
    half = values.shape[axis] // 2
    return np.asarray(np.partition(values, half, axis=axis).take(half, axis=axis), dtype=np.float32)
