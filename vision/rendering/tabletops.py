"""Table surfaces made by code: wood, felt, cloths, stone."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats32
from vision.rendering.scene import Tabletop

PX_PER_MM: Final = 1.25
SIZE_MM: Final = (1600, 1200)
"""The surface repeats, mirrored, beyond this."""
ORIGIN_MM: Final = (-400, -300)
"""Where on the table the surface's first texel lies: the seams stay out of the middle."""


@lru_cache(maxsize=1)  # 36 MB, and a second's work at each bump of a camera
def surface(tabletop: Tabletop) -> FloatPicture:
    """The table's texture: height × width × 3, B, G, R in linear light from 0 to 1, PX_PER_MM to the millimetre.

    The last one is kept, and cannot be written to.
    """
    random = np.random.default_rng(tabletop.seed)
    pattern, grain = _KINDS[tabletop.kind](random)
    first, second = (_linear(colour) for colour in (tabletop.colour, tabletop.second_colour))
    texture = np.empty((*grain.shape, 3), np.float32)
    for colour, (some, other) in enumerate(zip(first, second, strict=True)):
        # One colour at a time: to go through it by pixels of three is several times as slow.
        mixed = pattern * (other - some)
        mixed += some
        mixed *= grain
        np.clip(mixed, 0, 1, out=texture[..., colour])
    texture.flags.writeable = False
    return texture


def smooth_noise(random: np.random.Generator, cells: tuple[int, int]) -> Floats32:
    """Noise without steps, about -1 to 1, from a grid of so many cells across and down."""
    width, height = (round(side * PX_PER_MM) for side in SIZE_MM)
    coarse = random.standard_normal((cells[1] + 1, cells[0] + 1), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.float32) * 0.7


def _linear(colour: tuple[int, int, int]) -> Floats32:
    return np.asarray((np.array(colour[::-1]) / 255) ** 2.2, dtype=np.float32)


def _places() -> tuple[Floats32, Floats32]:
    """The x and y of every texel, in mm."""
    width, height = (round(side * PX_PER_MM) for side in SIZE_MM)
    return tuple(np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)))  # type: ignore[return-value]


Recipe = tuple[Floats32, Floats32]
"""How much of the second colour each texel has, and its brightness."""


def _wood(random: np.random.Generator) -> Recipe:
    x, y = (places / PX_PER_MM for places in _places())
    bow = smooth_noise(random, (3, 2))
    plank = np.floor((y + 6 * bow) / 140).astype(np.int32)
    tones = random.normal(1.0, 0.07, 64).astype(np.float32)[plank % 64]
    fibres = sum(smooth_noise(random, (cells, cells * 40)) / (1 + index) for index, cells in enumerate((4, 9, 18)))
    rings = np.sin((y + 14 * smooth_noise(random, (5, 7)) + 0.02 * x) / (5 + 2 * smooth_noise(random, (3, 3)) ** 2))
    gap = np.abs((y + 6 * 0) % 140 - 70) > 69.2
    grain = tones * (1 + 0.09 * fibres + 0.05 * rings) * np.where(gap, 0.45, 1.0)
    return np.zeros_like(x), grain.astype(np.float32)


def _felt(random: np.random.Generator) -> Recipe:
    fine = smooth_noise(random, (900, 675))
    grain = 1 + 0.10 * fine + 0.08 * smooth_noise(random, (300, 225)) + 0.05 * smooth_noise(random, (6, 5))
    return np.zeros_like(grain), grain


def _gingham(random: np.random.Generator) -> Recipe:
    x, y = (places / PX_PER_MM for places in _places())
    square = float(random.uniform(18, 40))
    threads = (np.floor(x / square) % 2 + np.floor(y / square) % 2) / 2
    weave = 0.05 * np.sin(x * 3.1) * np.sin(y * 3.1)
    return threads, (1 + weave + 0.05 * smooth_noise(random, (600, 450))).astype(np.float32)


def _plain(random: np.random.Generator) -> Recipe:
    grain = 1 + 0.015 * smooth_noise(random, (500, 375)) + 0.03 * smooth_noise(random, (4, 3))
    return np.zeros_like(grain), grain


def _stone(random: np.random.Generator) -> Recipe:
    turbulence = sum(smooth_noise(random, (cells, cells)) / cells * 9 for cells in (5, 11, 23, 47, 95))
    veins = np.exp(-np.abs(np.sin(turbulence * 1.4)) * 7)
    speckles = 1 + 0.06 * smooth_noise(random, (800, 600))
    return veins.astype(np.float32), speckles


def _stripes(random: np.random.Generator) -> Recipe:
    x, y = (places / PX_PER_MM for places in _places())
    width = float(random.uniform(12, 60))
    angle = float(random.uniform(0, np.pi))
    across = x * np.cos(angle) + y * np.sin(angle)
    return (np.floor(across / width) % 2).astype(np.float32), 1 + 0.05 * smooth_noise(random, (600, 450))


_KINDS: Final[dict[str, Callable[[np.random.Generator], Recipe]]] = {
    "wood": _wood,
    "felt": _felt,
    "gingham": _gingham,
    "plain": _plain,
    "stone": _stone,
    "stripes": _stripes,
}
