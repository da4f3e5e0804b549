"""What LOK'n'ROLL says in its own words: cards, kinds of steps, and what the rules object to."""

from __future__ import annotations

from companion.games.loknroll.rules import RuleError
from companion.games.loknroll.rules.errors import STEP_WORDS, TEXTS, StepName
from companion.texts.language import Texts
from vision.cards import Face


class Wording(Texts):
    """The game's sentences in a language; faces and kinds of steps among their details are named as in its rules."""

    def __init__(self, language: str) -> None:
        """Raises ValueError if the language is none of LANGUAGES."""
        super().__init__(language, "companion.games.loknroll")

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

    def _word(self, value: object) -> str:
        if isinstance(value, Face):
            return self.face(value)
        if isinstance(value, StepName):
            return str(self._table.get("steps", STEP_WORDS)[value])
        return super()._word(value)
