"""What happens in a game, one thing at a time, and the error of what cannot; whichever the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec


class StepName(str):
    """The name of a kind of step, to be told in words."""

    __slots__ = ()


class Step(msgspec.Struct, frozen=True, tag_field="step", omit_defaults=True):
    """One thing that happens at the table. In JSON its kind stands under ``step``."""

    @property
    def name(self) -> StepName:
        """The step's kind, as it stands in a record."""
        return step_name(type(self))

    @property
    def fallen(self) -> tuple[int, ...]:
        """The dice that fell in it."""
        return ()


def step_name(kind: type[Step]) -> StepName:
    """The name of a kind of step."""
    return StepName(kind.__struct_config__.tag)


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
