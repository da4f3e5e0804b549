"""How probable it is that a card has the face that it was read as: a number that people can be told.

``make accuracy`` says whether it is right so often, ``make thresholds`` what it would have to be.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.faces.alignment import Fit

_AT_MOST: Final = 0.999
"""All 1,099 cards of 60 decks for building of which the odds said 99 % and more were right: of what may be wrong in
one of a thousand they know nothing."""
_LEADS: Final = (-0.1, -0.03, -0.01, 0.005, 0.02, 0.12)
_BY_LOOKS: Final = (0.5, 0.77, 0.9, 0.975, 0.99, 0.999)
"""How many cards that nothing hid were right by how far the looks of their face led: 14 of 24 of those 0.05 and more
behind, 162 of 181 of those up to 0.02 behind, 87 of 89 of those up to 0.01 ahead, all 604 of those 0.02 and more ahead.
"""


def probability(fit: Fit) -> float:
    """From 0 to 1, by the odds of all faces that it may have, or by the lead where only the looks tell."""
    if not fit.odds:
        return float(np.interp(fit.lead, _LEADS, _BY_LOOKS))
    own = [odds for face, odds in fit.odds if face == fit.face]
    return _AT_MOST * float(np.exp(np.logaddexp.reduce(own) - np.logaddexp.reduce([odds for _, odds in fit.odds])))
