"""Time at a table that is not there: it can be hurried."""

from __future__ import annotations

import threading
import time
from typing import Final

PICTURE_SECONDS: Final = 0.4
"""The time from one picture to the next, where time is counted in pictures."""


class TableClock:
    """Seconds as on the wall; hurried, PICTURE_SECONDS with each picture, however long that takes."""

    def __init__(self, *, is_hurried: bool = False) -> None:
        self._lock = threading.Lock()
        self._is_hurried = is_hurried
        self._ahead = 0.0
        self._stands_at = time.monotonic()

    def __call__(self) -> float:
        """The time; never goes back."""
        with self._lock:
            return self._stands_at if self._is_hurried else time.monotonic() + self._ahead

    def hurry(self, is_hurried: bool) -> None:
        """Counts pictures from now on, or goes as on the wall again."""
        with self._lock:
            if is_hurried and not self._is_hurried:
                self._stands_at = time.monotonic() + self._ahead
            elif self._is_hurried and not is_hurried:
                self._ahead = self._stands_at - time.monotonic()
            self._is_hurried = is_hurried

    @property
    def is_hurried(self) -> bool:
        """Whether pictures are counted."""
        with self._lock:
            return self._is_hurried

    def tick(self) -> None:
        """A picture has been taken, or was tried to be."""
        with self._lock:
            self._stands_at += PICTURE_SECONDS
