"""What is told about a camera that is being aimed: one thing at a time, and how each is seen on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from companion.screen.screen import Screen
from companion.texts.language import Texts

Subject = Literal["looking", "dark", "bright", "lamp", "cards", "beside", "low", "high", "tilted", "focus", "well"]
Where = Literal["", "left", "right", "near", "far", "middle"]
"""As seen by the person at the table: ``near`` is on their side of it."""

TURNS: Final = ("unknown", "sharper", "less-sharp", "sharpest")
"""How it stands with the lens."""
SIDES: Final[tuple[Where, ...]] = ("left", "right", "near", "far")
_TO_LIVE_WITH: Final = frozenset({"cards", "bright", "lamp", "low", "high", "tilted", "focus"})


class Hint(NamedTuple):
    """What is to be done, or that all is well. ``turn`` is one of TURNS, told where the subject is the focus."""

    subject: Subject
    where: Where = ""
    turn: str = ""

    @property
    def key(self) -> str:
        """Its name, as ``beside-left``, ``focus-sharper`` or ``well``."""
        return "-".join(part for part in (self.subject, self.where, self.turn) if part)

    @property
    def can_stay(self) -> bool:
        """Whether ROLL goes on with it as it is: a lens is not to be turned, a lamp hangs there for good, cards lie."""
        return self.subject in _TO_LIVE_WITH

    def screen(self, say: Texts, fault: str = "") -> Screen:
        """What is to be seen; ``fault`` is what is out of order, if anything is."""
        details = {"where": say(f"aiming.where-{self.where}")} if self.subject in {"lamp", "tilted"} else {}
        named = f"{self.subject}-{self.turn}" if self.turn else self.key if self.subject == "beside" else self.subject
        ok = (
            say("device.key-ok")
            if self.subject in {"well", "cards"}
            else say("aiming.key-leave")
            if self.can_stay
            else ""
        )
        line = fault or say(f"aiming.{named}-help", **details)
        keys = (ok, "", "", "", say("device.key-back"))
        return Screen(say("aiming.title"), say(f"aiming.{named}", **details), (line,), keys=keys)


def every_hint() -> Iterator[Hint]:
    """All that can be told."""
    for subject in ("looking", "dark", "bright", "cards", "low", "high", "well"):
        yield Hint(subject)
    for where in SIDES:
        yield Hint("beside", where)
        yield Hint("tilted", where)
        yield Hint("lamp", where)
    yield Hint("lamp", "middle")
    for turn in TURNS:
        yield Hint("focus", turn=turn)
