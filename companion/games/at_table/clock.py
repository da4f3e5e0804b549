"""The time of a game, and presses that had better wait."""

from __future__ import annotations

from typing import Final

from hardware.buttons import Button

TWICE_SECONDS: Final = 0.6
"""A second PASS within this time is a button that was pressed twice."""


class Clock:
    """The time in seconds as ticks tell it, and when the game last went on and somebody last passed."""

    def __init__(self) -> None:
        self.now = 0.0
        self.stepped_at = float("-inf")
        self._passed_at = float("-inf")

    def tick(self, seconds: float) -> None:
        """Time goes on; it never goes back."""
        self.now = max(self.now, seconds)

    def step(self) -> None:
        """The game has gone on, or back."""
        self.stepped_at = self.now

    def pass_on(self) -> None:
        """Somebody has passed."""
        self._passed_at = self.now

    @property
    def has_just_passed(self) -> bool:
        """Whether it is so short since somebody passed that another press is the same one."""
        return self.now - self._passed_at < TWICE_SECONDS


class EarlyPress:
    """A press for which the camera is not ready: it counts when that is, or when it has waited long enough."""

    def __init__(self) -> None:
        self.button: Button | None = None
        self._since = 0.0

    def keep(self, button: Button, now: float) -> None:
        """This button was pressed."""
        self.button, self._since = button, now

    def drop(self) -> None:
        """It counts now, or no more."""
        self.button = None

    def waited(self, now: float) -> float:
        """For how many seconds it has waited."""
        return now - self._since
