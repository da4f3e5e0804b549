"""What a camera above a table at rest sees with less noise than in any one picture: the mean of several."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask, Picture

_MOST: Final = 255
"""So many pictures are laid over one another at most: their sums fit into 16 bits."""
_LONG: Final = _MOST // 4
_ROWS: Final = 64
_TIMES: Final = 4
"""With so many times the pictures there is half the noise."""


class LongExposure:
    """The mean of the pictures of one fixed camera, at each place of those since something has changed there."""

    def __init__(self, picture: Picture) -> None:
        """It begins with this picture (h × w × 3), which has been looked at."""
        self._sums = picture.astype(np.uint16)
        self._counts: NDArray[np.uint16] | None = None
        """Of how many pictures each place is the sum (h/4 × w/4); None where all are of as many."""
        self._pictures = self._looked_at = 1

    @property
    def is_due(self) -> bool:
        """Whether it has four times as many pictures as when it was looked at last: half the noise.

        Where something has changed since it began only those since then count.
        """
        return self._pictures >= _TIMES * self._looked_at

    @property
    def is_long(self) -> bool:
        """Whether it may run full before what changes now has become as clear as the rest."""
        return self._most() > _LONG

    def add(self, picture: Picture) -> None:
        """Adds the next picture."""
        if self._most() < _MOST:
            self._pictures += 1
            cv2.add(self._sums, picture, self._sums, dtype=cv2.CV_16U)
            if self._counts is not None:
                self._counts += 1

    def add_changed(self, picture: Picture, places: Mask) -> None:
        """Adds the next picture, which shows something else in these places (1, h/4 × w/4): there it is the first."""
        if self._counts is None:
            self._counts = np.full(places.shape, self._pictures, np.uint16)
        self.add(picture)
        self._counts[places > 0] = 1
        changed = cv2.resize(places, picture.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        cv2.copyTo(picture.astype(np.uint16), changed, self._sums)
        self._pictures = self._looked_at = 1

    def look(self) -> Picture:
        """The mean (h × w × 3)."""
        self._looked_at = self._pictures
        if self._counts is None:
            return np.asarray(cv2.convertScaleAbs(self._sums, alpha=1 / self._pictures), np.uint8)
        height, width = self._sums.shape[:2]
        mean = np.empty(self._sums.shape, np.uint8)
        counts = cv2.resize(self._counts, (width, height), interpolation=cv2.INTER_NEAREST)
        for top in range(0, height, _ROWS):  # all at once would take three times the picture's memory
            rows = slice(top, top + _ROWS)
            cv2.divide(self._sums[rows], cv2.merge([counts[rows]] * 3), mean[rows], dtype=cv2.CV_8U)
        return mean

    def _most(self) -> int:
        """Of how many pictures it is where it is of most."""
        return self._pictures if self._counts is None else int(self._counts.max())
