"""Notices that the light is no more the one that a camera has measured and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hardware.camera import Picture

_EVERY: Final = 16
"""Every so many rows and columns are looked at."""
_FULL: Final = 250
_MOST_FULL: Final = 0.2
_STEADY: Final = 1.25
"""By so much the mean may vary in a light that is there to stay; under hands it varies more."""


class LightWatch:
    """Compares pictures with the first one after the light was measured."""

    def __init__(self, seconds: float = 5.0) -> None:
        """Other light has to stay for so long: a hand in front of the lens moves on."""
        self._seconds = seconds
        self._measured: tuple[float, float] | None = None
        self._mean = 0.0
        self._since: float | None = None

    def forget(self) -> None:
        """The camera is opened anew: what it measures then counts."""
        self._measured = self._since = None

    def is_other(self, picture: Picture, at_seconds: float) -> bool:
        """Whether light is half or double, or a fifth of the picture white, for long enough; in monotonic seconds."""
        import numpy as np  # noqa: PLC0415 - heavy, and the first screen need not wait for it

        few = picture[::_EVERY, ::_EVERY]
        mean = max(float(np.mean(few)), 1.0)
        full = float(np.mean(np.min(few, axis=2) >= _FULL))
        if self._measured is None:
            self._measured = mean, full
        was_mean, was_full = self._measured
        # What was too white at once after measuring would be so again: a lamp that is reflected by the table.
        is_white = full >= _MOST_FULL > was_full
        if not is_white and was_mean / 2 <= mean <= 2 * was_mean:
            self._since = None
        elif self._since is None or not self._mean / _STEADY <= mean <= self._mean * _STEADY:
            self._since, self._mean = at_seconds, mean
        return self._since is not None and at_seconds - self._since >= self._seconds
