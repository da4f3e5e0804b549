"""Buttons on pins of the Raspberry Pi, each between its pin and ground."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from hardware.buttons import Button, ButtonEvent, drained
from hardware.buttons.button_watch import ButtonTiming, ButtonWatch
from hardware.errors import DeviceError, Part
from hardware.gpio_pins import give_back, on_pin, open_pins


class _Edge(NamedTuple):
    button: Button
    is_down: bool
    at_seconds: float


RETRY_SECONDS: Final = 5.0
"""So often a pin that could not be had is tried again."""


class GpioButtons:
    """Real buttons. ``faults`` says which cannot be had; the others work, and these are tried again."""

    def __init__(
        self,
        pins: Mapping[Button, int],
        factory: Any,
        timing: ButtonTiming | None = None,
        clock: Callable[[], float] = time.monotonic,
        wake: Callable[[], None] | None = None,
    ) -> None:
        """Takes the pins by their GPIO numbers; ``factory`` is gpiozero's, a mock one, or None for ``open_pins``.

        ``wake`` is called at each change of a level, in gpiozero's thread: it must be quick and must not raise.
        """
        self.faults: list[DeviceError] = []
        self._clock = clock
        self._wake = wake
        # gpiozero's own thread must never see an error or wait: it only puts what it saw into this queue.
        self._edges: queue.SimpleQueue[_Edge] = queue.SimpleQueue()
        self._devices: dict[Button, Any] = {}
        self._watch = ButtonWatch((), timing or ButtonTiming(), (), clock())
        self._factory = factory
        self._pins = dict(pins)
        self._missing = dict(pins)
        self._tried_at = clock()
        self._open_missing()

    @property
    def broken(self) -> frozenset[Button]:
        """The buttons that do not work now: they stay down, or their pins cannot be had. Both are tried again."""
        return self._watch.stuck | frozenset(self._missing)

    def poll(self) -> list[ButtonEvent]:
        """What has happened since the last call, oldest first; call it at least every 50 ms."""
        if self._missing and self._clock() - self._tried_at >= RETRY_SECONDS:
            self._open_missing()
        events: list[ButtonEvent] = []
        for edge in drained(self._edges):
            if edge.button not in self._devices:
                continue  # it was told before its pin was lost
            events += self._watch.level(edge.button, is_down=edge.is_down, at_seconds=edge.at_seconds)
        now = self._clock()
        for button, device in list(self._devices.items()):
            # Edges can get lost: a release that nobody told would leave a button down for ever.
            try:
                is_down = self._is_down(button, device)
            except DeviceError as fault:
                events += self._lose(button, fault, now)
                continue
            events += self._watch.level(button, is_down=is_down, at_seconds=now)
        events += self._watch.wait(now)
        return sorted(events, key=lambda event: event.at_seconds)

    def close(self) -> None:
        """Gives the pins back."""
        for device in self._devices.values():
            give_back(device)
        self._devices.clear()
        self._missing.clear()

    def _open_missing(self) -> None:
        """Takes the pins that are not there yet."""
        self._tried_at = self._clock()
        self.faults = []
        try:
            factory = self._factory or open_pins(Part.BUTTONS)
        except DeviceError as fault:
            self.faults.append(fault)
            return
        for button, pin in list(self._missing.items()):
            self._open(button, pin, factory)

    def _open(self, button: Button, pin: int, factory: Any) -> None:
        try:
            device, is_down = on_pin(Part.BUTTONS, f"Button {button}", pin, lambda: self._made(button, pin, factory))
        except DeviceError as fault:
            self.faults.append(fault)
            return
        self._watch.add(button, is_down=is_down, at_seconds=self._clock())
        self._devices[button] = device
        del self._missing[button]

    def _made(self, button: Button, pin: int, factory: Any) -> tuple[Any, bool]:
        """A button on its pin, and whether it is down; raises what gpiozero raises."""
        from gpiozero import DigitalInputDevice  # noqa: PLC0415 - a machine without pins need not have it

        # No bounce_time: gpiozero's filter swallows quick presses and loses releases.
        device = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
        try:
            device.when_activated = lambda: self._note(button, is_down=True)
            device.when_deactivated = lambda: self._note(button, is_down=False)
            return device, bool(device.is_active)
        except Exception:
            give_back(device)
            raise

    def _is_down(self, button: Button, device: Any) -> bool:
        return on_pin(Part.BUTTONS, f"Button {button}", self._pins[button], lambda: bool(device.is_active))

    def _lose(self, button: Button, fault: DeviceError, now: float) -> list[ButtonEvent]:
        """A pin that cannot be read any more is missing, and tried again like one that never was there."""
        give_back(self._devices.pop(button))
        self._missing[button] = self._pins[button]
        self._tried_at = now
        self.faults.append(fault)
        return self._watch.remove(button, now)

    def _note(self, button: Button, *, is_down: bool) -> None:
        self._edges.put(_Edge(button, is_down, self._clock()))
        if self._wake is not None:
            self._wake()
