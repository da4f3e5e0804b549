"""Whether the light of a table is one to read cards in: how dark, how bright, and where a lamp is mirrored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Picture

_FULL: Final = 250
"""From this value on, in all colours, there is nothing to be seen."""
_PAPER: Final = 90
"""The percentile of a card's brightness that is its paper's."""
_FULL_PAPER: Final = 0.5
"""The share of a card that is full if there is nothing to be seen on it."""
_LARGE: Final = 0.25
"""The side of a spot that may hide what a card is told by, in shorter sides of a card."""
_SHRINK: Final = 4


class Lamps(NamedTuple):
    """Where lamps are mirrored (x, y, radius, px), the largest first; ``is_bright``: cards are too bright to read."""

    spots: tuple[tuple[float, float, float], ...] = ()
    is_bright: bool = False


def mirrored_lamps(picture: Picture, cards: Sequence[Corners]) -> Lamps:
    """The lamps in a picture (h × w × 3, B, G, R) with these cards; none without cards.

    Under one light nothing is brighter than white paper unless it mirrors a lamp: what is full is one where the paper
    of the cards is not.
    """
    if not cards:
        return Lamps()
    small = np.ascontiguousarray(picture[::_SHRINK, ::_SHRINK]).min(axis=2)
    full = (small >= _FULL).astype(np.uint8)
    papers, filled = [], []
    for corners in cards:
        inside = np.zeros_like(full)
        cv2.fillConvexPoly(inside, np.rint(corners / _SHRINK).astype(np.int32), (1,))
        values = small[inside > 0]
        if len(values):
            papers.append(float(np.percentile(values, _PAPER)))
            filled.append(float((values >= _FULL).mean()))
    if not papers or float(np.median(papers)) >= _FULL:
        return Lamps(is_bright=bool(filled) and float(np.median(filled)) >= _FULL_PAPER)
    card_px = float(np.mean([np.linalg.norm(corners[1] - corners[0]) for corners in cards])) / _SHRINK
    return Lamps(tuple(_spots(full, _LARGE * card_px)))


def _spots(full: Picture, least_px: float) -> list[tuple[float, float, float]]:
    """Spots at least so wide and high, the largest first."""
    opened = np.asarray(cv2.morphologyEx(full, cv2.MORPH_OPEN, np.ones((max(1, round(least_px)),) * 2, np.uint8)))
    _, _, stats, centroids = cv2.connectedComponentsWithStats(opened)
    order = sorted(range(1, len(stats)), key=lambda label: -int(stats[label][4]))
    middles = centroids.tolist()
    radii = (_SHRINK * np.sqrt(stats[:, 4] / np.pi)).tolist()
    return [(_SHRINK * middles[label][0], _SHRINK * middles[label][1], radii[label]) for label in order]
