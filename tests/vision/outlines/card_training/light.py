"""Any light that may fall on what a network is shown: drawn at random."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats32, Picture

_GAMMA: Final = 0.12
_GAIN: Final = 0.3
_TINT: Final = 0.25
"""By so much (logarithms) lamps and cameras differ usually."""


class Light(NamedTuple):
    """How much light may change: how often there is what, and how strong it is at most."""

    gamma: float
    gain: float
    tint: float
    slope: float
    haze: float = 0.0
    gleam: float = 0.0
    pale: float = 0.0
    soft: float = 0.0
    noisy: float = 0.0
    noise: float = 0.0


def any_lamp(random: np.random.Generator) -> Picture:
    """What a camera under any lamp makes of each grey (256 × 3, B, G, R): exposure, white balance and curve."""
    gains = math.exp(random.normal(0, _GAIN)) * np.exp(random.normal(0, _TINT, 3))
    curve = np.linspace(0, 1, 256) ** math.exp(random.normal(0, _GAMMA))
    return np.asarray((255 * curve[:, None] * gains + 0.5).clip(0, 255), np.uint8)


def under(lamp: Picture, picture: Picture) -> Picture:
    """A picture (B, G, R) as a camera under that lamp shows it."""
    return np.asarray(cv2.LUT(picture, lamp[None]), np.uint8)


def lit(picture: Floats32, light: Light, random: np.random.Generator) -> Floats32:
    """A picture (h × w × 3, 0 to 1) in such a light."""
    height, width = picture.shape[:2]
    across, down = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    picture = np.clip(picture, 0, 1) ** np.float32(math.exp(random.normal(0, light.gamma)))
    gains = math.exp(random.normal(0, light.gain)) * np.exp(random.normal(0, light.tint, 3))
    picture = picture * gains.astype(np.float32)
    if random.random() < light.pale:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * np.float32(random.uniform(0, 1))
    if random.random() < light.haze:
        picture = picture * np.float32(random.uniform(0.35, 1)) + np.float32(random.uniform(0, 0.4))
    if light.slope:
        x, y = random.normal(0, light.slope, 2).astype(np.float32)
        picture = picture * (1 + x * across[None, :] + y * down[:, None])[..., None]
    if random.random() < light.gleam:
        (x, y), reach = random.uniform(-1, 1, 2), random.uniform(0.15, 0.6)
        gleam = np.exp(-((across[None, :] - x) ** 2 + (down[:, None] - y) ** 2) / (2 * reach**2))
        picture = picture + (random.uniform(0.1, 0.6) * gleam).astype(np.float32)[..., None]
    if random.random() < light.soft:
        picture = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.3, 1.0))
    if random.random() < light.noisy:
        noise = random.standard_normal(picture.shape, dtype=np.float32)
        picture = picture + noise * np.float32(random.uniform(0, light.noise))
    return np.asarray(np.clip(picture, 0, 1), np.float32)
