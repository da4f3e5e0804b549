"""What passes between the rooms of the eye: arrays by the names that say what they mean, and parts of pictures.

No type tells shapes apart. A name stands for a shape and a kind of values; a function says what differs from that.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Height × width × 3: B, G, R."""
GreyPicture = NDArray[np.uint8]
"""Height × width: one channel, 0 to 255."""
FloatPicture = NDArray[np.float32]
"""Height × width × 3: B, G, R from 0 to 255, or of white in linear light, to be calculated with."""
Mask = NDArray[np.uint8]
"""Height × width: 0, and 1 (or 255) where something is the case."""

Points = NDArray[np.float64]
"""n × 2, or 2 alone: x and y, in px unless a name says mm."""
Corners = NDArray[np.float64]
"""4 × 2, in px unless a name says mm: clockwise. Of a card that is known top left, top right, bottom right, bottom left
of its upright face; of an outline from any of its corners on."""
Outlines = NDArray[np.float64]
"""n × 4 × 2: the corners of several cards, or of what may be one."""
Homography = NDArray[np.float64]
"""3 × 3: where points of one plane are seen in another."""

Floats = NDArray[np.float64]
"""Numbers in any other shape."""
Floats32 = NDArray[np.float32]
"""The same in half the memory, and twice as fast: values of pictures, and what is calculated from them."""
Numbers = NDArray[np.integer[Any] | np.floating[Any]]
"""The same of any kind."""
ComplexPoints = NDArray[np.complex128]
"""Points as x + i y: a turn is a factor then."""
Indices = NDArray[np.intp]
"""Places in another array."""
Flags = NDArray[np.bool_]
"""What of another array is chosen."""


class Region(NamedTuple):
    """A part of the picture in its full px: left, top, width, height."""

    left: int
    top: int
    width: int
    height: int
