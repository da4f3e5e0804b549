"""The one loop that owns a game: events from buttons, camera and clock go in, one after the other, effects come out."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Collection, Iterable
from typing import Final

from companion.device.presses import OFF_BUTTONS, OffWatch, Presses, SteadyTime, press_towards
from companion.games.events import Effect, Event, Fault, Leave, Pressed, Restored, Seen, Show, Tapped, Tick
from companion.games.game import Handler
from companion.screen.screen import Screen
from hardware.buttons import Button, Buttons

PAUSE_SECONDS: Final = 0.02
"""So often the buttons are asked."""
TICK_SECONDS: Final = 0.1
TOLD_SECONDS: Final = 5.0
"""So long people are told that the clock has jumped."""
NEWS_SECONDS: Final = 20.0
"""So long people are told what was wrong at the start: they may still be sitting down."""
_MOST_WAITING: Final = 100

Sink = Callable[[Effect], None]


class Loop:
    """Feeds a controller. ``post`` may be called from any thread, everything else from one."""

    def __init__(
        self,
        controller: Handler,
        buttons: Buttons,
        sinks: Iterable[Sink],
        clock: Callable[[], float] = time.monotonic,
        on_turn: Callable[[], None] | None = None,
        *,
        news: Collection[str] = (),
    ) -> None:
        """``sinks`` are told every effect; they must not wait and must not raise. ``clock`` should never jump.

        ``on_turn`` is called by ``run`` in its thread once a turn, many times a second, after all that has happened was
        done and recorded: a sign of life for a watchdog. It must not wait. ``news`` are faults that are
        told for a while.
        """
        self.controller = controller
        # The camera's thread reads this one: the controller may only be asked by the thread that feeds it.
        self.expected_faces = controller.expected_faces
        self._buttons = buttons
        self._sinks = list(sinks)
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._presses = Presses()
        self._shown = Screen()
        self._off = OffWatch()
        self._on_turn = on_turn
        self._ticked_at = float("-inf")
        self._broken: frozenset[Button] = frozenset()
        self._time = SteadyTime(clock)
        self._news = dict.fromkeys(news, self._time() + NEWS_SECONDS)
        """What is told for a while, and until when."""
        for name in news:
            self.post(Fault(name))

    def post(self, event: Event) -> None:
        """Something has happened: a reading, a fault, a press on a page."""
        self._events.put(event)

    @property
    def is_behind(self) -> bool:
        """Whether more has been posted than people do in the time of a turn."""
        return self._events.qsize() > _MOST_WAITING

    def run(self, is_over: Callable[[], bool] = lambda: False) -> Leave | None:
        """Runs until the game is left, which it returns, or until it is over."""
        while not is_over():
            for effect in self.turn(PAUSE_SECONDS):
                if isinstance(effect, Leave):
                    return effect
            if self._on_turn is not None:
                self._on_turn()
        return None

    def wake(self) -> None:
        """The loop shall look whether it is over; what handles a signal may call it.

        A signal that is handled for longer than a SimpleQueue has left to wait lets Python wait for ever: the rest of
        the time is below zero, which means without end.
        """
        self._events.put(None)

    def turn(self, wait_seconds: float = 0.0) -> list[Effect]:
        """Does all that has happened; waits so long for the first event."""
        events: list[Event] = list(self._pressed())
        # A press is answered at once: only with nothing to do is there time to wait.
        events += self._posted(0.0 if events else wait_seconds)
        now = self._time()
        events += self._troubles(now)
        if events or now - self._ticked_at >= TICK_SECONDS:
            self._ticked_at = now
            # The controller has no clock of its own: it hears the time before what happens at that time.
            events.insert(0, Tick(now))
        effects: list[Effect] = []
        for event in events:
            effects += self._tapped(event) if isinstance(event, Tapped) else self._handled(event)
        if self._off.is_due(now):
            # Not the controller's to decide: people can switch off whatever is on the screen.
            effects.append(Leave("off"))
        # Nothing has come of events without effects, so the same faces may be laid as before.
        if effects:
            self.expected_faces = self.controller.expected_faces
        for effect in effects:
            for sink in self._sinks:
                sink(effect)
        return effects

    def _handled(self, event: Event) -> list[Effect]:
        effects = self.controller.handle(event)
        self._shown = next((effect.screen for effect in reversed(effects) if isinstance(effect, Show)), self._shown)
        return effects

    def _tapped(self, tapped: Tapped) -> list[Effect]:
        """What comes of pressing until the line is chosen; all at once, so that nobody's press comes between."""
        effects: list[Effect] = []
        for _ in range(len(self._shown.choices)):
            button = press_towards(tapped, self._shown)
            if button is not None:
                effects += self._handled(Pressed(button))
            if button in {None, Button.ROLL}:
                break
        return effects

    def _troubles(self, now: float) -> list[Event]:
        """What has gone wrong, or right again, with the buttons and the clock."""
        told: list[Event] = []
        if self._buttons.broken != self._broken:
            self._broken = self._buttons.broken
            names = " ".join(sorted(self._broken))
            told.append(Fault("buttons", names) if names else Restored("buttons"))
        if self._time.jumped:
            self._time.jumped = False
            self._news["clock"] = now + TOLD_SECONDS
            told.append(Fault("clock"))
        for name in [name for name, until in self._news.items() if now >= until]:
            del self._news[name]
            told.append(Restored(name))
        return told

    def _pressed(self) -> list[Pressed]:
        """The presses since the last turn."""
        presses: list[Pressed] = []
        for told in self._buttons.poll():
            self._off.note(told.button, told.kind, self._time())
            presses += self._presses.of(told.button, told.kind, self.controller.held_buttons)
            if self._off.is_held:
                # Else each would mean what it means by itself once it is let go.
                self._presses.forget(OFF_BUTTONS)
        return presses

    def _posted(self, wait_seconds: float) -> list[Event]:
        """What has been posted; of several readings in a row only the last one matters."""
        events: list[Event] = []
        try:
            while True:
                event = (
                    self._events.get(timeout=wait_seconds) if wait_seconds and not events else self._events.get_nowait()
                )
                if event is None:
                    return events
                # A reading before a press is kept: people pressed because of what lay there then.
                if events and isinstance(event, Seen) and isinstance(events[-1], Seen):
                    events.pop()
                events.append(event)
        except queue.Empty:
            return events
