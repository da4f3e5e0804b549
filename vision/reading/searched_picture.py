"""A picture in which cards are looked for, in all of it or where it has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Mask, Picture, Points, Region
from vision.outlines.outline_masks import SHRINK, share_changed, without_cards

_HALF: Final = 0.5
_SMALLEST_PART_PX: Final = 13


class Part(NamedTuple):
    """A part of a picture, shrunk: its top left corner (x, y) in the whole picture, shrunk likewise, and that scale."""

    picture: Picture
    corner: tuple[float, float]
    scale: float


class Changed(NamedTuple):
    """Where a picture has changed: in which regions to look for what has come, and in which ``places``.

    Those (``vision.outlines.outline_masks``) are all that shows that something has come; None if they are not known.
    """

    regions: Sequence[Region]
    places: Mask | None = None


class SearchedPicture:
    """A picture, and where in it to look: where it has ``changed``, or everywhere if that is None."""

    def __init__(self, picture: Picture, changed: Changed | None) -> None:
        self.whole = picture
        self.size = (picture.shape[1], picture.shape[0])
        self._regions, self._places = Changed([Region(0, 0, *self.size)]) if changed is None else changed

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

    def changed_besides(self, cards: Sequence[Corners]) -> Callable[[Corners], bool]:
        """What tells whether anything has changed at a place (4 × 2, px), besides that these cards have come."""
        if self._places is None:
            return lambda _: True
        # The places are those of a larger picture if that was too large.
        larger = self._places.shape[1] * SHRINK / self.size[0]
        left = without_cards(self._places, [corners * larger for corners in cards])
        return lambda corners: share_changed(left, corners * larger) > 0


def resized(picture: Picture, scale: float) -> Picture:
    """A picture at this scale of its size; the same where that is 1."""
    if scale == 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
