"""OLED screens with an SSD1306 or SH1106 controller on the I²C bus, by luma.oled."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, Final, Protocol

from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from hardware.display import HEIGHT, WIDTH, check_image, check_level
from hardware.errors import DeviceError, Fault, Part, no_foreign, reason
from hardware.settings import DisplaySettings

_PAGES: Final = HEIGHT // 8
"""The controllers keep dots in pages: rows of bytes, each eight dots high, the lowest bit on top."""
_COLUMN_RANGE: Final = 0x21
_PAGE_RANGE: Final = 0x22
_PAGE: Final = 0xB0
_HIGH_COLUMN: Final = 0x10
_CONTRAST: Final = 0x81
_OFF: Final = 0xAE
_ON: Final = 0xAF
_REFRESH_SECONDS: Final = 5.0
_NOBODY: Final = frozenset({errno.EREMOTEIO, errno.EIO, errno.ENXIO})


class I2cBus(Protocol):
    """A bus that is open already, for instance ``hardware.display.oled_memory.OledMemory``."""

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        """Writes at most 32 bytes to a device; raises OSError when nobody answers."""


class OledDisplay:
    """A real screen. Only the dots that change are sent, and every five seconds all of them.

    A screen that is away raises DeviceError with each image. Hand in an image at least every few seconds, be it the
    same again: so it is noticed that a screen has gone, or had no power for a moment, and it is set up anew.
    """

    def __init__(
        self, settings: DisplaySettings, bus: I2cBus | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Sends nothing yet. With no bus given, the I²C bus of the settings is opened with the first image."""
        self._settings = settings
        self._bus = bus
        self._clock = clock
        self._level = settings.contrast
        self._serial: Any = None
        self._refreshed_at: float | None = None
        self._sent: list[bytes | None] = [None] * _PAGES

    def show(self, image: Image.Image) -> None:
        """Shows an image (mode "1", 128 × 64 px); raises DeviceError.

        A whole image takes 26 ms at 400 kHz and 104 ms at 100 kHz; a bus that is stuck fails after a second.
        """
        check_image(image)
        with self._told():
            device, _ = _driver(self._settings.controller, self._settings.rotation)
            dots = _pages(device.preprocess(image))
            now = self._clock()
            is_due = self._refreshed_at is None or now - self._refreshed_at >= _REFRESH_SECONDS
            if is_due:
                self._prepare()
            for page, row in enumerate(dots):
                self._send(page, row)
            if is_due:
                # Last: a screen that has just got its power would show whatever its memory holds.
                self._serial.command(_ON)
                self._refreshed_at = now

    def contrast(self, level: int) -> None:
        """Sets the brightness, 0 to 255; it is kept for a screen that is away; raises DeviceError."""
        self._level = check_level(level)
        with self._told():
            self._open()
            self._serial.command(_CONTRAST, level)

    def close(self) -> None:
        """Switches the screen off and closes the bus if it was opened here; never raises."""
        if self._serial is None:
            return
        with suppress(Exception):
            self._serial.command(_OFF)
        with suppress(Exception):
            self._serial.cleanup()
        self._serial = self._refreshed_at = None

    def _open(self) -> None:
        if self._serial is None:
            self._serial = i2c(bus=self._bus, port=self._settings.bus, address=self._settings.address)

    def _prepare(self) -> None:
        """Sets the screen up without switching it off: one that shows something goes on showing it."""
        self._open()
        _, set_up = _driver(self._settings.controller, self._settings.rotation)
        for command in set_up.commands:
            self._serial.command(*command)
        self._serial.command(_CONTRAST, self._level)
        self._sent = [None] * _PAGES

    def _send(self, page: int, dots: bytes) -> None:
        """Sends what has changed of a page, from the first changed column to the last."""
        sent = self._sent[page]
        if dots == sent:
            return
        changed = range(WIDTH) if sent is None else [x for x in range(WIDTH) if sent[x] != dots[x]]
        left, right = changed[0], changed[-1]
        if self._settings.controller == "sh1106":
            # This controller knows no ranges, and its memory is wider than its screen.
            column = left + self._settings.column_offset
            self._serial.command(_PAGE | page, column & 0x0F, _HIGH_COLUMN | column >> 4)
        else:
            self._serial.command(_COLUMN_RANGE, left, right, _PAGE_RANGE, page, page)
        self._serial.data(list(dots[left : right + 1]))
        self._sent[page] = dots

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turns what luma and the bus raise into a DeviceError; the screen is set up anew the next time."""
        try:
            with no_foreign(self._fault):
                yield
        except DeviceError:
            self._refreshed_at = None
            raise

    def _fault(self, error: Exception) -> DeviceError:
        settings = self._settings
        if self._serial is None and isinstance(error, DevicePermissionError):
            advice = "add the user to the group i2c"
            return DeviceError(Part.DISPLAY, Fault.NOT_ALLOWED, f"I²C bus {settings.bus} may not be used: {advice}.")
        if self._serial is None and isinstance(error, DeviceNotFoundError):
            advice = "switch I²C on (raspi-config, Interface Options)"
            return DeviceError(Part.DISPLAY, Fault.MISSING, f"There is no I²C bus {settings.bus}: {advice}.")
        if isinstance(error, ImportError):
            message = f"The screen cannot be used ({reason(error)}): install the companion again."
            return DeviceError(Part.DISPLAY, Fault.NOT_INSTALLED, message)
        is_nobody = isinstance(error, DeviceNotFoundError) or getattr(error, "errno", None) in _NOBODY
        how = "does not answer" if is_nobody else f"does not answer ({reason(error)})"
        where = f"at 0x{settings.address:02x} of I²C bus {settings.bus}"
        return DeviceError(
            Part.DISPLAY, Fault.MISSING, f"The screen {where} {how}: check its four wires and its address."
        )


class _SetUp:
    """Stands in for the bus while luma sets a screen up, and keeps the commands, to be sent again and again.

    luma's own set-up blanks the screen.
    """

    def __init__(self) -> None:
        self.commands: list[tuple[int, ...]] = []

    def command(self, *command: int) -> None:
        if command[0] == _OFF:  # first of many: the screen need not go dark for them
            command = command[1:]
        if command and command[0] not in {_ON, _CONTRAST}:
            self.commands.append(command)

    def data(self, data: list[int]) -> None:
        """Blank dots, which are not wanted."""

    def cleanup(self) -> None:
        """At the end of the program; the bus has been closed before."""


@cache
def _driver(controller: str, rotation: int) -> tuple[Any, _SetUp]:
    """The driver that luma has for a controller, and its set-up: only one, since luma keeps each until the end."""
    set_up = _SetUp()
    driver = sh1106 if controller == "sh1106" else ssd1306
    return driver(set_up, rotate=rotation // 90), set_up


def _pages(image: Image.Image) -> Iterator[bytes]:
    """The bytes of each page, 128 columns from left to right."""
    for top in range(0, HEIGHT, 8):
        strip = image.crop((0, top, WIDTH, top + 8))
        # Turned a quarter clockwise, a column of eight dots is a row, its lowest dot first: one byte.
        yield strip.transpose(Image.Transpose.ROTATE_270).tobytes()
