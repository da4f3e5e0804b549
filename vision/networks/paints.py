"""Colours of vehicles: which px of a picture show which of them in whatever light, and what light that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Floats32
from vision.networks.grid_picture import GAMMA
from vision.networks.standing_room import Room

_SHADES: Final = (0.35, 1.6)
"""How much darker a side away from the lamp may be than the light around, and how much lighter one towards it."""
_UNLIKE: Final = 0.12
"""How far off a paint is seen, as a share of its light: of the paint, of what is mirrored in it, and of neighbours."""
_DARK: Final = 0.006
"""In parts of white: less light has no colour."""
_NEAREST: Final = 8
"""So many cells around a dot tell of the light there: one may be in a shadow, or be taken for another."""
_WARMTHS: Final = np.linspace(-0.6, 0.6, 13)
"""How much redder and less blue a lamp's light is, as a logarithm."""
_WOOD: Final = 0.45
"""What a piece of which nothing is known sends back of the light, about as wood and paper board do."""
_LIKE: Final = 1.5
"""Px that are off a paint by fewer deviations look like it."""
_NOISE: Final = 0.01
"""Of a px of a grid picture, in parts of white."""


class Paints(NamedTuple):
    """The numbers of some colours, and the light that each paint sends back (k × 3)."""

    numbers: tuple[int, ...]
    light: Floats

    @classmethod
    def of(cls, colours: Mapping[int, tuple[int, int, int]]) -> Paints:
        """Those of colours (R, G, B) by their numbers."""
        numbers = tuple(sorted(colours))
        return cls(numbers, np.array([paint_light(colours[number]) for number in numbers]).reshape(-1, 3))


def paint_light(colour: tuple[int, int, int]) -> Floats:
    """What a colour (R, G, B) sends back of white light, as B, G, R."""
    return np.asarray((np.array(colour[::-1]) / 255) ** GAMMA)


def colour_of(light: Floats) -> tuple[int, int, int]:
    """The colour (R, G, B) that sends back so much of white light (B, G, R)."""
    blue, green, red = (int(part) for part in np.round(255 * np.clip(light, 0, 1) ** (1 / GAMMA)))
    return red, green, blue


def paint_seen(light: Floats32, lamp: Floats) -> Floats:
    """What most px of a vehicle (n × 3) send back of a lamp's light (3), however its sides are shaded.

    Signs are white or black: of the px the more colourful half counts.
    """
    own = light / np.maximum(lamp, _DARK)
    colourful = own.max(axis=1) - own.min(axis=1)
    return np.asarray(np.median(own[colourful >= np.median(colourful)], axis=0), np.float64)


def unlikeness(light: Floats32, paints: Floats, lamp: Floats, noise: float) -> Floats32:
    """How little each pixel's light (n × 3) looks like each paint (k × 3) in a lamp's light (3), in deviations (n × k).

    However dark or light it is, as far as shades go. ``noise`` is the standard deviation of a pixel, in parts of white.
    """
    seen = paints * lamp
    strength = (light @ seen.T) / np.maximum((seen**2).sum(axis=1), 1e-9)
    shade = np.clip(strength, *_SHADES)
    off = light[:, None, :] - shade[..., None] * seen
    spread = (_UNLIKE * shade[..., None] * (seen + seen.max(axis=1, keepdims=True)) / 2) ** 2 + noise**2 + _DARK**2
    return np.asarray(np.sqrt((off**2 / spread).mean(axis=2)), np.float32)


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
