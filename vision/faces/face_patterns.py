"""A deck's faces as patterns that light does not change: what is lighter or darker than its surroundings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Picture
from vision.faces.card_shape import CardShape

_PX_PER_MM: Final = 0.6
_GRID: Final = (6, 4)
_MUCH_CONTRAST: Final = 0.6


class FacePatterns:
    """The patterns of a deck's faces, in each colour."""

    def __init__(self, faces: Sequence[Picture], shape: CardShape) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces."""
        self._shape, self._size = shape, _size_px(shape.card_mm)
        shrunk = [cv2.resize(face, self._size, interpolation=cv2.INTER_AREA) for face in faces]
        patterns = [_pattern(np.asarray(face, np.uint8)) for face in shrunk]
        self._parts = np.stack([_parts(pattern) for pattern in patterns])
        self._part_contrast = np.stack([_part_contrast(pattern) for pattern in patterns])

    def likeness(self, half: Picture, corners: Corners, face: int) -> float:
        """How well the middle one of its parts fits at just this place (px), in the picture at half its size."""
        return self.likenesses(half, corners, [face])[0]

    def likenesses(self, half: Picture, corners: Corners, faces: Sequence[int]) -> list[float]:
        """The same of several faces."""
        seen = _parts(_pattern(self._cut(half, corners)))
        fits = np.einsum("fpv,pv->fp", self._parts[faces], seen)
        # The middle one, not the mean: what Emma or a gleam hides fits by no means, and is less than half of a card.
        return [_weighted_median(*both) for both in zip(fits, self._part_contrast[faces], strict=True)]

    def _cut(self, half: Picture, corners: Corners) -> Picture:
        """What lies there, upright; the corners are in px of the whole picture."""
        (width, height), (width_mm, height_mm) = self._size, self._shape.card_mm
        step_x, step_y = width_mm / width, height_mm / height
        to_card = np.array([[step_x, 0, (step_x - width_mm) / 2], [0, step_y, (step_y - height_mm) / 2], [0, 0, 1]])
        to_half = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
        matrix = to_half @ self._shape.homography(corners) @ to_card
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(half, matrix, self._size, flags=how, borderMode=cv2.BORDER_REPLICATE))


def _size_px(card_mm: tuple[float, float]) -> tuple[int, int]:
    """A card's width and height in px, about; a whole number for each part of the grid."""
    rows, columns = _GRID
    return columns * round(card_mm[0] * _PX_PER_MM / columns), rows * round(card_mm[1] * _PX_PER_MM / rows)


def _pattern(picture: Picture) -> Floats32:
    """What is lighter or darker than its surroundings, in each colour, where contrast is weak as where it is strong."""
    values = np.asarray(picture, dtype=np.float32)
    contrast = values - cv2.GaussianBlur(values, (0, 0), 5 * _PX_PER_MM)
    strength = cv2.GaussianBlur(contrast * contrast, (0, 0), 8 * _PX_PER_MM)
    return np.asarray(contrast / np.sqrt(strength + 25), dtype=np.float32)


def _cut_up(pattern: Floats32) -> Floats32:
    """The values (parts × n) in each part of a grid."""
    (rows, columns), (height, width) = _GRID, pattern.shape[:2]
    cut = pattern.reshape(rows, height // rows, columns, width // columns, -1).swapaxes(1, 2)
    return cut.reshape(rows * columns, -1)


def _parts(pattern: Floats32) -> Floats32:
    """A pattern cut into a grid of parts, each flat and of length one."""
    return unit_rows(_cut_up(pattern))


def _part_contrast(pattern: Floats32) -> Floats32:
    """How much there is to see in each part, as shares of one; an empty one tells nothing."""
    contrast = _cut_up(pattern).std(axis=1)
    contrast = np.minimum(contrast, _MUCH_CONTRAST * np.median(contrast))
    return np.asarray(contrast / max(float(contrast.sum()), 1e-6), dtype=np.float32)


def _weighted_median(values: Floats32, weights: Floats32) -> float:
    order = np.argsort(values)
    half = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    return float(values[order[min(half, len(order) - 1)]])


def unit_rows(rows: Floats32) -> Floats32:
    """Each row flat (its mean 0) and of length one: their products are correlations."""
    flat = rows - rows.mean(axis=1, keepdims=True)
    lengths = np.sqrt(np.einsum("rv,rv->r", flat, flat))[:, None]
    return np.asarray(flat / np.maximum(lengths, 1e-6), dtype=np.float32)
