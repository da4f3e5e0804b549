"""The pins of the Raspberry Pi, by gpiozero."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from typing import Any, Final, TypeVar

from hardware.errors import DeviceError, Fault, Part, no_foreign, reason
from hardware.gpio_chips import find_chips, header_chip

_Made = TypeVar("_Made")
_NOT_INSTALLED: Final = "install python3-lgpio from the system's packages and make the virtual environment see them"
_NOT_ALLOWED: Final = "is this a Raspberry Pi, and is the user in the group gpio?"


def open_pins(part: Part) -> Any:
    """The way to the pins, by gpiozero; raises DeviceError where there are none.

    It is lgpio unless the environment variable GPIOZERO_PIN_FACTORY names another: gpiozero's own search goes on to
    ways that lose presses, and hides why the first one failed.
    """

    def tell(error: Exception) -> DeviceError:
        if isinstance(error, ImportError):
            message = f"The pins cannot be used, lgpio is not installed ({reason(error)}): {_NOT_INSTALLED}."
            return DeviceError(part, Fault.NOT_INSTALLED, message)
        return DeviceError(part, Fault.MISSING, f"The pins cannot be used ({reason(error)}): {_NOT_ALLOWED}")

    # lgpio makes a pipe in the working directory while it is imported, and fails where it may not write.
    with no_foreign(tell), tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        from gpiozero import Device  # noqa: PLC0415 - a machine without pins need not have it

        if Device.pin_factory is None:
            if os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio") == "lgpio":
                Device.pin_factory = _lgpio()
            else:
                Device.ensure_pin_factory()
        return Device.pin_factory


def _lgpio() -> Any:
    """The way by lgpio, to the chip that has the header; raises what both raise."""
    import lgpio  # noqa: PLC0415 - only a Raspberry Pi has it

    if not hasattr(lgpio, "gpiochip_open"):
        # 0.0.0.2, which pip takes where there is no newer one for its Python, is an empty file.
        raise ImportError("what pip has installed by that name is empty")
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - imports lgpio

    chip = header_chip(find_chips())
    return LGPIOFactory() if chip is None else LGPIOFactory(chip=chip.number)


def on_pin(part: Part, name: str, pin: int, make: Callable[[], _Made]) -> _Made:
    """A device on a pin, made by gpiozero; raises DeviceError that names it."""

    def tell(error: Exception) -> DeviceError:
        # By their names: gpiozero itself may be what cannot be imported.
        kind = type(error).__name__
        # lgpio's errors have no kinds: only their words tell.
        if kind == "GPIOPinInUse" or "busy" in str(error):
            message = f"{name} cannot use pin GPIO {pin}, something else does: correct the settings of the devices."
            return DeviceError(part, Fault.IN_USE, message)
        if kind == "PinInvalidPin":
            message = f"{name} cannot use pin GPIO {pin}, there is none: correct the settings of the devices."
            return DeviceError(part, Fault.MISSING, message)
        message = f"{name} cannot use pin GPIO {pin} ({reason(error)}): it is left out. Check its wires and its pin."
        return DeviceError(part, Fault.MISSING, message)

    with no_foreign(tell):
        return make()


def give_back(device: Any) -> None:
    """Closes what gpiozero has made; never raises."""
    with contextlib.suppress(Exception):
        device.close()
