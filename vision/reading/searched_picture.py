"""A picture in which cards are looked for, in all of it or in some parts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Picture, Points, Region

_HALF: Final = 0.5
_SMALLEST_PART_PX: Final = 13


class Part(NamedTuple):
    """A part of a picture, shrunk: its top left corner (x, y) in the whole picture, shrunk likewise, and that scale."""

    picture: Picture
    corner: tuple[float, float]
    scale: float


class SearchedPicture:
    """A picture, and where in it to look: in these ``regions``, or everywhere if there are none given."""

    def __init__(self, picture: Picture, regions: Sequence[Region] | None) -> None:
        self.whole = picture
        self.size = (picture.shape[1], picture.shape[0])
        self._regions = [Region(0, 0, *self.size)] if regions is None else list(regions)

    @cached_property
    def half(self) -> Picture:
        """The whole picture at half its size: cards are laid on there."""
        return resized(self.whole, _HALF)

    def parts(self, scale: float, around: int) -> list[Part]:
        """The parts in which to look, at this scale of the picture's size, with so many px of the whole around each."""
        known_scale = _HALF if scale <= _HALF else 1.0
        factor = scale / known_scale
        parts = []
        for region in self._regions:
            left, top = (max(int((side - around) * known_scale), 0) for side in region[:2])
            right, bottom = (round((region[side] + region[side + 2] + around) * known_scale) for side in (0, 1))
            cropped = self._cropped(slice(top, bottom), slice(left, right), known_scale)
            if min(cropped.shape[:2]) * factor < _SMALLEST_PART_PX:
                continue
            parts.append(Part(resized(cropped, factor), (left * factor, top * factor), scale))
        return parts

    def _cropped(self, rows: slice, columns: slice, scale: float) -> Picture:
        """These rows and columns of the picture at half its size or in full."""
        if scale == 1:
            return self.whole[rows, columns]
        if "half" in vars(self):
            return self.half[rows, columns]
        # To halve all of it takes longer than anything else where little is looked at; its pixels are the same.
        double = (slice(2 * one.start, 2 * one.stop) for one in (rows, columns))
        return resized(self.whole[tuple(double)], _HALF)

    def is_looked_at(self, place: Points, around: float = 0.0) -> bool:
        """Whether the picture is looked at there (x, y), or within so many px ``around`` it."""
        x, y = place.tolist()
        return any(
            left - around <= x < left + width + around and top - around <= y < top + height + around
            for left, top, width, height in self._regions
        )


def resized(picture: Picture, scale: float) -> Picture:
    """A picture at this scale of its size; the same where that is 1."""
    if scale == 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
