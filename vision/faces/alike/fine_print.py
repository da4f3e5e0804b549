"""What is printed on a card: how much lighter or darker a spot is than its surroundings."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Flags, Floats32, Picture

PX_PER_MM: Final = 2.0
"""A numeral 3.5 mm high has strokes of about half a millimetre: a pixel of this size shows them."""
SMOOTH_PX: Final = 0.6
_COARSE_PX: Final = 3.0


def shrunk(face: Picture, size: tuple[int, int]) -> Picture:
    """A face (B, G, R) as small as cards are looked at here."""
    small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), SMOOTH_PX), np.uint8)


def log_light(picture: cv2.typing.MatLike) -> Floats32:
    """The logarithm of the brightness, where what is nearly black is all the same."""
    return np.asarray(np.log(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32) + 8.0), np.float32)


def log_tints(picture: cv2.typing.MatLike) -> Floats32:
    """How much bluer and redder than green each spot is (h × w × 2, logarithms), where what is nearly black is grey."""
    light = np.log(picture.astype(np.float32) + 8.0)
    return np.asarray(light[..., ::2] - light[..., 1:2], np.float32)


def softened(light: Floats32, blur_px: float) -> Floats32:
    """The same as a less sharp picture shows it; as it is if there is no blur."""
    if blur_px <= 0:
        return light
    return np.asarray(cv2.GaussianBlur(light, (0, 0), blur_px), np.float32)


def raised(light: Floats32, surroundings_mm: float, within: Flags) -> Floats32:
    """How much lighter or darker a spot is than its surroundings, of which only those count that lie within.

    What lies beside a card, or on it, would make a halo around its border, in which a numeral may be.
    """
    sigma, counted = surroundings_mm * PX_PER_MM, within.astype(np.float32)
    # What is so wide changes little from pixel to pixel.
    coarse = max(1.0, sigma / _COARSE_PX)
    size = (max(1, round(light.shape[1] / coarse)), max(1, round(light.shape[0] / coarse)))

    def spread(what: Floats32) -> cv2.typing.MatLike:
        small = cv2.resize(what, size, interpolation=cv2.INTER_AREA)
        return cv2.GaussianBlur(small, (0, 0), sigma / coarse, borderType=cv2.BORDER_CONSTANT)

    there = counted if light.ndim == 2 else counted[..., None]
    among = np.maximum(spread(counted), 1e-3)
    around = spread(light * there) / (among if light.ndim == 2 else among[..., None])
    surroundings = cv2.resize(around, light.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(there * (light - surroundings), np.float32)
