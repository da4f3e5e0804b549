"""Foreign text made harmless: names, paths and records may hold characters that steer a terminal."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 1000
"""Of what is told of an error: about as much as can be read at a glance."""
_FIRST_RAW, _LAST_RAW = 0xDCA0, 0xDCFF


def harmless(text: object) -> str:
    r"""The text in one line; what moves the cursor, colours, rings or turns the writing round is written as \u001b.

    Such notation is also right within the strings of JSON.
    """
    return "".join(character if _can_be_shown(character) else _notation(character) for character in str(text))


def shortened(text: object) -> str:
    """The same, and of a text that nobody would read to its end the beginning and the end."""
    shown = harmless(text)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST // 2]} … {shown[-LONGEST // 2 :]}"


def _can_be_shown(character: str) -> bool:
    # A byte of a file's name that was no character is given back as it was, unless a terminal takes it for a command.
    return character.isprintable() or _FIRST_RAW <= ord(character) <= _LAST_RAW


def _notation(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
