"""Notices a camera that gives pictures and yet sees nothing: always the same one, or black."""

from __future__ import annotations

from typing import Final

from hardware.camera import Picture
from hardware.errors import DeviceError, Fault, Part

_EVERY: Final = 16
"""Every so many rows are looked at: a picture anew differs by its noise in each of them."""
_BLACK: Final = 24
_BLACK_SHARE: Final = 0.995


class PictureWatch:
    """Looks at each picture of a real camera; one that is drawn or recorded may well repeat itself."""

    def __init__(self, frozen_seconds: float = 5.0, dark_seconds: float = 3.0) -> None:
        """How long a picture may stay the same to the last bit, and how long it may be black."""
        self._frozen_seconds = frozen_seconds
        self._dark_seconds = dark_seconds
        self._rows: Picture | None = None
        self._same_since = 0.0
        self._dark_since: float | None = None

    def look(self, picture: Picture, at_seconds: float) -> None:
        """Takes a picture of a monotonic time; raises DeviceError (dark or frozen) for as long as it is so."""
        import numpy as np  # noqa: PLC0415 - heavy, and the first screen need not wait for it

        rows = picture[_EVERY // 2 :: _EVERY] if len(picture) > _EVERY else picture
        is_dark = float(np.mean(rows < _BLACK)) >= _BLACK_SHARE
        if not is_dark:
            self._dark_since = None
        elif self._dark_since is None:
            self._dark_since = at_seconds
        if self._rows is None or not np.array_equal(rows, self._rows):
            self._rows = rows.copy()
            self._same_since = at_seconds
        if self._dark_since is not None and at_seconds - self._dark_since >= self._dark_seconds:
            message = "The camera sees only black: is there light, and is nothing in front of the lens?"
            raise DeviceError(Part.CAMERA, Fault.DARK, message)
        if at_seconds - self._same_since >= self._frozen_seconds:
            message = "The camera gives the same picture again and again: it is opened anew."
            raise DeviceError(Part.CAMERA, Fault.FROZEN, message)
