"""Presses out of what buttons tell, and time that never jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from companion.games.events import Pressed, Tapped
from companion.screen.screen import Screen
from hardware.buttons import Button, Kind

OFF_BUTTONS: Final = frozenset({Button.PASS, Button.BACK})
"""Held together for OFF_SECONDS they switch the companion off, whatever is on the screen."""
OFF_SECONDS: Final = 5.0
JUMP_SECONDS: Final = 30.0
"""A loop that turns many times a second takes a longer step of the clock for a jump."""

_CHOOSES_NOTHING: Final = {"", "+"}
"""What ROLL may say where it does not choose the line of a list."""


class Presses:
    """Makes presses of what buttons tell: where holding means something else, a press counts when it is let go."""

    def __init__(self) -> None:
        self._waits: set[Button] = set()

    def forget(self, buttons: Iterable[Button]) -> None:
        """These buttons that are down mean nothing any more."""
        self._waits.difference_update(buttons)

    def of(self, button: Button, kind: Kind, held_too: Iterable[Button]) -> list[Pressed]:
        """The presses that follow; ``held_too`` are the buttons for which holding means something else now."""
        if kind is Kind.PRESSED:
            # Where holding means nothing else, nobody has to let go before it counts.
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


def press_towards(tapped: Tapped, screen: Screen) -> Button | None:
    """The next press on the way to choosing a line, of which the last is ROLL; None where it is another list.

    Where ROLL chooses nothing, as where it counts up what a line says, it is only gone to that line.
    """
    choices, line = screen.choices, tapped.line
    if screen.heading != tapped.heading or not 0 <= line < len(choices) or choices[line] != tapped.text:
        return None
    if line == screen.chosen:
        return None if screen.keys[0] in _CHOOSES_NOTHING else Button.ROLL
    downwards = (line - screen.chosen) % len(choices)
    return Button.DOWN if 2 * downwards <= len(choices) else Button.UP


class OffWatch:
    """Notices that OFF_BUTTONS are held together for OFF_SECONDS."""

    def __init__(self) -> None:
        self._down: set[Button] = set()
        self._since: float | None = None

    @property
    def is_held(self) -> bool:
        """Whether they are down together: then none of them means anything by itself."""
        return self._since is not None

    def note(self, button: Button, kind: Kind, at_seconds: float) -> None:
        """Something has happened to a button."""
        if kind is Kind.PRESSED:
            self._down.add(button)
        # A button that is stuck counts as up: it must not switch off with the other one's help.
        elif kind is not Kind.HELD:
            self._down.discard(button)
        if not self._down >= OFF_BUTTONS:
            self._since = None
        elif self._since is None:
            self._since = at_seconds

    def is_due(self, now: float) -> bool:
        """Whether they have been held for long enough."""
        return self._since is not None and now - self._since >= OFF_SECONDS


class SteadyTime:
    """Seconds that never jump, whatever the clock does: a machine that slept, or a clock that is put right."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``jumped``: the clock has jumped; whoever has told so sets it back."""
        self._clock = clock
        self._seen = clock()
        self._seconds = self._seen
        self.jumped = False

    def __call__(self) -> float:
        """The seconds so far; a jump counts as no time."""
        now = self._clock()
        # What waits for a time, as an answer that is shown for a while, must neither end at once nor never.
        if 0 <= now - self._seen <= JUMP_SECONDS:
            self._seconds += now - self._seen
        else:
            self.jumped = True
        self._seen = now
        return self._seconds
