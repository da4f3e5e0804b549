"""Whether the lamp or the camera has gone out, and how bright a picture is."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Picture

_DARK: Final = 0.25
"""The part of its light with which a picture shows nothing any more."""
_BLACK: Final = 24
_BLACK_SHARE: Final = 0.995
"""Where so much is no brighter than that, which is what noise and stray light come to, nothing can be read."""


def brightness(picture: Picture) -> float:
    """How bright a picture (h × w × 3) is, in levels."""
    return float(picture[::64, ::64].mean())


def is_dark(picture: Picture, usual: float | None) -> bool:
    """Whether a picture shows nothing for want of light; ``usual`` is how bright one was that could be read."""
    if usual is not None and brightness(picture) < _DARK * usual:
        return True
    return float(np.mean(picture[::16, ::16] < _BLACK)) >= _BLACK_SHARE
