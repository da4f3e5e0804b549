"""What does not work at the moment."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from companion.record.file import RecordError
from companion.texts.faults import trouble_of

BLINDING: Final = frozenset({"camera", "dark"})
"""Nothing is seen of the table."""
_READING_SECONDS: Final = 1.0
"""Nobody reads a new screen, and presses a button for what it says, sooner: a press was for the one before."""
_UNRECORDED_SECONDS: Final = 8.0
"""So long people are told that a step could not be recorded, if they do not succeed sooner."""


class Faults:
    """The devices that do not answer, and whether a step could not be recorded."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}
        self._blind_since = float("-inf")
        self._unrecorded_at = float("-inf")
        self.unrecorded = ""
        """Why the last step could not be recorded, as the name of a fault; "" where it could."""

    def __contains__(self, device: str) -> bool:
        return device in self._told

    @property
    def are_blinding(self) -> bool:
        """Whether nothing is seen of the table."""
        return not BLINDING.isdisjoint(self._told)

    def have_just_blinded(self, now: float) -> bool:
        """Whether it is so short since nothing is seen that people have not read it yet."""
        return self.are_blinding and now - self._blind_since < _READING_SECONDS

    @property
    def told(self) -> Mapping[str, str]:
        """The devices that do not answer, with what they told."""
        return MappingProxyType(self._told)

    def report(self, device: str, message: str, now: float) -> None:
        """A device does not answer, at this time in seconds."""
        if device in BLINDING and not self.are_blinding:
            self._blind_since = now
        self._told[device] = message

    def restore(self, device: str) -> None:
        """It answers again."""
        self._told.pop(device, None)

    def lose_step(self, error: RecordError, now: float) -> None:
        """A step could not be recorded."""
        self.unrecorded, self._unrecorded_at = trouble_of(error), now

    def find_record(self, now: float, *, is_written: bool) -> None:
        """A step has been recorded since, or time has passed."""
        if is_written or now - self._unrecorded_at > _UNRECORDED_SECONDS:
            self.unrecorded = ""
