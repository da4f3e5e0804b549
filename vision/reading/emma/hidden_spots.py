"""Which spots of a card something hides: it looks unlike its face, by more than noise, light and place explain."""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Indices, Picture
from vision.faces.lamp_light import smooth_terms
from vision.faces.looks import upper_median

_SMOOTH_PX: Final = 1.2
"""Noise is finer than this, a locomotive is not."""
_PLACE_DOUBT_PX: Final = 1.0
"""A card is read, and its face taught, to a millimetre together, and pixels here are millimetres."""
_HIDDEN: Final = 3.0
"""In standard deviations: so unlike is a spot that is hidden for sure; at half of it that is open."""
_RIM_PX: Final = 2
_STEP: Final = 11
"""So many spots apart lie those that tell the light."""
_ROUNDS: Final = 4
_LEAST_LIGHT: Final = 0.05
"""Of what a face is taught by, in hundreds of grey values: what is darker tells no light."""
_LEAST_GREY_VALUES: Final = 0.5
"""What rounding makes."""
_HARDLY_BENT: Final = 1e-4
"""How much what is known of light counts beside the picture, for each spot: it is even, but for what the card tells."""


def hidden_spots(seen: Picture, face: Picture) -> Floats32:
    """How surely each spot of a card (h × w × 3, a mm each px) is hidden: 1 it is, 0 open, -1 it is not."""
    lit = np.asarray(cv2.GaussianBlur(face, (0, 0), _SMOOTH_PX), np.float32)
    found = np.asarray(cv2.GaussianBlur(seen, (0, 0), _SMOOTH_PX), np.float32)
    unlike = np.zeros(lit.shape[:2], np.float32)
    for channel in range(3):
        expected, noise = _as_lit_here(lit[..., channel], found[..., channel])
        across, down = (cv2.Sobel(expected, cv2.CV_32F, *axis, ksize=1, scale=0.5) for axis in ((1, 0), (0, 1)))
        doubt = noise**2 + _PLACE_DOUBT_PX**2 * (down * down + across * across)
        unlike += (found[..., channel] - expected) ** 2 / doubt
    unlike[seen.min(axis=2) == 255] = 0  # the border of the picture, or a gleam
    return np.asarray(np.clip(2 * np.sqrt(unlike / 3) / _HIDDEN - 1, -1, 1), dtype=np.float32)


def _as_lit_here(face: Floats32, seen: Floats32) -> tuple[Floats32, float]:
    """What a channel of the face would look like in this light, and by how much (a deviation) most spots are off it.

    A lamp changes how light print is, smoothly over the card, and haze or a gleam adds the same everywhere.
    """
    terms, rows, prior = _terms(face.shape)
    model = terms * face.ravel()[:, None] / 100
    model[:, -1] = 1
    some, goal = model[rows], seen.ravel()[rows]
    # First the even light that most spots tell: a smooth one would bend to what she hides of a small card.
    gain = float(upper_median(goal / np.maximum(some[:, 0], _LEAST_LIGHT), 0))
    parts = np.array([gain, *[0.0] * (model.shape[1] - 1)], np.float32)
    for _ in range(_ROUNDS):
        off = goal - some @ parts
        # Measured by what most spots are off: she hides less than a third of a card.
        noise = 1.4826 * float(upper_median(np.abs(off), 0)) + _LEAST_GREY_VALUES
        weighted = (some * (1 / (1 + (off / (2 * noise)) ** 2) ** 2)[:, None]).T
        parts = np.linalg.solve(weighted @ some + prior, weighted @ goal)
    noise = 1.4826 * float(upper_median(np.abs(goal - some @ parts), 0)) + _LEAST_GREY_VALUES
    return np.asarray((model @ parts).reshape(face.shape), np.float32), noise


@cache
def _terms(shape: tuple[int, int]) -> tuple[Floats32, Indices, Floats32]:
    """What light can do at each spot, and a column for what it adds; which spots tell it; what is known of it."""
    smooth = smooth_terms((shape[1], shape[0])).reshape(shape[0] * shape[1], -1)
    inner = np.zeros(shape, bool)
    inner[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX] = True
    rows = np.flatnonzero(inner)[::_STEP]
    known = np.array([1e-6, *[_HARDLY_BENT * len(rows)] * 5, 1e-6], np.float32)
    return np.column_stack([smooth, np.ones(len(smooth), np.float32)]), rows, np.diag(known)
