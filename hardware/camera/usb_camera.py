"""USB cameras, and anything else OpenCV reads as one: a film, a stream."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from hardware.camera import Picture
from hardware.errors import DeviceError, Fault, Part, no_foreign, reason
from hardware.settings import CameraSettings

_LONGEST_NAME: Final = 60
_WAITING: Final = 4
"""Pictures that can wait in the camera's driver, taken before anybody asked."""
_AT_ONCE: Final = 0.005
"""A picture that comes within so many seconds has been waiting."""


class UsbCamera:
    """A camera by OpenCV; raises DeviceError where there is none."""

    def __init__(self, settings: CameraSettings, clock: Callable[[], float] = time.monotonic) -> None:
        """Opens the camera, or the film if ``device`` names a file."""
        self._settings = settings
        self._clock = clock
        # A number that is too large for OpenCV is a camera that is not there, too.
        with no_foreign(lambda error: self._missing(f" ({reason(error)})")):
            device = settings.device
            self._capture = cv2.VideoCapture(int(device)) if device.isdecimal() else cv2.VideoCapture(device)
            try:
                self._set_up()
            except Exception:
                self.close()
                raise

    def read(self) -> Picture:
        """The newest picture, of the size nearest to the settings that the camera has."""
        with no_foreign(lambda error: self._silent(f" ({reason(error)})")):
            for _ in range(_WAITING + 1):
                asked = self._clock()
                if not self._capture.grab():
                    raise self._silent()
                if self._clock() - asked > _AT_ONCE:
                    break
            is_there, picture = self._capture.retrieve()
            if not is_there:
                raise self._silent()
            picture = self._shaped(np.asarray(picture, np.uint8))
            return np.asarray(cv2.rotate(picture, cv2.ROTATE_180)) if self._settings.rotation == 180 else picture

    def still(self) -> None:
        """None: to change the size of its pictures such a camera is opened anew, and many show another part then."""

    def close(self) -> None:
        """Gives the camera back; never raises."""
        with contextlib.suppress(Exception):
            self._capture.release()

    def _set_up(self) -> None:
        if not self._capture.isOpened():
            raise self._missing()
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._settings.width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._settings.height)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def _shaped(self, picture: Picture) -> Picture:
        """OpenCV 4.11 gives what it does not convert as a row of bytes, also what is B, G, R in the driver already."""
        if picture.ndim == 3 and picture.shape[2] == 3:
            return picture
        width, height = (
            round(self._capture.get(which)) for which in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
        if picture.size != height * width * 3:
            name = self._settings.device[:_LONGEST_NAME]
            message = f"The camera {name} gives its pictures in a form that cannot be read: take another camera."
            raise DeviceError(Part.CAMERA, Fault.UNREADABLE, message)
        return picture.reshape(height, width, 3)

    def _missing(self, why: str = "") -> DeviceError:
        name = self._settings.device[:_LONGEST_NAME]
        message = f"There is no camera {name}{why}: check its cable and `device` in the settings."
        return DeviceError(Part.CAMERA, Fault.MISSING, message)

    def _silent(self, why: str = "") -> DeviceError:
        message = f"The camera {self._settings.device} gives no pictures any more{why}: check its cable."
        return DeviceError(Part.CAMERA, Fault.MISSING, message)
