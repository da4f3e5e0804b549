"""A card as it would look in the light of another picture of the same card: lamps and white balances are no print."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Picture

_SPOTS: Final = np.s_[::3, ::3]
"""Of so many spots the median is the same, and a ninth of the work."""


def in_light_of(card: Picture, other: Picture, counts: Floats32 | None = None) -> Picture:
    """A card (B, G, R) as bright, in each colour, as another one of the same size that is like it in most spots.

    Only what ``counts`` is looked at (above 0); where nothing does, the card is returned as it is. How much brighter it
    is made is the median over all spots: numerals that differ, and what lies on the card, change nothing.
    """
    seen = np.ones(card.shape[:2], np.float32) if counts is None else counts
    is_seen = seen[_SPOTS] > 0
    if not is_seen.any():
        return card
    # One more of 255, lest black divides.
    both = (side[_SPOTS][is_seen].astype(np.float32) + 1 for side in (other, card))
    brighter = np.median(np.divide(*both), axis=0)
    grey = np.arange(256)[None, :, None]
    return np.asarray(cv2.LUT(card, (grey * brighter + 0.5).clip(0, 255).astype(np.uint8)), np.uint8)
