"""What is printed where an output cannot show every character: plainer ones stand in, and no command fails by it."""

from __future__ import annotations

import codecs
from io import TextIOWrapper
from typing import Final, TextIO

_PLAINER: Final = {
    "×": "x",
    "●": "*",
    "○": "o",
    "█": "#",
    "▶": ">",
    "→": ">",
    "·": "-",
    "–": "-",
    "…": ".",
    **dict.fromkeys("─╴╶", "-"),
    **dict.fromkeys("│╵╷", "|"),
    **dict.fromkeys("╭╮╯╰├┤┬┴┼", "+"),
}
"""A character for a character: columns stay columns. Letters are not among them: what stands for ä differs."""
_UNKNOWN: Final = "?"
_FIRST_RAW, _LAST_RAW = 0xDC80, 0xDCFF
_RULE: Final = "companion.plainer"


def show_what_can_be_shown(*outputs: TextIO) -> None:
    """From now on these outputs print something else for each character that their encoding lacks."""
    codecs.register_error(_RULE, _plainer)
    for output in outputs:
        if isinstance(output, TextIOWrapper):
            output.reconfigure(errors=_RULE)


def _plainer(error: UnicodeError) -> tuple[str | bytes, int]:
    """What stands for the first character that cannot be shown, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if _FIRST_RAW <= ord(character) <= _LAST_RAW:  # a byte of a file's name that was no character
        return bytes([ord(character) - _FIRST_RAW + 0x80]), error.start + 1
    return _PLAINER.get(character, _UNKNOWN), error.start + 1
