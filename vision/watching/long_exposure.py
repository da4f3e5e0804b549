"""What a camera above a table at rest sees with less noise than in any one picture: the mean of several."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Picture

_MOST: Final = 255
"""So many pictures are laid over one another at most: their sums fit into 16 bits."""
_TIMES: Final = 4
"""With so many times the pictures there is half the noise."""


class LongExposure:
    """The mean of the pictures of one fixed camera in which nothing changes."""

    def __init__(self, picture: Picture) -> None:
        """It begins with this picture (h × w × 3), which has been looked at."""
        self._sums = picture.astype(np.uint16)
        self._pictures = self._looked_at = 1

    @property
    def is_due(self) -> bool:
        """Whether it has four times as many pictures as when it was looked at last: half the noise."""
        return self._pictures >= _TIMES * self._looked_at

    def add(self, picture: Picture) -> None:
        """Adds the next picture."""
        if self._pictures < _MOST:
            self._pictures += 1
            cv2.add(self._sums, picture, self._sums, dtype=cv2.CV_16U)

    def look(self) -> Picture:
        """The mean (h × w × 3)."""
        self._looked_at = self._pictures
        return np.asarray(cv2.convertScaleAbs(self._sums, alpha=1 / self._pictures), np.uint8)
