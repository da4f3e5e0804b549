"""How good a picture is to read cards in: how sharp, how bright."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hardware.camera import Picture

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FAR_PX: Final = 12
_OUTLINES: Final = 99.5
"""The percentile of differences that counts as an outline's."""
_PERFECT: Final = 0.1
"""What comes out for a picture full of details as fine as its pixels, smoothed as here."""
_LEAST_CONTRAST: Final = 25.0
_FULL: Final = 250
_DARK: Final = 25.0
_GLARE: Final = 0.12
SHARP_ENOUGH: Final = 18
"""Pictures of cards come here when they are blurred by about two pixels."""


class Light(NamedTuple):
    """How bright a picture is: the mean of its values (0 to 255), and the share of pixels that are full."""

    mean: float
    full: float

    @property
    def is_dark(self) -> bool:
        """Whether noise makes cards hard to read."""
        return self.mean < _DARK

    @property
    def has_glare(self) -> bool:
        """Whether so much is white that cards may lie in it."""
        return self.full > _GLARE


def sharpness_of(picture: Picture) -> int | None:
    """How sharp the outlines are: 100 where everything is as fine as the pixels; sharp pictures of cards have 30 to 80.

    None where there are no outlines, as on a bare table. Light and size of the picture do not matter.
    """
    import cv2
    import numpy as np

    # Noise would look like sharp outlines.
    smooth = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 0.8)
    grey = np.asarray(smooth, np.float32)
    if min(grey.shape) <= _FAR_PX:
        return None
    far = np.maximum(_step(grey, _FAR_PX, 0), _step(grey, _FAR_PX, 1))
    # Without outlines only noise would be measured.
    if float(np.percentile(far, _OUTLINES)) < _LEAST_CONTRAST:
        return None
    # A step's differences between neighbours are the fewer and the larger the sharper it is; those over a distance
    # stay the same. Squared, their sum tells in how few pixels the steps are made.
    near = np.hypot(_step(grey, 1, 0), _step(grey, 1, 1))
    both = np.hypot(_step(grey, _FAR_PX, 0), _step(grey, _FAR_PX, 1))
    return min(round(100 * float(np.square(near).mean() / np.square(both).mean()) / _PERFECT), 100)


def _step(grey: NDArray[np.float32], distance: int, axis: int) -> NDArray[np.float32]:
    """By how much pixels so far apart differ (h × w, cut to the same size along both axes)."""
    import numpy as np

    height, width = (side - _FAR_PX for side in grey.shape)
    moved = grey[distance:, :] if axis == 0 else grey[:, distance:]
    return np.asarray(np.abs(moved[:height, :width] - grey[:height, :width]), np.float32)


def light_of(picture: Picture) -> Light:
    """How bright a picture is."""
    small = picture[::4, ::4]
    return Light(float(small.mean()), float((small.min(axis=2) >= _FULL).mean()))
