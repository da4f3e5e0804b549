"""How probable it is that a card has the face that it was read as: a number that people can be told.

Measured on 1,314 cards of 24 decks for building, and anew on 1,074 of 50, as they were asked about. ``make accuracy``
says whether that still holds, ``make thresholds`` what it would have to be.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.faces.alignment import Fit

_SAID: Final = (-20.0, -1.0, 0.0, 2.0, 8.0, 20.0, 40.0)
_MEANT: Final = (-20.0, -1.0, 0.7, 2.2, 3.3, 5.5, 6.91)
"""What the odds of a face against all others say, as logarithms, and what they have turned out to be.

Where they hardly decide, they mean what they say: 23 of 45 cards were right from -1 to 1. Where they seem to decide,
fewer are right: 20 of 24 from 2 to 4, 34 of 35 to 8, 110 of 111 to 20. A card may be laid on wrongly, or a gleam have
the tint of another ground, and of that the odds know nothing. Beyond that all 836 were right.
"""
_LEADS: Final = (-0.1, -0.03, -0.01, 0.005, 0.02, 0.12)
_BY_LOOKS: Final = (0.5, 0.77, 0.9, 0.975, 0.99, 0.999)
"""How many cards that nothing hid were right by how far the looks of their face led: 14 of 24 of those 0.05 and more
behind, 162 of 181 of those up to 0.02 behind, 87 of 89 of those up to 0.01 ahead, all 604 of those 0.02 and more ahead.
"""


def probability(fit: Fit) -> float:
    """From 0 to 1, by the odds of all faces that may lie there, or by the lead where only the looks tell."""
    if not fit.odds:
        return float(np.interp(fit.lead, _LEADS, _BY_LOOKS))
    return float(1 / (1 + np.exp(-np.interp(odds_said(fit), _SAID, _MEANT))))


def odds_said(fit: Fit) -> float:
    """The odds of its face against all others together, as a logarithm, before it is known what they mean."""
    own = [odds for face, odds in fit.odds if face == fit.face]
    others = [odds for face, odds in fit.odds if face != fit.face]
    return float(np.logaddexp.reduce(own) - np.logaddexp.reduce(others))
