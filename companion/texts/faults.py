"""What does not work, told in a line of a screen."""

from __future__ import annotations

import errno
from typing import Final

from companion.record.file import RecordError
from companion.texts.language import Texts

FAULTS: Final = (
    "camera", "dark", "strange-cards", "not-sharp", "light", "buttons", "display", "clock", "settings", "devices",
    "deck", "read-only",
)  # fmt: skip
"""What people are told of, as it is called in a ``Fault``; a game goes on without it."""


def trouble_of(error: RecordError | OSError) -> str:
    """Why a game cannot be kept, as the name of a fault."""
    cause = error.__cause__ if isinstance(error, RecordError) else error
    return "read-only" if isinstance(cause, OSError) and cause.errno == errno.EROFS else "record"


def fault_line(say: Texts, device: str, told: str) -> str:
    """What does not work; of buttons, which (``told`` are their names)."""
    if device == "buttons" and told:
        return say("device.fault-these-buttons", buttons=[say(f"device.button-{name}") for name in told.split()])
    return say(f"device.fault-{device}")
