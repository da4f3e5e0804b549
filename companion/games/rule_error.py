"""The error of a step that cannot be done, whichever the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from companion.games.step import StepName


class RuleError(ValueError):
    """A step that cannot be done: what is wrong, by which clause, and what is allowed instead.

    ``code`` and ``details`` say the same to programs. A game derives its own from it, with its ``texts``: for each code
    what is wrong, and what is allowed instead; and with ``step_words``, what each kind of step is called.
    """

    texts: ClassVar[Mapping[str, tuple[str, str]]] = {}
    step_words: ClassVar[Mapping[str, str]] = {}

    def __init__(self, clause: str, code: str, **details: object) -> None:
        super().__init__(clause, code)
        self.clause = clause
        self.code = code
        self.details = details

    def __str__(self) -> str:
        return f"{self.message} {self.allowed} ({self.clause})"

    @property
    def message(self) -> str:
        """What is wrong, in English."""
        return self.texts[self.code][0].format(**self._words())

    @property
    def allowed(self) -> str:
        """What is allowed instead, in English."""
        return self.texts[self.code][1].format(**self._words())

    def word(self, value: object) -> str:
        """A detail as people read it."""
        if isinstance(value, StepName):
            return self.step_words[value]
        return ", ".join(map(self.word, value)) if isinstance(value, (tuple, list)) else str(value)

    def _words(self) -> dict[str, str]:
        return {name: self.word(value) for name, value in self.details.items()}
