"""What a game says in its own words: sentences, and what its rules object to."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.step import RuleError, StepName
from companion.texts.language import Texts


class GameTexts(Texts):
    """A game's sentences in a language; kinds of steps among their details are named as in its rules."""

    def __init__(self, language: str, package: str, step_words: Mapping[str, str]) -> None:
        """``step_words`` are the English names of steps; raises ValueError if the language is none of LANGUAGES."""
        super().__init__(language, package)
        self._step_words: Mapping[str, str] = self._table.get("steps", step_words)

    def error(self, error: RuleError) -> str:
        """What is wrong, what is allowed instead, and the clause."""
        return f"{' '.join(self.reason(error))} ({error.clause})"

    def reason(self, error: RuleError) -> tuple[str, str]:
        """What is wrong, and what is allowed instead."""
        told = self._table.get("errors", {}).get(error.code)
        message, allowed = error.texts[error.code] if told is None else (told["message"], told["allowed"])
        return self._filled(message, error.details), self._filled(allowed, error.details)

    def _word(self, value: object) -> str:
        return self._step_words[value] if isinstance(value, StepName) else super()._word(value)
