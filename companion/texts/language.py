"""What players read, in their language: sentences from the message files of a game."""

from __future__ import annotations

import os
import tomllib
from importlib.resources import files
from typing import Any, Final

from companion.games.loknroll.rules import RuleError
from companion.games.loknroll.rules.errors import STEP_WORDS, TEXTS, StepName
from vision.cards import Face

LANGUAGES: Final = ("en", "de", "es")


class Texts:
    """The sentences of a language. Their keys are paths as ``turn.lays``."""

    def __init__(self, language: str, package: str = "companion.games.loknroll") -> None:
        """Reads the package's message file of this language, one of LANGUAGES."""
        self.language = language
        self._table = tomllib.loads((files(package) / "messages" / f"{language}.toml").read_text("utf-8"))

    def __call__(self, key: str, **details: object) -> str:
        """The sentence under this key with its details filled in: faces by their names, lists with commas."""
        section, name = key.split(".")
        return self._filled(self._table[section][name], details)

    def counted(self, key: str, **details: object) -> str:
        """The same, in the form for its ``count``: there may be others for 1 (``key-one``) and 0 (``key-none``)."""
        section, name = key.split(".")
        form = {0: f"{name}-none", 1: f"{name}-one"}.get(details.get("count"), name)  # type: ignore[call-overload]
        return self(f"{section}.{form if form in self._table[section] else name}", **details)

    def error(self, error: RuleError) -> str:
        """What is wrong, what is allowed instead, and the clause."""
        return f"{' '.join(self.reason(error))} ({error.clause})"

    def reason(self, error: RuleError) -> tuple[str, str]:
        """What is wrong, and what is allowed instead."""
        told = self._table.get("errors", {}).get(error.code)
        message, allowed = TEXTS[error.code] if told is None else (told["message"], told["allowed"])
        return self._filled(message, error.details), self._filled(allowed, error.details)

    def face(self, face: Face) -> str:
        """A card's name."""
        return self(f"card.{face.kind}", value=face.value)

    def _filled(self, sentence: str, details: dict[str, Any]) -> str:
        return sentence.format(**{name: self._word(value) for name, value in details.items()})

    def _word(self, value: object) -> str:
        if isinstance(value, Face):
            return self.face(value)
        if isinstance(value, (tuple, list)):
            return ", ".join(map(self._word, value))
        if isinstance(value, StepName):
            return str(self._table.get("steps", STEP_WORDS)[value])
        return str(value)


def preferred_language() -> str:
    """The language that the environment asks for, English where it is none of ours."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable)
        if value:
            return value[:2] if value[:2] in LANGUAGES else "en"
    return "en"
