"""The one loop that owns a game: events from buttons, camera and clock go in, one after the other, effects come out."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Collection, Iterable
from typing import Final, Protocol

from companion.control.events import Effect, Event, Leave, Pressed, Seen, Tick
from hardware.buttons import Button, Buttons, Kind

PAUSE_SECONDS: Final = 0.02
"""So often the buttons are asked."""
TICK_SECONDS: Final = 0.1

Sink = Callable[[Effect], None]


class Handler(Protocol):
    """What a loop feeds: a game's ``Controller``, or the ``Lobby``."""

    @property
    def expected_faces(self) -> Collection[str]:
        """The faces that may be laid or shown now."""

    @property
    def held_buttons(self) -> Collection[Button]:
        """The buttons that mean something else when they are held."""

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event."""


class Presses:
    """Makes presses of what buttons tell: where holding means something else, a press counts when it is let go."""

    def __init__(self) -> None:
        """No button is down."""
        self._waits: set[Button] = set()

    def of(self, button: Button, kind: Kind, held_too: Iterable[Button]) -> list[Pressed]:
        """The presses that follow; ``held_too`` are the buttons for which holding means something else now."""
        if kind is Kind.PRESSED:
            if button not in set(held_too):
                return [Pressed(button)]
            self._waits.add(button)
        elif kind is Kind.HELD and button in self._waits:
            self._waits.discard(button)
            return [Pressed(button, held=True)]
        elif kind is Kind.RELEASED and button in self._waits:
            self._waits.discard(button)
            return [Pressed(button)]
        elif kind is Kind.STUCK:
            self._waits.discard(button)
        return []


class Loop:
    """Feeds a controller. ``post`` may be called from any thread, everything else from one."""

    def __init__(
        self,
        controller: Handler,
        buttons: Buttons,
        sinks: Iterable[Sink],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``sinks`` are told every effect; they must not wait and must not raise. ``clock`` never goes back."""
        self.controller = controller
        self.expected_faces = controller.expected_faces
        self._buttons = buttons
        self._sinks = list(sinks)
        self._clock = clock
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._presses = Presses()
        self._ticked_at = float("-inf")

    def post(self, event: Event) -> None:
        """Something has happened: a reading, a fault, a press on a page."""
        self._events.put(event)

    def run(self, is_over: Callable[[], bool] = lambda: False) -> Leave | None:
        """Runs until the game is left, which it returns, or until it is over."""
        while not is_over():
            for effect in self.turn(PAUSE_SECONDS):
                if isinstance(effect, Leave):
                    return effect
        return None

    def turn(self, wait_seconds: float = 0.0) -> list[Effect]:
        """Does all that has happened; waits so long for the first event."""
        events: list[Event] = []
        for told in self._buttons.poll():
            events += self._presses.of(told.button, told.kind, self.controller.held_buttons)
        events += self._posted(0.0 if events else wait_seconds)
        now = self._clock()
        if events or now - self._ticked_at >= TICK_SECONDS:
            self._ticked_at = now
            events.insert(0, Tick(now))
        effects: list[Effect] = []
        for event in events:
            effects += self.controller.handle(event)
        if effects:
            self.expected_faces = self.controller.expected_faces
        for effect in effects:
            for sink in self._sinks:
                sink(effect)
        return effects

    def _posted(self, wait_seconds: float) -> list[Event]:
        """What has been posted; of several readings in a row only the last one matters."""
        events: list[Event] = []
        try:
            while True:
                event = (
                    self._events.get(timeout=wait_seconds) if wait_seconds and not events else self._events.get_nowait()
                )
                if events and isinstance(event, Seen) and isinstance(events[-1], Seen):
                    events.pop()
                events.append(event)
        except queue.Empty:
            return events
