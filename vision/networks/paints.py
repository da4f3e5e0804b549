"""Colours of vehicles in whatever light: which pixels of a picture show which of them."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import FloatPicture, Floats, Floats32

GAMMA: Final = 2.2
_SHADES: Final = (0.35, 1.6)
"""How much darker a side away from the lamp may be than the light around, and how much lighter one towards it."""
_UNLIKE: Final = 0.12
"""How far off a paint is seen, as a share of its light: of the paint, of what is mirrored in it, and of neighbours."""
_DARK: Final = 0.006
"""In parts of white: less light has no colour."""


def linear(picture: FloatPicture) -> Floats32:
    """The light of a picture's values (0 to 255), in parts of white."""
    return np.asarray(np.power(np.maximum(picture, 0) / np.float32(255), np.float32(GAMMA)), np.float32)


def paint_light(colour: tuple[int, int, int]) -> Floats:
    """What a colour (R, G, B) sends back of white light, as B, G, R."""
    return np.asarray((np.array(colour[::-1]) / 255) ** GAMMA)


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
