"""All devices as the settings name them; what is missing is told, and the others work."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hardware.buttons import Buttons, VirtualButtons
from hardware.buttons.button_watch import ButtonTiming
from hardware.buttons.gpio_buttons import GpioButtons
from hardware.camera import Camera
from hardware.camera.guarded_camera import GuardedCamera
from hardware.camera.lens_memory import LensMemory
from hardware.camera.light_watch import LightWatch
from hardware.camera.picture_watch import PictureWatch
from hardware.display import Display, VirtualDisplay
from hardware.errors import DeviceError, Fault, Part, no_foreign, reason
from hardware.gpio_pins import open_pins
from hardware.lights import Lights, VirtualLights
from hardware.lights.gpio_lights import GpioLights
from hardware.settings import ButtonSettings, CameraSettings, DisplaySettings, LightSettings, Settings

if TYPE_CHECKING:
    from hardware.display.oled import I2cBus


class Devices(NamedTuple):
    """The devices; ``faults`` says what was missing when they were opened."""

    display: Display
    """A real screen that is away is here nevertheless: it shows the next image once it is back."""
    buttons: Buttons
    lights: Lights
    camera: Camera | None
    """None if the settings say so. It is opened by its first ``read``: that can take ten seconds."""
    faults: tuple[DeviceError, ...]

    def close(self, *, leave_display: bool = False) -> None:
        """Closes all devices; ``leave_display``: what the screen shows stays there."""
        self.buttons.close()
        self.lights.close()
        if not leave_display:
            self.display.close()
        if self.camera is not None:
            self.camera.close()


def open_devices(
    settings: Settings,
    *,
    bus: I2cBus | None = None,
    pins: Any = None,
    clock: Callable[[], float] = time.monotonic,
    wake: Callable[[], None] | None = None,
) -> Devices:
    """Opens all devices; never raises for one that is missing.

    ``bus`` stands in for the I²C bus, ``pins`` for gpiozero's pin factory; ``wake`` is called, in another thread, when
    something has happened to a button.
    """
    faults: list[DeviceError] = []
    return Devices(
        display=_display(settings.display, bus, clock, faults),
        buttons=_buttons(settings.buttons, pins, clock, wake, faults),
        lights=_lights(settings.lights, pins, faults),
        camera=open_camera(settings.camera, clock),
        faults=tuple(faults),
    )


def _display(
    settings: DisplaySettings, bus: I2cBus | None, clock: Callable[[], float], faults: list[DeviceError]
) -> Display:
    if settings.controller == "none":
        return VirtualDisplay()
    try:
        with no_foreign(lambda error: _no_library(Part.DISPLAY, "screen", error)):
            from hardware.display.oled import OledDisplay

            display = OledDisplay(settings, bus, clock)
    except DeviceError as fault:
        faults.append(fault)
        return VirtualDisplay()
    try:
        display.contrast(settings.contrast)
    except DeviceError as fault:
        faults.append(fault)
    return display


def _buttons(
    settings: ButtonSettings,
    pins: Any,
    clock: Callable[[], float],
    wake: Callable[[], None] | None,
    faults: list[DeviceError],
) -> Buttons:
    wanted = settings.pins()
    if not wanted:
        return VirtualButtons(clock, wake)
    timing = ButtonTiming(settings.bounce_seconds, settings.hold_seconds, settings.stuck_seconds)
    buttons = GpioButtons(wanted, pins, timing, clock, wake)
    faults += buttons.faults
    return buttons


def _lights(settings: LightSettings, pins: Any, faults: list[DeviceError]) -> Lights:
    wanted = settings.pins()
    if not wanted and not settings.buzzer:
        return VirtualLights()
    try:
        lights = GpioLights(wanted, settings.buzzer or None, pins or open_pins(Part.LIGHTS))
    except DeviceError as fault:
        faults.append(fault)
        return VirtualLights()
    faults += lights.faults
    return lights


def _no_library(part: Part, name: str, error: Exception) -> DeviceError:
    message = f"The {name} cannot be used, its library does not load ({reason(error)}): install the companion again."
    return DeviceError(part, Fault.NOT_INSTALLED, message)


def open_camera(settings: CameraSettings, clock: Callable[[], float] = time.monotonic) -> Camera | None:
    """The camera, if the settings have one. It is opened by its first ``read``: that can take ten seconds."""
    if settings.kind == "none":
        return None

    lens = LensMemory()

    def opened() -> Camera:
        # Imported here, in the camera's own thread: the first screen need not wait for it.
        with no_foreign(lambda error: _no_library(Part.CAMERA, "camera", error)):
            if settings.kind == "pi":
                from hardware.camera.pi_camera import PiCamera

                return PiCamera(settings, lens)
            if settings.kind == "usb":
                from hardware.camera.usb_camera import UsbCamera

                return UsbCamera(settings, clock)
            from hardware.camera.picture_folder import PictureFolder

            return PictureFolder(Path(settings.device))

    # The last picture of a folder comes again and again: that is no fault.
    watch = None if settings.kind == "folder" else PictureWatch()
    # A USB camera follows the light by itself.
    light = LightWatch() if settings.kind == "pi" else None
    return GuardedCamera(opened, settings.read_seconds, settings.open_seconds, watch, clock, light=light)
