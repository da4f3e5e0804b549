"""What LOK'n'ROLL says in its own words: cards, kinds of steps, and what the rules object to."""

from __future__ import annotations

import re
from typing import Final

from companion.games.loknroll.rules import RuleError, edition_names, load_edition
from companion.games.loknroll.rules.errors import STEP_WORDS, TEXTS, StepName
from companion.texts.language import Texts
from vision.cards import Face

_MARK: Final = re.compile("[0-9a-f]{16}")
_MARK_SHOWN: Final = 4
"""Of the letters of a mark so many tell the few variants apart that anybody plays."""


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

    def edition(self, title: str) -> str:
        """An edition's title in this language; of one that is from elsewhere as it stands there."""
        named = {load_edition(name).title: name.replace("_", "-") for name in edition_names()}
        return self(f"edition.{named[title]}") if title in named else title

    def rules(self, comparable: str) -> str:
        """What ``rules.variant.comparable`` tells: the edition, and a mark where rules or cards are others."""
        title, _, mark = comparable.rpartition(", ")
        if not _MARK.fullmatch(mark):
            return self.edition(comparable)
        return self("edition.changed", edition=self.edition(title), mark=mark[:_MARK_SHOWN])

    def _word(self, value: object) -> str:
        if isinstance(value, Face):
            return self.face(value)
        if isinstance(value, StepName):
            return str(self._table.get("steps", STEP_WORDS)[value])
        return super()._word(value)
