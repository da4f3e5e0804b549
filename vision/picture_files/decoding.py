"""Reads picture files as cameras and people make them, and writes our own."""

import contextlib
import io
import re
import struct
import warnings
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from PIL import Image as Pillow

from vision.arrays import Picture
from vision.files import FileError, TooLarge, read_outside

LARGEST_BYTES: Final = 100_000_000
LARGEST_PIXELS: Final = 25_000_000
"""More than this is more memory than a small computer has."""
LONGEST_SIDE_PX: Final = 10_000
"""No camera's picture is wider, and OpenCV cannot warp one beyond 32,767."""

MOST_PASSES: Final = 40
"""In which a JPEG may come, finer each time. Cameras make ten; a file of 100,000 bytes may ask for thousands, each over
the whole picture."""

_FORMATS: Final = ("JPEG", "PNG", "WEBP", "BMP", "PPM")
"""What Pillow and OpenCV both read by themselves: for PostScript Pillow would run a program on the file. No TIFF: the
library that OpenCV brings for it has known holes."""
_BROKEN: Final = "is no picture, or broken; give a JPEG or PNG"
_TOO_LONG: Final = f"has a side of more than {LONGEST_SIDE_PX:,} px; cut or shrink it"
_TOO_MANY_PASSES: Final = f"is a JPEG of more than {MOST_PASSES} passes; save it anew"
_MARKER: Final = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
"""What ends the pixels of a pass."""
_TOO_LARGE: Final = f"has more than {LARGEST_PIXELS // 10**6} million pixels; make it smaller"


Reason = Literal["empty", "broken", "large", "long", "passes", "small", "bytes", "memory", "time", "busy"]


class PictureError(ValueError):
    """A file is no picture that can be read; the message says why and what to do, and ``reason`` why in a word."""

    def __init__(self, message: str, reason: Reason = "broken") -> None:
        super().__init__(message)
        self.reason: Reason = reason


def read_picture(path: Path, smallest_side_px: int = 1) -> Picture:
    """The picture in a file: height × width × 3, B, G, R, 8 bits, the right way up; raises PictureError.

    Grey pictures, 16-bit ones and such with an EXIF rotation come out like any other.
    """
    try:
        data = read_outside(path, LARGEST_BYTES)
    except TooLarge as error:
        raise PictureError(f"{path} is too large for a picture ({error}); give a JPEG or PNG.", "bytes") from error
    except FileError as error:
        raise PictureError(f"{path} cannot be read ({error}).") from error
    return picture_in(data, str(path), smallest_side_px)


def picture_in(data: bytes, name: str, smallest_side_px: int = 1, *, halved_from_pixels: int | None = None) -> Picture:
    """The picture in a file's bytes, as from ``read_picture``; raises PictureError that begins with the file's name.

    One of more than ``halved_from_pixels`` comes with half its sides: that takes a quarter of the memory.
    """
    try:
        pixels = _checked_pixels(data)
        is_halved = halved_from_pixels is not None and pixels > halved_from_pixels
        picture = _decoded(data, cv2.IMREAD_REDUCED_COLOR_2 if is_halved else cv2.IMREAD_COLOR)
    except PictureError as error:
        raise PictureError(f"{name} {error}.", error.reason) from error
    height, width = picture.shape[:2]
    if min(height, width) < smallest_side_px:
        raise PictureError(f"{name} has only {width} x {height} px; take a larger picture.", "small")
    return picture


def png_of(picture: Picture) -> bytes:
    """The bytes of a file with this picture: height × width × 3, B, G, R."""
    _, encoded = cv2.imencode(".png", picture)
    return encoded.tobytes()


def _decoded(data: bytes, way: int) -> Picture:
    picture: Picture | None = None
    with contextlib.suppress(cv2.error):  # OpenCV has bounds of its own
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), way)  # type: ignore[assignment]
    if picture is None:
        raise PictureError(_BROKEN)
    return picture


def _checked_pixels(data: bytes) -> int:
    """How many a picture has that can be read to its end, else raises PictureError.

    OpenCV would fill up what is missing with grey.
    """
    if not data:
        raise PictureError("is empty; take the picture again", "empty")
    if _passes(data) > MOST_PASSES:
        raise PictureError(_TOO_MANY_PASSES, "passes")
    try:
        # Photographs whose notes on camera and place are damaged bring warnings, but are whole.
        with warnings.catch_warnings(action="ignore"), Pillow.open(io.BytesIO(data), formats=_FORMATS) as picture:
            width, height = picture.size
            _check_size(width, height)
            # All of a JPEG is read, but it comes out with an eighth of its sides: whole it takes more memory than the
            # picture that is kept.
            picture.draft(None, (1, 1))
            picture.load()
    except Pillow.DecompressionBombError as error:
        raise PictureError(_TOO_LARGE, "large") from error
    except PictureError:
        raise
    except (OSError, ValueError, SyntaxError, LookupError, TypeError, ArithmeticError, EOFError, struct.error) as error:
        raise PictureError(_BROKEN) from error  # Pillow raises whatever comes up where a picture contradicts itself
    return width * height


def _check_size(width: int, height: int) -> None:
    if width * height > LARGEST_PIXELS:
        raise PictureError(_TOO_LARGE, "large")
    if max(width, height) > LONGEST_SIDE_PX:
        raise PictureError(_TOO_LONG, "long")


def _passes(data: bytes) -> int:
    """In how many passes a JPEG's pixels come; 0 for what is none. What lies behind its end does not count."""
    passes, place = 0, 2
    while data.startswith(b"\xff\xd8") and passes <= MOST_PASSES:
        found = _MARKER.search(data, place)
        if found is None or found[0] == b"\xff\xd9":
            break
        # A segment tells its length; behind the one that begins a pass its pixels follow, up to the next marker.
        passes += found[0] == b"\xff\xda"
        place = found.end() + int.from_bytes(data[found.end() : found.end() + 2])
    return passes
