"""Fingers on buttons that are pins of a mock Raspberry Pi."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hardware.buttons import Button
from hardware.settings import Settings

DOWN_SECONDS = 0.2


class PinFingers:
    """Presses by pulling pins down. ``lift`` lets go what has been down for long enough: call it again and again."""

    def __init__(self, settings: Settings, factory: Any, clock: Callable[[], float] = time.monotonic) -> None:
        self._pins = {button: factory.pin(number) for button, number in settings.buttons.pins().items()}
        self.clock = clock
        self._down: dict[Button, float] = {}

    def press(self, button: Button) -> None:
        self._pins[button].drive_low()
        self._down[button] = self.clock()

    def lift(self) -> None:
        for button, since in list(self._down.items()):
            if self.clock() - since >= DOWN_SECONDS:
                self._let_go(button)

    def let_go(self) -> None:
        """Takes all fingers off at once."""
        for button in list(self._down):
            self._let_go(button)

    def _let_go(self, button: Button) -> None:
        self._pins[button].drive_high()
        del self._down[button]
