"""What does not work, told in a line of a screen."""

from __future__ import annotations

from typing import Final

from companion.texts.language import Texts

DEVICES: Final = frozenset({"camera", "buttons", "display", "clock"})
"""The devices whose faults people are told; a game goes on without them."""


def fault_line(say: Texts, device: str, told: str) -> str:
    """What does not work; of buttons, which (``told`` are their names)."""
    if device == "buttons" and told:
        return say("device.fault-these-buttons", buttons=[say(f"device.button-{name}") for name in told.split()])
    return say(f"device.fault-{device}")
