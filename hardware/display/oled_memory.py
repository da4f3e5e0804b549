"""The memory of an OLED controller behind a virtual I²C bus: what the real driver sends can be seen as an image."""

from __future__ import annotations

import errno
import os
from typing import Final, Literal

from PIL import Image

from hardware.display import HEIGHT, WIDTH

_COMMANDS, _DATA = 0x00, 0x40
_ARGUMENTS: Final = {
    "ssd1306": {
        **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
        **dict.fromkeys((0x21, 0x22), 2),
    },
    "sh1106": dict.fromkeys((0x81, 0xAD, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
}
"""How many bytes follow a command, by the data sheets; all others stand alone."""


class OledMemory:
    """An SSD1306 (128 columns) or SH1106 (132 columns) that understands what is written to it."""

    def __init__(
        self,
        controller: Literal["ssd1306", "sh1106"] = "ssd1306",
        address: int = 0x3C,
        column_offset: int = 2,
    ) -> None:
        """An SH1106's screen shows 128 of the columns from ``column_offset`` on."""
        self.controller = controller
        self.address = address
        self.bytes_sent = 0
        """Everything on the wire so far: address, register and data of each message."""
        self._is_there = True
        self._offset = column_offset if controller == "sh1106" else 0
        self._switch_on()

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        """One message on the bus; raises OSError as the kernel does when nobody answers."""
        if len(data) > 32:
            raise ValueError(f"A message has at most 32 bytes, not {len(data)}.")
        if address != self.address or not self._is_there:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        self.bytes_sent += 2 + len(data)
        if register == _DATA:
            for byte in data:
                self._store(byte)
        elif register == _COMMANDS:
            for byte in data:
                self._take(byte)
        else:
            raise ValueError(f"A message is commands (0x00) or data (0x40), not 0x{register:02x}.")

    def unplug(self) -> None:
        """The screen goes away; what it had in memory is lost."""
        self._is_there = False

    def plug_in(self) -> None:
        """The screen is back, switched off, with anything at all in its memory."""
        self._is_there = True
        self._switch_on()

    def image(self) -> Image.Image:
        """What can be seen on the screen (mode "1", 128 × 64 px); black while it is switched off."""
        image = Image.new("1", (WIDTH, HEIGHT))
        if not (self._is_there and self.is_on):
            return image
        for number, page in enumerate(self._pages):
            # Each byte is a column of eight dots, the lowest bit the uppermost.
            columns = Image.frombytes("1", (8, WIDTH), bytes(page[self._offset :][:WIDTH]), "raw", "1;R")
            image.paste(columns.transpose(Image.Transpose.TRANSPOSE), (0, 8 * number))
        if not self._columns_turned:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        return image if self._rows_turned else image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)

    def _switch_on(self) -> None:
        self._columns = 132 if self.controller == "sh1106" else 128
        # Not blank: what a driver does not write can be seen.
        self._pages = [bytearray(b"\x5a" * self._columns) for _ in range(HEIGHT // 8)]
        self._pending: list[int] = []
        self._mode = 2
        self._range = (0, self._columns - 1, 0, HEIGHT // 8 - 1)
        self._column = self._page = 0
        self._columns_turned = self._rows_turned = False
        self.is_on = False
        self.contrast = 0x7F

    def _take(self, byte: int) -> None:
        self._pending.append(byte)
        if len(self._pending) <= _ARGUMENTS[self.controller].get(self._pending[0], 0):
            return
        command, *arguments = self._pending
        self._pending = []
        self._do(command, arguments)

    def _do(self, command: int, arguments: list[int]) -> None:
        match command:
            case 0x20 if arguments:
                self._mode = arguments[0]
            case 0x21 if arguments:
                self._range = (arguments[0], arguments[1], *self._range[2:])
                self._column = arguments[0]
            case 0x22 if arguments:
                self._range = (*self._range[:2], arguments[0], arguments[1])
                self._page = arguments[0]
            case 0x81:
                self.contrast = arguments[0]
            case 0xA0 | 0xA1:
                self._columns_turned = command == 0xA1
            case 0xC0 | 0xC8:
                self._rows_turned = command == 0xC8
            case 0xAE | 0xAF:
                self.is_on = command == 0xAF
            case _:
                self._point(command)

    def _point(self, command: int) -> None:
        """Where the next byte goes; by columns and pages one by one, as the SH1106 does always."""
        if self.controller == "ssd1306" and self._mode != 2:
            return
        if command <= 0x0F:
            self._column = self._column & 0xF0 | command
        elif command <= 0x1F:
            self._column = self._column & 0x0F | (command & 0x0F) << 4
        elif 0xB0 <= command <= 0xB7:
            self._page = command & 0x07

    def _store(self, byte: int) -> None:
        if self._column < self._columns:
            self._pages[self._page][self._column] = byte
        self._column += 1
        if self.controller == "sh1106" or self._mode == 2:
            return
        left, right, top, bottom = self._range
        if self._column > right:
            self._column = left
            self._page = top if self._page == bottom else self._page + 1
