"""The pins of the Raspberry Pi, by gpiozero."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from typing import Any, Final, TypeVar

from gpiozero import Device
from gpiozero.exc import GPIOPinInUse, PinInvalidPin

from hardware.errors import DeviceError, Fault, Part

_Made = TypeVar("_Made")
_NOT_INSTALLED: Final = "install python3-lgpio from the system's packages and make the virtual environment see them"
_NOT_ALLOWED: Final = "is this a Raspberry Pi, and is the user in the group gpio?"


def open_pins(part: Part) -> Any:
    """The way to the pins, by gpiozero; raises DeviceError where there are none.

    It is lgpio unless the environment variable GPIOZERO_PIN_FACTORY names another: gpiozero's own search goes on to
    ways that lose presses, and hides why the first one failed.
    """
    if Device.pin_factory is None:
        os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
        # lgpio makes a pipe in the working directory while it is imported, and fails where it may not write.
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            try:
                Device.ensure_pin_factory()
            except ImportError as error:
                message = f"The pins cannot be used, lgpio is not installed ({error}): {_NOT_INSTALLED}."
                raise DeviceError(part, Fault.NOT_INSTALLED, message) from error
            except Exception as error:  # lgpio's errors have no common class
                raise DeviceError(part, Fault.MISSING, f"The pins cannot be used ({error}): {_NOT_ALLOWED}") from error
    return Device.pin_factory


def on_pin(part: Part, name: str, pin: int, make: Callable[[], _Made]) -> _Made:
    """A device on a pin, made by gpiozero; raises DeviceError that names it."""
    try:
        return make()
    except GPIOPinInUse as error:
        message = f"{name} cannot use pin GPIO {pin}, something else does: correct the settings of the devices."
        raise DeviceError(part, Fault.IN_USE, message) from error
    except PinInvalidPin as error:
        message = f"{name} cannot use pin GPIO {pin}, there is none: correct the settings of the devices."
        raise DeviceError(part, Fault.MISSING, message) from error
    except Exception as error:  # lgpio's errors have no common class
        raise DeviceError(part, Fault.MISSING, f"{name} cannot use pin GPIO {pin} ({error}).") from error
