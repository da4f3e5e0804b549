"""What a camera above a table at rest sees with less noise than in any one picture: the mean of several."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Mask, Picture
from vision.watching.hands import SHRINK

_MOST: Final = 255
"""So many pictures are laid over one another at most: their sums fit into 16 bits."""
_TIMES: Final = 4
"""With so many times the pictures there is half the noise."""
_AROUND: Final = np.ones((3, 3), np.uint8)
"""A place is not said to have changed if what has come fills it only in part."""


class LongExposure:
    """The mean of the pictures of one fixed camera: at each place of those since something changed there."""

    def __init__(self, picture: Picture) -> None:
        """It begins with this picture (h × w × 3), which has been looked at."""
        self._sums = picture.astype(np.uint16)
        self._counts = np.ones((picture.shape[0] // SHRINK, picture.shape[1] // SHRINK), np.uint8)
        self._pictures = self._looked_at = 1

    @property
    def is_due(self) -> bool:
        """Whether it has four times as many pictures as when it was looked at last: half the noise."""
        return self._pictures >= _TIMES * self._looked_at

    def add(self, picture: Picture, changed: Mask | None = None) -> None:
        """Adds the next picture; where something has ``changed`` (1, h/4 × w/4) it begins anew."""
        self._pictures += 1
        if self._counts.max() < _MOST:
            self._counts += 1
            cv2.add(self._sums, picture, self._sums, dtype=cv2.CV_16U)
        if changed is not None and changed.any():
            anew = np.asarray(cv2.dilate(changed, _AROUND), np.uint8)
            self._counts[anew > 0] = 1
            cv2.copyTo(picture.astype(np.uint16), self._full_size(anew), self._sums)

    def look(self) -> Picture:
        """The mean (h × w × 3)."""
        self._looked_at = self._pictures
        counts = np.unique(self._counts).tolist()
        mean = self._divided_by(counts.pop())
        for count in counts:
            cv2.copyTo(self._divided_by(count), self._full_size((self._counts == count).astype(np.uint8)), mean)
        return mean

    def _divided_by(self, count: int) -> Picture:
        return np.asarray(cv2.convertScaleAbs(self._sums, alpha=1 / count), np.uint8)

    def _full_size(self, places: Mask) -> Mask:
        height, width = self._sums.shape[:2]
        return np.asarray(cv2.resize(places, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
