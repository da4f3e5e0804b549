"""What the doctor finds: a line for each part, good or not."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

from companion.texts.language import Texts


class Verdict(enum.StrEnum):
    """How it stands with a part."""

    GOOD = "good"
    NOTE = "note"
    """Worth knowing; the companion can be played with."""
    BAD = "bad"
    """To be mended."""


class Finding(NamedTuple):
    """A line: ``code`` is its sentence among the messages, ``details`` is what it is filled in with."""

    part: str
    verdict: Verdict
    code: str
    details: dict[str, Any]

    def told(self, say: Texts) -> str:
        """The sentence."""
        return say(f"doctor.{self.code}", **self.details)


def good(part: str, code: str, **details: object) -> Finding:
    """A part is right."""
    return Finding(part, Verdict.GOOD, code, details)


def note(part: str, code: str, **details: object) -> Finding:
    """Something is worth knowing."""
    return Finding(part, Verdict.NOTE, code, details)


def bad(part: str, code: str, **details: object) -> Finding:
    """A part has to be mended."""
    return Finding(part, Verdict.BAD, code, details)
