"""How probable it is that a card has the face that it was read as: a number that people can be told."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.faces.alignment import Fit

_LEADS: Final = (0.0, 0.02, 0.05, 0.12)
_PROBABILITIES: Final = (0.5, 0.8, 0.95, 0.999)
_MOST: Final = 0.9995


def probability(fit: Fit) -> float:
    """From 0 to 1, by the odds of all faces that may lie there, or by the lead where only the looks tell."""
    if not fit.odds:
        return float(np.interp(fit.lead, _LEADS, _PROBABILITIES))
    faces, logarithms = zip(*fit.odds, strict=True)
    odds = np.exp(np.subtract(logarithms, max(logarithms)))
    return min(float(odds[np.equal(faces, fit.face)].sum() / odds.sum()), _MOST)
