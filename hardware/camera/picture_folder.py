"""A folder of pictures as a camera: a recorded game, or photographs taken with a telephone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from hardware.camera import EndOfPictures, Picture
from hardware.errors import DeviceError, Fault, Part, no_foreign, reason

_ENDINGS: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})
_BEGINNINGS: Final = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"BM")
"""Of such a file. OpenCV goes by them and not by a name, and has decoders with known holes for other kinds."""


class PictureFolder:
    """Gives the pictures of a folder in the order of their names, one with each ``read``."""

    def __init__(self, folder: Path, *, repeat_last: bool = True) -> None:
        """After the last picture comes the last one again, or else EndOfPictures; raises DeviceError without any."""

        def tell(error: Exception) -> DeviceError:
            message = f"The folder of pictures {folder} cannot be read ({reason(error)}): name another."
            return DeviceError(Part.CAMERA, Fault.MISSING, message)

        with no_foreign(tell):
            found = sorted(path for path in folder.iterdir() if path.suffix.lower() in _ENDINGS)
        if not found:
            message = f"The folder {folder} holds no pictures: put JPEG or PNG files into it, or name another."
            raise DeviceError(Part.CAMERA, Fault.MISSING, message)
        self._paths = found
        self._repeat_last = repeat_last
        self._next = 0

    def read(self) -> Picture:
        """The next picture; a broken one raises DeviceError, and is passed over by the next call."""
        if self._next == len(self._paths):
            if not self._repeat_last:
                raise EndOfPictures(f"{self._paths[-1]} was the last picture.")
            self._next -= 1
        path = self._paths[self._next]
        self._next += 1

        def tell(error: Exception) -> DeviceError:
            message = f"{path} cannot be read ({reason(error)}); it is passed over."
            return DeviceError(Part.CAMERA, Fault.UNREADABLE, message)

        with no_foreign(tell):
            data = path.read_bytes()
            picture = (
                cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data.startswith(_BEGINNINGS) else None
            )
        if picture is None:
            raise DeviceError(Part.CAMERA, Fault.UNREADABLE, f"{path} is no picture, or broken; it is passed over.")
        return np.asarray(picture, np.uint8)

    def still(self) -> None:
        """None: each picture is as large as it is."""

    def close(self) -> None:
        """There is nothing to give back."""
