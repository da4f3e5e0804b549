"""The search for cards where the rails of others lead: a neighbour may be too faint to be found by itself."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.faces.alignment import Fit
from vision.faces.rails_on import WayOn
from vision.reading.found_cards import is_one_of
from vision.reading.trials import Trials

_NEIGHBOUR: Final = 1.3
"""How far from a card's middle that of its neighbour may lie, in diagonals."""


def follow_rails(trials: Trials, ways_on: list[list[WayOn]]) -> None:
    """Tries all places to which the rails of the cards lead, those of cards that are found so included."""
    followed: list[Fit] = []
    while fits := [fit for fit in trials.cards.all if not is_one_of(fit, followed)]:
        fit = max(fits, key=lambda fit: fit.likeness)
        followed.append(fit)
        reach = _NEIGHBOUR * float(np.linalg.norm(fit.corners[2] - fit.corners[0]))
        ways = ways_on[fit.face]
        if not ways or not trials.picture.is_looked_at(fit.corners.mean(axis=0), reach):
            continue
        places = trials.cards.places_beside(fit, [way.corners_mm for way in ways])
        for way, corners in zip(ways, places, strict=True):
            if trials.is_free(corners):
                trials.try_at(corners, way.faces)
