"""A face of a deck, as it was found in a picture."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Corners, Floats

LEAST_LIKENESS: Final = 0.36
"""From here on a card that was read is taken to lie there still."""
_JUST_THERE_MM: Final = 1.5
"""So near to where it was seen a card lies just there: places are known no better at first."""


class Seen(NamedTuple):
    """What a network saw at some corners: how likely each face lies there (faces × 2: as the corners say, and turned).

    Those are logarithms of probabilities.
    """

    corners: Corners
    faces: Floats


class Fit(NamedTuple):
    """A face at a place: its index, its corners, and how alike it looks (-1 to 1).

    ``surprise`` is the logarithm of how improbable it is that no card of the deck lies just there, ``pattern`` how
    alike what is lighter and darker than its surroundings is. ``probability`` (0 to 1) is that of its being this face,
    ``lead`` by how much it fits better than any other, ``others`` are those that it may be as well. ``odds`` are those
    of all faces where they were told, as logarithms: by the picture, and by how many such cards are left. ``seen`` is
    what was seen when it was found.
    """

    face: int
    corners: Corners
    likeness: float = 0.0
    surprise: float = 0.0
    pattern: float = 0.0
    probability: float = 0.0
    lead: float = 0.0
    others: tuple[int, ...] = ()
    odds: tuple[tuple[int, float, float], ...] = ()
    seen: Seen | None = None


def is_just_there(corners: Corners, seen: Corners, width_mm: float) -> bool:
    """Whether a card of this width lies just where it was seen (both 4 × 2, px): what was seen there still holds."""
    off_mm = float(np.abs(corners - seen).max()) * width_mm
    return off_mm <= _JUST_THERE_MM * float(np.linalg.norm(seen[1] - seen[0]))
