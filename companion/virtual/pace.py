"""When a robot does the next thing, and how long it waits for an answer."""

from __future__ import annotations

from typing import Final

PRESS_SECONDS: Final = 2.0
"""So long a button is given until it is let go and has done something."""
_SITTING_DOWN_SECONDS: Final = 2.0
"""So long the camera sees the table before the first thing is done."""
_PATIENCE_SECONDS: Final = 12.0
"""After so long without an answer of the companion, the robot does what it did once more."""
_MOST_REPEATS: Final = 5


class Pace:
    """Keeps the time between things that a robot does, and its patience with a companion that does not answer.

    ``repeats`` counts what had to be done twice.
    """

    def __init__(self, pause_seconds: float, watching_seconds: float) -> None:
        """``pause_seconds`` pass between two things done; ``watching_seconds`` after a roll before it moves on."""
        self.repeats = 0
        self._pause = pause_seconds
        self._watching = watching_seconds
        self._now = 0.0
        self._ready_at: float | None = None
        self._silent_since = 0.0
        self._in_vain = 0

    def look_at_clock(self, now: float) -> None:
        """It is so late, in seconds; at first the robot sits down."""
        self._now = now
        if self._ready_at is None:
            self._ready_at = self._silent_since = now + _SITTING_DOWN_SECONDS

    @property
    def is_ready(self) -> bool:
        """Whether it is time for the next thing."""
        return self._ready_at is not None and self._now >= self._ready_at

    def is_watching(self, rolled_at: float) -> bool:
        """Whether dice that were rolled then are still looked at."""
        return self._now - rolled_at < self._watching

    def has_done(self) -> None:
        """Something has been done: the next thing has time."""
        self._ready_at = max(self._ready_at or 0.0, self._now + self._pause)
        self._silent_since = self._now

    def wait(self, seconds: float) -> None:
        """What is being done takes so long."""
        self._ready_at = self._now + seconds

    def has_been_answered(self) -> None:
        """The companion goes on."""
        self._silent_since = self._now
        self._in_vain = 0

    def sees_why(self) -> None:
        """The companion cannot answer, as everybody sees at the table: that is no silence."""
        self._silent_since = self._now

    @property
    def is_tired(self) -> bool:
        """Whether the companion has been silent for too long."""
        return self._now - self._silent_since > _PATIENCE_SECONDS

    def repeat(self) -> bool:
        """What was done is done once more; says whether that is still worth it."""
        self._silent_since = self._now
        self.repeats += 1
        self._in_vain += 1
        return self._in_vain <= _MOST_REPEATS
