"""Reads picture files as cameras and people make them."""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

LARGEST_BYTES: Final = 100_000_000
LARGEST_PX: Final = 60_000_000
SMALLEST_SIDE_PX: Final = 120


class PictureError(ValueError):
    """A file is no picture that can be read; the message says why and what to do."""


def read_picture(path: Path) -> NDArray[np.uint8]:
    """The picture in a file: height × width × 3, B, G, R, 8 bits, the right way up; raises PictureError.

    Grey pictures, 16-bit ones and such with an EXIF rotation come out like any other.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = error.strerror if isinstance(error, OSError) else error
        raise PictureError(f"{path}: cannot be read ({reason}).") from error
    if not data:
        raise PictureError(f"{path}: empty; take the picture again.")
    if len(data) > LARGEST_BYTES:
        raise PictureError(f"{path}: too large for a picture; give a JPEG or PNG.")
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureError(f"{path}: too large to be read; give a smaller picture.") from error
    if picture is None:
        raise PictureError(f"{path}: no picture, or damaged; give a JPEG or PNG.")
    height, width = picture.shape[:2]
    if min(height, width) < SMALLEST_SIDE_PX:
        raise PictureError(f"{path}: only {width} x {height} px; cards cannot be read in it.")
    if height * width > LARGEST_PX:
        raise PictureError(f"{path}: {width} x {height} px are more than needed; give at most 60 megapixels.")
    return np.asarray(picture, dtype=np.uint8)
