"""The Raspberry Pi's own cameras, by picamera2."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from hardware.camera import Picture
from hardware.errors import DeviceError, Fault, Part
from hardware.settings import CameraSettings

_FLICKER_US: Final = 10_000
"""Lamps on 50 Hz are bright and dark a hundred times a second: exposures of whole hundredths see no stripes."""
_LONGEST_FRAME_US: Final = 100_000
_PATIENCE: Final = 0.8
"""The part of a deadline after which picamera2 gives up by itself, before its caller leaves its thread behind."""
_NOT_INSTALLED: Final = (
    "picamera2 is not installed ({}): install python3-picamera2 from the system's packages "
    "and make the virtual environment with --system-site-packages."
)


class PiCamera:
    """A camera on the Pi's ribbon cable, with light and focus measured once and then kept.

    Its calls may block for ever with a loose cable: use it inside a ``GuardedCamera``.
    """

    def __init__(self, settings: CameraSettings, sleep: Callable[[float], None] = time.sleep) -> None:
        """Opens the camera and lets it settle; raises DeviceError."""
        picamera2, transform = _modules()
        self._settings = settings
        turned = settings.rotation == 180
        self._transform = transform(hflip=turned, vflip=turned)
        number = int(settings.device) if settings.device.isdecimal() else 0
        try:
            found = len(picamera2.Picamera2.global_camera_info())
            if number >= found:
                message = f"There is no camera {number}, only {found} answer: switch off, then check the ribbon cable."
                raise DeviceError(Part.CAMERA, Fault.MISSING, message)
            self._camera = picamera2.Picamera2(number)
        except (RuntimeError, OSError, IndexError) as error:
            message = f"The camera cannot be opened ({error}): does another program use it?"
            raise DeviceError(Part.CAMERA, Fault.IN_USE, message) from error
        try:
            self._settle(sleep)
        except BaseException:
            self.close()
            raise

    def read(self) -> Picture:
        """A picture taken after the call; raises DeviceError."""
        try:
            picture = self._camera.capture_array("main", wait=_PATIENCE * self._settings.read_seconds)
        except (RuntimeError, OSError) as error:  # TimeoutError is an OSError
            raise _silent(error) from error
        return np.ascontiguousarray(picture[:, :, :3])

    def close(self) -> None:
        """Gives the camera back; may block if its cable is loose."""
        self._camera.close()

    def _settle(self, sleep: Callable[[float], None]) -> None:
        """Measures light, white and focus by the camera's own automatics, and starts it anew without them."""
        settings = self._settings
        try:
            self._start({"FrameDurationLimits": (33_333, _LONGEST_FRAME_US)})
            if "AfMode" in self._camera.camera_controls:
                self._camera.autofocus_cycle(wait=settings.open_seconds / 2)
            sleep(settings.settle_seconds)
            measured = self._camera.capture_metadata(wait=_PATIENCE * settings.read_seconds)
            self._camera.stop()
            self._start(steady_controls(measured))
        except (RuntimeError, OSError) as error:
            raise _silent(error) from error

    def _start(self, controls: Mapping[str, Any]) -> None:
        settings = self._settings
        self._camera.configure(
            self._camera.create_video_configuration(
                # The name means the order in a number: in memory this is B, G, R.
                main={"size": (settings.width, settings.height), "format": "RGB888"},
                transform=self._transform,
                # More do not fit into 512 MB; none is kept waiting, so that every picture is new.
                buffer_count=2,
                queue=False,
                display=None,
                encode=None,
                controls=dict(controls),
            )
        )
        self._camera.start()


def steady_controls(measured: Mapping[str, Any]) -> dict[str, Any]:
    """Controls that keep the light, white and focus of a picture's metadata, without stripes from lamps."""
    exposure, gain = int(measured["ExposureTime"]), float(measured["AnalogueGain"])
    steady = max(1, exposure // _FLICKER_US) * _FLICKER_US
    if exposure < _FLICKER_US:
        steady = exposure  # daylight: nothing flickers, and longer would be too bright
    controls: dict[str, Any] = {
        "AeEnable": False,
        "ExposureTime": steady,
        "AnalogueGain": gain * exposure / steady,
        "AwbEnable": False,
        "ColourGains": tuple(measured["ColourGains"]),
        "FrameDurationLimits": (33_333, _LONGEST_FRAME_US),
    }
    if "LensPosition" in measured:
        controls |= {"AfMode": 0, "LensPosition": float(measured["LensPosition"])}  # 0: by hand
    return controls


def _modules() -> tuple[Any, Any]:
    """picamera2, and how pictures are turned; raises DeviceError on a machine without them."""
    try:
        import picamera2  # noqa: PLC0415 - only machines with such a camera have it
        from libcamera import Transform  # noqa: PLC0415
    except ImportError as error:
        raise DeviceError(Part.CAMERA, Fault.NOT_INSTALLED, _NOT_INSTALLED.format(error)) from error
    return picamera2, Transform


def _silent(error: Exception) -> DeviceError:
    reason = str(error) or "no picture in time"
    message = f"The camera gives no pictures ({reason}): switch off, then check both ends of the ribbon cable."
    return DeviceError(Part.CAMERA, Fault.MISSING, message)
