"""What buttons are to the program: presses in the order they happened, told when asked for."""

from __future__ import annotations

import enum
import queue
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

_T = TypeVar("_T")


class Button(enum.StrEnum):
    """The five buttons."""

    ROLL = "roll"
    PASS = "pass"  # noqa: S105 - a button, no password
    UP = "up"
    DOWN = "down"
    BACK = "back"


class Kind(enum.StrEnum):
    """What happened to a button. Each press is PRESSED, perhaps HELD, and RELEASED."""

    PRESSED = "pressed"
    HELD = "held"
    """Still down after the time of the settings; told once, while it is down."""
    RELEASED = "released"
    STUCK = "stuck"
    """Down from the start or for too long: it is ignored from now on, until it is FREED."""
    FREED = "freed"


class ButtonEvent(NamedTuple):
    """One thing that happened, at a monotonic time in seconds."""

    button: Button
    kind: Kind
    at_seconds: float


class Buttons(Protocol):
    """Five buttons, or as many as are there."""

    @property
    def broken(self) -> frozenset[Button]:
        """The buttons that do not work now: they stay down, or their pins cannot be had. Both are tried again."""

    def poll(self) -> list[ButtonEvent]:
        """What has happened since the last call, oldest first; never waits and never raises.

        Holding is noticed here: call it at least every 50 ms.
        """

    def close(self) -> None:
        """Nothing is told any more."""


class VirtualButtons:
    """Buttons that are pressed by a call, from any thread: by keys, a page, or a test."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, wake: Callable[[], None] | None = None) -> None:
        """``wake`` is called after each press, in the thread that pressed."""
        self._clock = clock
        self._wake = wake
        self._events: queue.SimpleQueue[ButtonEvent] = queue.SimpleQueue()

    def press(self, button: Button, *, held: bool = False) -> None:
        """Presses and releases a button; ``held`` as if it was down for long."""
        kinds = (Kind.PRESSED, Kind.HELD, Kind.RELEASED) if held else (Kind.PRESSED, Kind.RELEASED)
        now = self._clock()
        for kind in kinds:
            self._events.put(ButtonEvent(button, kind, now))
        if self._wake is not None:
            self._wake()

    @property
    def broken(self) -> frozenset[Button]:
        return frozenset()

    def poll(self) -> list[ButtonEvent]:
        """The presses since the last call."""
        return drained(self._events)

    def close(self) -> None:
        """What has not been asked for is forgotten."""
        drained(self._events)


def drained(waiting: queue.SimpleQueue[_T]) -> list[_T]:
    """Everything in a queue, without waiting."""
    taken = []
    while True:
        try:
            taken.append(waiting.get_nowait())
        except queue.Empty:
            return taken
