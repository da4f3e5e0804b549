"""A card as it would look in the light of another picture of the same card: lamps and white balances are no print."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Picture

_SPOTS: Final = np.s_[::3, ::3]
"""Of so many spots the median is the same, and a ninth of the work."""


def in_light_of(card: Picture, other: Picture, counts: Floats32) -> Picture:
    """A card (B, G, R) as bright, in each colour, as another one of the same size that is like it in most spots.

    Only what ``counts`` is looked at (above 0); where nothing does, the card is returned as it is.
    """
    is_seen = counts[_SPOTS] > 0
    if not is_seen.any():
        return card
    brighter = brighter_by(card[_SPOTS][is_seen], other[_SPOTS][is_seen])
    grey = np.arange(256)[None, :, None]
    return np.asarray(cv2.LUT(card, (grey * brighter + 0.5).clip(0, 255).astype(np.uint8)), np.uint8)


def brighter_by(spots: Picture, others: Picture) -> Floats:
    """How much brighter others are than these spots (n × 3 each, 0 to 255): a factor for each colour.

    It is the median over all spots: numerals that differ, and what lies on a card, change nothing.
    """
    # One more of 255, lest black divides.
    return np.asarray(np.median((others.astype(np.float32) + 1) / (spots.astype(np.float32) + 1), axis=0), np.float64)
