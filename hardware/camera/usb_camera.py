"""USB cameras, and anything else OpenCV reads as one: a film, a stream."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from hardware.camera import Picture
from hardware.errors import DeviceError, Fault, Part
from hardware.settings import CameraSettings

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
        device = settings.device
        self._capture = cv2.VideoCapture(int(device)) if device.isdecimal() else cv2.VideoCapture(device)
        if not self._capture.isOpened():
            raise DeviceError(
                Part.CAMERA,
                Fault.MISSING,
                f"There is no camera {device}: check its cable and `device` in the settings.",
            )
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, settings.width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.height)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> Picture:
        """The newest picture, of the size nearest to the settings that the camera has."""
        for _ in range(_WAITING + 1):
            asked = self._clock()
            if not self._capture.grab():
                raise self._silent()
            if self._clock() - asked > _AT_ONCE:
                break
        is_there, picture = self._capture.retrieve()
        if not is_there:
            raise self._silent()
        if self._settings.rotation == 180:
            picture = cv2.rotate(picture, cv2.ROTATE_180)
        return np.asarray(picture, np.uint8)

    def close(self) -> None:
        """Gives the camera back."""
        self._capture.release()

    def _silent(self) -> DeviceError:
        message = f"The camera {self._settings.device} gives no pictures any more: check its cable."
        return DeviceError(Part.CAMERA, Fault.MISSING, message)
