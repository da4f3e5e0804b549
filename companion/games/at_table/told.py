"""What people have been told last."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.screen.screen import Screen

NOTICE_SECONDS: Final = 6.0


class Story(NamedTuple):
    """What the last drive did, to be told and shown again: its sentences, its dice, and when it began."""

    heading: str
    lines: tuple[str, ...]
    dice: tuple[int, ...]
    at_seconds: float

    def screen(self, keys: tuple[str, str, str, str, str]) -> Screen:
        """It is told, the first sentence large."""
        first, *rest = self.lines or ("",)
        return Screen(heading=self.heading, main=first, lines=tuple(rest), keys=keys)


class Told:
    """The story of the last drive, and a remark that is worth reading for a while."""

    def __init__(self) -> None:
        self.story: Story | None = None
        self._remark = ""
        self._until = 0.0

    def tell(self, story: Story) -> None:
        """A drive has been done."""
        self.story = story

    def forget(self) -> None:
        """The drive counts no more."""
        self.story = None

    def remark(self, text: str, now: float) -> None:
        """Says something for a while."""
        self._remark, self._until = text, now + NOTICE_SECONDS

    def notice(self, now: float) -> str:
        """A remark that is still worth reading."""
        return self._remark if now < self._until else ""
