"""The Raspberry Pi's own cameras, by picamera2."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from hardware.camera import Picture
from hardware.camera.lens_memory import LensMemory
from hardware.camera.pi_light import LIVELY, is_steady, not_taken, steady_controls
from hardware.errors import DeviceError, Fault, Part, no_foreign, reason
from hardware.settings import CameraSettings

_PATIENCE: Final = 0.8
"""The part of a deadline after which picamera2 gives up by itself, before its caller leaves its thread behind."""
_FOCUS_SECONDS: Final = 8.0
"""A lens needs one or two; some that look down on a table search for 25 and more."""
_TRIES: Final = 2
"""How often what was measured is set: some versions of libcamera do not take it from the start."""
_PICTURES_TO_TAKE_IT: Final = 8
"""What is set while the camera runs is in one of the pictures after it."""
_LARGER: Final = 2
"""A still has at most so many times the pixels of a picture a side: finer than that no face is compared, and it needs
room in one piece in the camera's memory."""
_WORTHWHILE: Final = 1.25
"""What is larger by less shows hardly more."""
_BY_HAND, _ONCE, _START = 0, 1, 0
"""libcamera's AfMode and AfTrigger."""
_FOCUSED, _FAILED = 2, 3
"""Its AfState."""


class PiCamera:
    """A camera on the Pi's ribbon cable, with light and focus measured once and then kept.

    Its calls may block for ever with a loose cable: use it inside a ``GuardedCamera``.
    """

    def __init__(
        self,
        settings: CameraSettings,
        lens: LensMemory | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Opens the camera and lets it settle; raises DeviceError. ``lens`` knows of cameras that were open before."""
        picamera2, transform = _modules()
        self.notices: tuple[DeviceError, ...] = ()
        """What is not as it should be though there are pictures."""
        self._settings = settings
        self._lens = lens or LensMemory()
        self._clock = clock
        with no_foreign(_in_use):
            turned = settings.rotation == 180
            self._transform = transform(hflip=turned, vflip=turned)
            number = int(settings.device) if settings.device.isdecimal() else 0
            found = len(picamera2.Picamera2.global_camera_info())
            if number >= found:
                message = f"There is no camera {number}, only {found} answer: switch off, then check the ribbon cable."
                raise DeviceError(Part.CAMERA, Fault.MISSING, message)
            self._camera = picamera2.Picamera2(number)
        try:
            with no_foreign(_silent):
                self._settle()
        except BaseException:
            self.close()
            raise

    def read(self) -> Picture:
        """A picture taken after the call; raises DeviceError."""
        with no_foreign(_silent):
            picture = self._camera.capture_array("main", wait=_PATIENCE * self._settings.read_seconds)
            return np.ascontiguousarray(picture[:, :, :3])

    def still(self) -> Picture | None:
        """A larger picture, if the sensor is larger than pictures are; light, white and focus are the same.

        The camera changes its mode for it and back again, and raises DeviceError if it fails at that.
        """
        with no_foreign(_silent):
            size = _larger(self._settings, self._camera.sensor_resolution)
            if size is None:
                return None
            mode = self._camera.create_still_configuration(**self._streams(size, buffers=1), controls=dict(self._kept))
            deadline = _PATIENCE * self._settings.read_seconds
            picture = self._camera.switch_mode_and_capture_array(mode, "main", wait=deadline)
            return np.ascontiguousarray(picture[:, :, :3])

    def close(self) -> None:
        """Gives the camera back; may block if its cable is loose, and never raises."""
        # A picture that nobody waits for any more is still being asked for: closing would wait for it, for ever.
        with contextlib.suppress(Exception):
            self._camera.cancel_all_and_flush()
        with contextlib.suppress(Exception):
            self._camera.close()

    def _settle(self) -> None:
        """Measures light, white and focus by the camera's own automatics, and starts it anew without them."""
        self._start({"FrameDurationLimits": LIVELY})
        known = dict(self._camera.camera_controls)
        measured = self._measured_light()
        least_gain, _ = _range_of(known, "AnalogueGain", (1.0, 16.0))
        kept = steady_controls(measured, self._settings.mains_hertz, least_gain)
        if "AfMode" in known and "LensPosition" in known:
            _, nearest = _range_of(known, "LensPosition", (0.0, 32.0))
            position = min(self._found_focus(), nearest)
            kept |= {"AfMode": _BY_HAND, "LensPosition": position}
        self._camera.stop()
        self._kept = kept
        self._start(kept)
        self._see_that_it_is_kept(kept)

    def _measured_light(self) -> Mapping[str, Any]:
        """The metadata of a picture once light and colours are steady, or when that takes too long."""
        end = self._clock() + self._settings.settle_seconds
        pictures = [self._metadata()]
        while not is_steady(pictures) and self._clock() < end:
            pictures.append(self._metadata())
        return pictures[-1]

    def _found_focus(self) -> float:
        """Where the lens is sharp, in dioptres; where it does not find that by itself, as the height says."""
        # What was found before is kept: whoever reaches over the table now would be sharp, and not the cards.
        if self._lens.good_position is None:
            self._lens.good_position = self._searched_focus()
        if self._lens.good_position is not None:
            return self._lens.good_position
        height = self._settings.table_cm
        message = (
            f"The camera does not find its focus; it is set to {height:g} cm. "
            "Correct `table_cm` in the settings if pictures are blurred, or switch a lamp on."
        )
        self.notices += (DeviceError(Part.CAMERA, Fault.NOT_SHARP, message),)
        return 100 / height

    def _searched_focus(self) -> float | None:
        """Lets the lens search; None if it finds nothing in time."""
        # Not picamera2's own autofocus_cycle: one that is not done in time stays in the way of all later pictures.
        self._camera.set_controls({"AfMode": _ONCE, "AfTrigger": _START})
        end = self._clock() + _FOCUS_SECONDS
        while self._clock() < end:
            told = self._metadata()
            state = told.get("AfState")
            if state == _FOCUSED and "LensPosition" in told:
                return float(told["LensPosition"])
            if state == _FAILED:
                return None
        return None

    def _see_that_it_is_kept(self, kept: Mapping[str, Any]) -> None:
        """Looks whether pictures have the light that was set; sets it again where they have not, or says so."""
        left: list[str] = []
        for attempt in range(_TRIES + 1):
            if attempt:
                self._camera.set_controls(dict(kept))
            for _ in range(_PICTURES_TO_TAKE_IT if attempt else 2):
                left = not_taken(kept, self._metadata())
                if not left:
                    return
        if left == ["LensPosition"]:
            message = "The camera's lens does not stay where it was set: pictures may be blurred."
            self.notices += (DeviceError(Part.CAMERA, Fault.NOT_SHARP, message),)
        else:
            message = (
                f"The camera does not keep its light as it was measured ({', '.join(left)}): cards may be misread "
                "when hands cast shadows. Bring the system up to date: sudo apt full-upgrade."
            )
            self.notices += (DeviceError(Part.CAMERA, Fault.LIGHT_CHANGES, message),)

    def _metadata(self) -> Mapping[str, Any]:
        told: Mapping[str, Any] = self._camera.capture_metadata(wait=_PATIENCE * self._settings.read_seconds)
        return told

    def _start(self, controls: Mapping[str, Any]) -> None:
        settings = self._settings
        size = settings.width, settings.height
        # More buffers do not fit into 512 MB.
        mode = self._camera.create_video_configuration(**self._streams(size, buffers=2), controls=dict(controls))
        self._camera.configure(mode)
        self._camera.start()

    def _streams(self, size: tuple[int, int], *, buffers: int) -> dict[str, Any]:
        """What a mode of the camera is to give: pictures of this size, so many at a time."""
        return {
            # The name means the order in a number: in memory this is B, G, R.
            "main": {"size": size, "format": "RGB888"},
            "transform": self._transform,
            "buffer_count": buffers,
            # None is kept waiting, so that every picture is new.
            "queue": False,
            "display": None,
            "encode": None,
        }


def _larger(settings: CameraSettings, sensor: tuple[int, int]) -> tuple[int, int] | None:
    """The size of stills, in the same proportion as pictures, even; None if the sensor has hardly more than these."""
    times = min(_LARGER, *(full / side for full, side in zip(sensor, (settings.width, settings.height), strict=True)))
    if times < _WORTHWHILE:
        return None
    width, height = (2 * int(times * side / 2) for side in (settings.width, settings.height))
    return width, height


def _range_of(known: Mapping[str, Any], name: str, usual: tuple[float, float]) -> tuple[float, float]:
    """The least and the largest value that a control takes, as picamera2 tells them."""
    try:
        least, most, *_ = known[name]
        return float(least), float(most)
    except (KeyError, TypeError, ValueError):
        return usual


def _modules() -> tuple[Any, Any]:
    """picamera2, and how pictures are turned; raises DeviceError on a machine without them."""
    with no_foreign(_not_loaded):
        import picamera2  # noqa: PLC0415 - only machines with such a camera have it
        from libcamera import Transform  # noqa: PLC0415

        return picamera2, Transform


def _not_loaded(error: Exception) -> DeviceError:
    if isinstance(error, ImportError):
        message = (
            f"picamera2 is not installed ({reason(error)}): install python3-picamera2 from the system's packages "
            "and make the virtual environment with --system-site-packages."
        )
    else:
        message = (
            f"picamera2 does not load ({reason(error)}): its numpy is another one than that of the companion. "
            "Bring the system up to date (sudo apt full-upgrade), then install the companion again."
        )
    return DeviceError(Part.CAMERA, Fault.NOT_INSTALLED, message)


def _in_use(error: Exception) -> DeviceError:
    message = f"The camera cannot be opened ({reason(error)}): does another program use it?"
    return DeviceError(Part.CAMERA, Fault.IN_USE, message)


def _silent(error: Exception) -> DeviceError:
    why = "no picture in time" if isinstance(error, TimeoutError) and not str(error) else reason(error)
    message = f"The camera gives no pictures ({why}): switch off, then check both ends of the ribbon cable."
    return DeviceError(Part.CAMERA, Fault.MISSING, message)
