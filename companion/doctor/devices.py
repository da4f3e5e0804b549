"""The doctor looks at what is wired: pins, I²C bus, screen and camera."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from typing import Final

from companion.doctor.findings import Finding, bad, good, note
from companion.doctor.machine import Machine
from companion.doctor.picture import SHARP_ENOUGH, light_of, sharpness_of
from hardware.buttons import Button, ButtonEvent, Kind
from hardware.buttons.gpio_buttons import GpioButtons
from hardware.camera import EndOfPictures, Picture, notices_of
from hardware.errors import DeviceError, Fault
from hardware.gpio_chips import find_chips, header_chip
from hardware.header import GPIO_PINS
from hardware.settings import ButtonSettings, CameraSettings, DisplaySettings

_USUAL_ADDRESSES: Final = (0x3C, 0x3D)
_NOBODY: Final = frozenset({errno.EREMOTEIO, errno.ENXIO, errno.EIO})
_SETTLING_SECONDS: Final = 0.1
"""So long a button has to be down before it counts."""
_GROUPS: Final = {
    "gpiochip*": "gpio",
    "i2c-*": "i2c",
    "video*": "video",
    "media*": "video",
    "dma_heap/*": "video",
}


def check_permissions(machine: Machine) -> Iterator[Finding]:
    """Whether who calls may use the devices that there are."""
    groups = set()
    for pattern, group in _GROUPS.items():
        for device in (machine.root / "dev").glob(pattern):
            if not device.is_dir() and not machine.may(device, os.R_OK | os.W_OK):
                groups.add(group)
    if groups:
        yield bad("permissions", "not-allowed", groups=",".join(sorted(groups)))
    else:
        yield good("permissions", "allowed")


def check_pins(machine: Machine, settings: ButtonSettings) -> Iterator[Finding]:
    """Whether each button's pin can be had, and is open while nobody presses it."""
    wanted = settings.pins()
    if not wanted:
        yield note("pins", "no-buttons")
        return
    chips = list((machine.root / "dev").glob("gpiochip[0-9]*"))
    if not chips:
        yield bad("pins", "no-pins")
    elif not any(machine.may(chip, os.R_OK | os.W_OK) for chip in chips):
        yield bad("pins", "pins-not-allowed")
    else:
        yield from _check_buttons(machine, wanted)


def _check_buttons(machine: Machine, wanted: dict[Button, int]) -> Iterator[Finding]:
    try:
        buttons = GpioButtons(wanted, machine.pins())
    except DeviceError as error:
        code = "no-lgpio" if error.fault is Fault.NOT_INSTALLED else "fails"
        yield bad("pins", code, error=error)
        return
    try:
        time.sleep(_SETTLING_SECONDS)
        down = _stuck(buttons.poll())
        for fault in buttons.faults:
            yield bad("pins", "pin-in-use" if _is_in_use(fault) else "fails", error=fault)
        for button in down:
            pin = wanted[button]
            yield bad("pins", "pin-down", button=button, gpio=pin, pin=GPIO_PINS[pin])
        if not down and not buttons.faults:
            named = ", ".join(f"{button} GPIO {pin}" for button, pin in wanted.items())
            yield good("pins", "pins", pins=f"{named} ({_named_chip(machine)})")
    finally:
        buttons.close()


def _named_chip(machine: Machine) -> str:
    """The chip with the header, as /dev has it: the number differs from board to board. All, if none is known."""
    chips = find_chips(machine.root / "dev")
    header = header_chip(chips)
    named = [header] if header is not None else chips
    return ", ".join(f"gpiochip{number} {label}".rstrip() for number, label in named)


def _is_in_use(error: DeviceError) -> bool:
    # lgpio's errors have no kinds: only their words tell.
    return error.fault is Fault.IN_USE or "busy" in str(error)


def _stuck(events: list[ButtonEvent]) -> list[Button]:
    return [event.button for event in events if event.kind in {Kind.STUCK, Kind.PRESSED}]


def check_screen(machine: Machine, settings: DisplaySettings) -> Iterator[Finding]:
    """Whether the I²C bus is there, and who answers on it. Nothing is drawn."""
    if settings.controller == "none":
        yield note("screen", "no-screen")
        return
    number = settings.bus
    device = machine.root / f"dev/i2c-{number}"
    if not device.exists():
        yield bad("i2c", "no-i2c", bus=number)
    elif not machine.may(device, os.R_OK | os.W_OK):
        yield bad("i2c", "i2c-not-allowed", bus=number)
    else:
        yield from _check_bus(machine, settings)


def _check_bus(machine: Machine, settings: DisplaySettings) -> Iterator[Finding]:
    number, address = settings.bus, settings.address
    try:
        bus = machine.bus(number)
    except OSError as error:
        yield bad("i2c", "i2c-fails", bus=number, error=error.strerror or error)
        return
    try:
        # Screens have one of two addresses: where the one of the settings is silent, the other may answer.
        for asked in (address, *_USUAL_ADDRESSES):
            try:
                bus.read_byte(asked)
            except OSError as error:
                if error.errno in _NOBODY:
                    continue
                yield bad("i2c", "i2c-stuck", bus=number, error=error.strerror or error)
                return
            yield good("i2c", "i2c", bus=number)
            yield _answered(settings, asked)
            return
        yield good("i2c", "i2c", bus=number)
        yield bad("screen", "screen-silent", address=f"0x{address:02x}", bus=number)
    finally:
        bus.close()


def _answered(settings: DisplaySettings, address: int) -> Finding:
    found = f"0x{address:02X}"
    if address == settings.address:
        return good("screen", "screen", controller=settings.controller.upper(), address=found)
    return bad("screen", "screen-elsewhere", address=f"0x{settings.address:02X}", found=found)


def check_camera(machine: Machine, settings: CameraSettings) -> Iterator[Finding]:
    """Whether the camera gives a picture, and whether that is sharp and bright enough."""
    if settings.kind == "none":
        yield note("camera", "no-camera")
        return
    camera = machine.camera(settings)
    if camera is None:
        return
    try:
        picture = camera.read()
    except (DeviceError, EndOfPictures) as error:
        fault = error.fault if isinstance(error, DeviceError) else None
        told = {Fault.NOT_INSTALLED: "camera-not-installed", Fault.IN_USE: "camera-in-use", Fault.DARK: "camera-dark"}
        silent = "camera-silent" if settings.kind == "pi" else "fails"
        yield bad("camera", told.get(fault, silent) if fault else silent, error=error)
        return
    finally:
        camera.close()
    yield good("camera", "camera", width=picture.shape[1], height=picture.shape[0])
    for notice in notices_of(camera):
        yield note("sharpness" if notice.fault is Fault.NOT_SHARP else "light", "fails", error=notice)
    yield from judge_picture(picture)


def judge_picture(picture: Picture) -> Iterator[Finding]:
    """How good a picture (h × w × 3, B, G, R) is."""
    light = light_of(picture)
    details = {"mean": round(light.mean / 2.55), "full": round(100 * light.full)}
    if light.is_dark:
        yield bad("light", "light-dark", **details)
    elif light.has_glare:
        yield bad("light", "light-glare", **details)
    else:
        yield good("light", "light", **details)
    sharpness = sharpness_of(picture)
    if sharpness is None:
        yield note("sharpness", "sharpness-unknown")
    elif sharpness < SHARP_ENOUGH:
        yield bad("sharpness", "sharpness-low", sharpness=sharpness, least=SHARP_ENOUGH)
    else:
        yield good("sharpness", "sharpness", sharpness=sharpness)
