"""The terminal of ``companion table``: the screen in characters, the hand, and the keys that are buttons."""

from __future__ import annotations

import os
import select
import shutil
import sys
import termios
import textwrap
import tty
from typing import TYPE_CHECKING, Any, Final

from companion.screen.as_text import dots_as_text
from companion.texts.harmless import harmless
from companion.texts.language import Texts
from hardware.buttons import Button

if TYPE_CHECKING:
    from PIL import Image

    from companion.device.virtual_device import VirtualDevice

KEYS: Final = {
    "r": Button.ROLL,
    "\n": Button.ROLL,
    " ": Button.ROLL,
    "p": Button.PASS,
    "u": Button.UP,
    "\x1b[A": Button.UP,
    "\x1bOA": Button.UP,
    "d": Button.DOWN,
    "\x1b[B": Button.DOWN,
    "\x1bOB": Button.DOWN,
    "b": Button.BACK,
    "\x7f": Button.BACK,
}
_OTHER_SCREEN: Final = "\x1b[?1049h\x1b[?25l"
_USUAL_SCREEN: Final = "\x1b[?25h\x1b[?1049l"
_LIT: Final = "\x1b[97;40m"
_PLAIN: Final = "\x1b[0m"
_REST: Final = "\x1b[K"
_LINES_BELOW: Final = 4


class Terminal:
    """Shows a game and presses its buttons; a context manager that leaves the terminal as it was."""

    def __init__(self, device: VirtualDevice) -> None:
        """The terminal is taken over when the context is entered."""
        self.is_stopped = False
        self._device = device
        self._drawn: tuple[object, ...] = ()
        self._sent = -1
        self._image: Image.Image | None = None
        self._before: list[Any] = []

    def __enter__(self) -> Terminal:
        self._before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        sys.stdout.write(_OTHER_SCREEN)
        return self

    def __exit__(self, *_: object) -> None:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)
        sys.stdout.write(_USUAL_SCREEN)
        sys.stdout.flush()

    def turn(self) -> None:
        """Takes the keys, and draws what has changed."""
        for key in _typed():
            self._take(key)
        self._draw()

    def last_words(self) -> list[str]:
        """What is left to read when the terminal is as it was."""
        screen, play = self._device.screen, self._device.play
        shown = [line for line in (screen.heading, screen.main, *screen.lines) if line]
        return [*shown, self._say("table.over" if play is None or play.is_over else "table.goes-on")]

    def _take(self, key: str) -> None:
        button = KEYS.get(key) or KEYS.get(key.lower())
        if key == "q":
            self._device.stop()
        elif button is not None:
            self._device.press(button, held=key.isupper() and len(key) == 1)
        elif key.isdigit() and key != "0" and self._device.robot is not None:
            self._device.robot.lay(int(key) - 1)

    def _draw(self) -> None:
        if self._device.memory.bytes_sent != self._sent or self._image is None:
            self._sent = self._device.memory.bytes_sent
            self._image = self._device.memory.image()
        columns, rows = shutil.get_terminal_size()
        below = (self._hand(), self._say("table.keys"))
        drawing = (self._image.tobytes(), columns, rows, below)
        if drawing == self._drawn:
            return
        self._drawn = drawing
        dots = dots_as_text(self._image, columns, rows - _LINES_BELOW)
        lines = [f"{_LIT}{line[:columns]}{_PLAIN}{_REST}" for line in dots]
        lines += [f"{line}{_REST}" for text in ("", *below) for line in _wrapped(text, columns)]
        sys.stdout.write("\x1b[H" + "\r\n".join(lines[:rows]) + "\x1b[J")
        sys.stdout.flush()

    def _say(self, key: str, **details: object) -> str:
        return Texts(self._device.kept.settings.language)(key, **details)

    def _hand(self) -> str:
        robot = self._device.robot
        named = [] if robot is None else robot.hand_in_words()
        cards = [f"{number} [{card}]" for number, card in enumerate(named, 1)]
        return self._say("table.hand", cards="  ".join(cards)) if cards else ""


def _typed() -> list[str]:
    """The keys since the last call; arrows are one key each."""
    data = b""
    while select.select([sys.stdin], [], [], 0)[0]:
        more = os.read(sys.stdin.fileno(), 64)
        if not more:
            return ["q"]
        data += more
    text, keys = data.decode("utf-8", "replace"), []
    while text:
        length = 3 if text.startswith(("\x1b[", "\x1bO")) else 1
        keys.append(text[:length])
        text = text[length:]
    return keys


def _wrapped(text: str, columns: int) -> list[str]:
    return textwrap.wrap(harmless(text), max(20, columns - 1)) or [""]
