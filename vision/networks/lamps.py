"""In what light a network lies: what white paper would send to the camera, at each dot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Floats, Floats32
from vision.networks.paints import unlikeness
from vision.networks.standing_room import Room
from vision.networks.vehicles import Paints

_NEAREST: Final = 8
"""So many cells around a dot tell of the light there: one may be in a shadow, or be taken for another."""
_WARMTHS: Final = np.linspace(-0.6, 0.6, 13)
"""How much redder and less blue a lamp's light is, as a logarithm."""
_WOOD: Final = 0.45
"""What a piece of which nothing is known sends back of the light, about as wood and paper board do."""
_LIKE: Final = 1.5
_NOISE: Final = 0.01


def lamps_by_print(at: Floats, lamps: Floats, dots: Floats) -> Floats:
    """The light at dots (n × 2): of white, in parts of white (n × 3).

    ``lamps`` (m × 3) is the light of cells whose print is known, ``at`` (m × 2); raises ValueError where there is none.
    """
    if not len(at):
        raise ValueError("No cell tells of the light.")
    apart = np.linalg.norm(dots[:, None] - at[None], axis=2)
    nearest = np.argsort(apart, axis=1, kind="stable")[:, :_NEAREST]
    return np.asarray(np.median(lamps[nearest], axis=1))


def lamp_by_paints(light: Floats32, bare: float, rooms: Sequence[Room], paints: Paints) -> Floats:
    """The light (3) in which most of what stands on dots looks like one of the paints.

    ``light`` is a grid picture's, ``bare`` what empty pieces send back; ``rooms`` are those of dots that are not empty.
    """
    level = bare / _WOOD
    lamps = level * np.exp(np.outer(_WARMTHS, (-1.0, 0.0, 0.6)))
    if not rooms or not len(paints.numbers):
        return np.asarray(lamps[len(lamps) // 2])
    worths = []
    for lamp in lamps:
        worth = 0.0
        for room in rooms:
            off = unlikeness(light[room.rows, room.columns], paints.light, lamp, _NOISE)
            worth += float(np.clip(1 - off / (2 * _LIKE), 0, 1).sum(axis=0).max() / max(len(off), 1))
        worths.append(worth)
    return np.asarray(lamps[int(np.argmax(worths))])
