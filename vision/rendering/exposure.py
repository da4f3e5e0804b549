"""What a camera's chip makes of the light: vignette, blur, noise, and the steps of its values."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats32, Picture
from vision.rendering.scene import Sensor

GAMMA: Final = 2.2
_STEPS: Final = 4096
_MIDDLE_GREY: Final = 0.5**GAMMA
"""Of white, in linear light."""
_MIDDLE_GREY_SLOPE: Final = GAMMA * 0.5 ** (GAMMA - 1)
"""How much linear light a step of a middle grey's value is."""
_NOISE_MARGIN: Final = 97
_BAND: Final = 16
"""So many rows at a time stay in a processor's own memory."""
_TO_BYTES: Final = np.round(255 * (np.arange(_STEPS) / (_STEPS - 1)) ** (1 / GAMMA)).astype(np.uint8)


def exposed(light: FloatPicture, sensor: Sensor, random: np.random.Generator) -> Picture:
    """The picture of linear light (h × w × 3, 0 to 1), which is used up, as the chip gives it."""
    if sensor.vignette:
        multiply(light, 1 - np.float32(sensor.vignette) * _off_centre(*light.shape[:2]))
    if sensor.blur_px:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), sensor.blur_px), dtype=np.float32)
    if any(sensor.motion_px):
        light = _shaken(light, sensor.motion_px)
    seen = np.empty(light.shape, np.uint8)
    add_noise = _noise(light.shape[:2], sensor.noise, random) if sensor.noise else None
    for top in range(0, len(seen), _BAND):
        rows = slice(top, top + _BAND)
        part = light[rows]
        if add_noise is not None:
            add_noise(part, rows)
        part *= _STEPS - 1
        steps = np.clip(part, 0, _STEPS - 1, out=part).astype(np.uint16)
        np.take(_TO_BYTES, steps, out=seen[rows], mode="clip")
    return seen


def for_each_colour(values: Floats32) -> FloatPicture:
    """The same for all three colours: to go through a picture by pixels of three is several times as slow."""
    return np.asarray(cv2.merge((values, values, values)), np.float32)


def multiply(picture: FloatPicture, values: Floats32) -> None:
    """Makes each pixel of a picture (h × w × 3) so many times (h × w) as bright."""
    cv2.multiply(picture, for_each_colour(values), dst=picture)


def _noise(size: tuple[int, ...], much: float, random: np.random.Generator) -> Callable[[FloatPicture, slice], None]:
    """What adds shot noise to some rows of a picture of this size, and a little that is there in the dark too.

    A field of noise is used again, shifted each time.
    """
    height, width = size
    down, across = random.integers(0, _NOISE_MARGIN, 2)
    sign = np.float32(random.choice((-1.0, 1.0)))
    whole = _noise_field(height + _NOISE_MARGIN, width + _NOISE_MARGIN)
    field = whole[down : down + height, across : across + width]
    times = sign * np.float32(much * _MIDDLE_GREY_SLOPE)

    def add(part: FloatPicture, rows: slice) -> None:
        spread = np.maximum(part, 0)
        spread *= np.float32(0.9 / _MIDDLE_GREY)
        spread += np.float32(0.1)
        np.sqrt(spread, out=spread)
        spread *= field[rows]
        spread *= times
        part += spread

    return add


@lru_cache(maxsize=1)  # 28 MB, the same for all cameras of a size
def _noise_field(height: int, width: int) -> FloatPicture:
    return np.random.default_rng(0).standard_normal((height, width, 3), dtype=np.float32)


@lru_cache(maxsize=1)
def _off_centre(height: int, width: int) -> Floats32:
    """The square of a pixel's distance from the picture's middle, 1 in the corners."""
    x = np.linspace(-1, 1, width, dtype=np.float32) ** 2
    y = np.linspace(-1, 1, height, dtype=np.float32) ** 2
    return np.asarray((y[:, None] + x[None, :]) / 2, dtype=np.float32)


def _shaken(picture: FloatPicture, motion_px: tuple[float, float]) -> Floats32:
    length = max(1, round(float(np.hypot(*motion_px))))
    kernel = np.zeros((2 * length + 1, 2 * length + 1), dtype=np.float32)
    x, y = motion_px[0] / 2, motion_px[1] / 2
    cv2.line(kernel, (round(length - x), round(length - y)), (round(length + x), round(length + y)), (1.0,))
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), dtype=np.float32)
