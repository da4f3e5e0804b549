"""Which devices there are and how they are connected: ``default.toml``, and a file that says what differs from it."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from hardware.buttons import Button
from hardware.lights import Light

DEFAULTS: Final = Path(__file__).with_name("default.toml")
LEAST_STUCK_SECONDS: Final = 8.0
"""Two buttons that are held for five seconds switch off; nobody presses both at the same moment."""
LARGEST_BYTES: Final = 16_000
"""Nine times the default file with all that it explains; TOML of 100,000 bytes can keep its reader for a minute."""
_I2C_PINS: Final = frozenset({2, 3})

Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=60)]
Pixels = Annotated[int, msgspec.Meta(ge=16, le=10_000)]


class SettingsError(ValueError):
    """The settings of the devices cannot be used; the message says which and what to write."""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Each name has to be known: a misspelt one would be left out in silence."""


class DisplaySettings(_Table, frozen=True):
    """The screen; the default file explains each value."""

    controller: Literal["ssd1306", "sh1106", "none"]
    bus: Annotated[int, msgspec.Meta(ge=0, le=99)]
    address: Annotated[int, msgspec.Meta(ge=0x03, le=0x77)]
    column_offset: Annotated[int, msgspec.Meta(ge=0, le=4)]
    rotation: Literal[0, 180]
    contrast: Annotated[int, msgspec.Meta(ge=0, le=255)]


class ButtonSettings(_Table, frozen=True):
    """The pins of the buttons, 0 for one that is not there, and times in seconds."""

    roll: Pin
    pass_: Pin = msgspec.field(name="pass")
    up: Pin
    down: Pin
    back: Pin
    bounce_seconds: Annotated[float, msgspec.Meta(ge=0, le=0.2)]
    hold_seconds: Annotated[float, msgspec.Meta(ge=0.2, le=5)]
    stuck_seconds: Annotated[float, msgspec.Meta(ge=0, le=60)]

    def pins(self) -> dict[Button, int]:
        """The buttons that are there."""
        pins = dict(zip(Button, (self.roll, self.pass_, self.up, self.down, self.back), strict=True))
        return {button: pin for button, pin in pins.items() if pin}


class LightSettings(_Table, frozen=True):
    """The pins of the lights and the buzzer, 0 for one that is not there."""

    good: Pin
    wrong: Pin
    busy: Pin
    buzzer: Pin

    def pins(self) -> dict[Light, int]:
        """The lights that are there."""
        pins = dict(zip(Light, (self.good, self.wrong, self.busy), strict=True))
        return {light: pin for light, pin in pins.items() if pin}


class CameraSettings(_Table, frozen=True):
    """The camera: pixels, degrees, centimetres and seconds."""

    kind: Literal["pi", "usb", "folder", "none"]
    device: str
    width: Pixels
    height: Pixels
    rotation: Literal[0, 180]
    mains_hertz: Literal[50, 60]
    table_cm: Annotated[float, msgspec.Meta(ge=10, le=300)]
    settle_seconds: Seconds
    open_seconds: Seconds
    read_seconds: Seconds


class Settings(_Table, frozen=True):
    """All devices."""

    display: DisplaySettings
    buttons: ButtonSettings
    lights: LightSettings
    camera: CameraSettings


def load_settings(path: Path | None = None) -> Settings:
    """The default settings, with what a file says in their place; raises SettingsError."""
    tables = _tables(DEFAULTS)
    if path is not None:
        for name, values in _tables(path).items():
            known = tables.get(name)
            tables[name] = known | values if isinstance(known, dict) and isinstance(values, dict) else values
    try:
        settings = msgspec.convert(tables, Settings)
        _check_pins(settings)
        _check_times(settings.buttons)
    except RecursionError as error:
        raise SettingsError(f"{path}: nested too deeply. {DEFAULTS} explains each value.") from error
    except msgspec.ValidationError as error:
        reason = str(error).replace("Object contains", "there is an").replace(" - at `$.", ": see `")
        raise SettingsError(f"{path or DEFAULTS}: {reason}. {DEFAULTS} explains each value.") from error
    except ValueError as error:
        raise SettingsError(f"{path or DEFAULTS}: {error}") from error
    return settings


def _tables(path: Path) -> dict[str, Any]:
    data = _read(path)
    if len(data) > LARGEST_BYTES:
        raise SettingsError(f"The settings {path} have more than {LARGEST_BYTES:,} bytes: name a file as {DEFAULTS}.")
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # no TOML, or no text, or tables in tables without end
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise SettingsError(
            f"The settings {path} are no TOML: {reason}. {DEFAULTS} shows how to write them."
        ) from error


def _read(path: Path) -> bytes:
    """The beginning of a regular file: a pipe would be waited for, and a device may never end."""
    try:
        with open(path, "rb", opener=_at_once) as file:  # Path.open knows no opener
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(LARGEST_BYTES + 1) or b""
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise SettingsError(f"The settings {path} cannot be read: {reason}.") from error
    raise SettingsError(f"The settings {path} cannot be read: they are a pipe or a device. Name a file.")


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)


def _check_pins(settings: Settings) -> None:
    """Raises ValueError for a pin that two things use."""
    used: dict[int, str] = {}
    if settings.display.controller != "none" and settings.display.bus == 1:
        used = dict.fromkeys(_I2C_PINS, "the screen (I2C)")
    named = {f"button {button}": pin for button, pin in settings.buttons.pins().items()}
    named |= {f"light {light}": pin for light, pin in settings.lights.pins().items()}
    named |= {"the buzzer": settings.lights.buzzer} if settings.lights.buzzer else {}
    for name, pin in named.items():
        if pin in used:
            raise ValueError(f"GPIO {pin} is used by {used[pin]} and by {name}: give one of them another pin.")
        used[pin] = name


def _check_times(buttons: ButtonSettings) -> None:
    """Raises ValueError where a button that is held for switching off would be taken for broken before."""
    if buttons.stuck_seconds < LEAST_STUCK_SECONDS:
        told = f"`buttons.stuck_seconds` is {buttons.stuck_seconds:g}, it has to be at least {LEAST_STUCK_SECONDS:g}"
        raise ValueError(f"{told}: else two buttons that are held to switch off would be taken for broken before.")
