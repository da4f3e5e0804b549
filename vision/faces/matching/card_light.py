"""A card as it would look in the light of another picture of the same card: lamps and white balances are no print."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats32, Picture


def in_light_of(card: Picture, other: Picture, counts: Floats32 | None = None) -> Picture:
    """A card (B, G, R) as bright, in each colour, as another one of the same size that is like it in most spots.

    Only what ``counts`` is looked at (above 0); where nothing does, the card is returned as it is. How much brighter it
    is made is the median over all spots: numerals that differ, and what lies on the card, change nothing.
    """
    is_seen = np.ones(card.shape[:2], bool) if counts is None else counts > 0
    if not is_seen.any():
        return card
    # One more of 255, lest black divides.
    brighter = (other[is_seen].astype(np.float32) + 1) / (card[is_seen].astype(np.float32) + 1)
    return np.asarray((card * np.median(brighter, axis=0) + 0.5).clip(0, 255), np.uint8)
