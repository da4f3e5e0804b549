"""What LOK'n'ROLL says in its own words: cards, kinds of steps, and what the rules object to."""

from __future__ import annotations

from companion.games.loknroll.rules.errors import STEP_WORDS
from companion.games.wording import GameTexts
from vision.cards import Face


class Wording(GameTexts):
    """The game's sentences in a language; faces and kinds of steps among their details are named as in its rules."""

    def __init__(self, language: str) -> None:
        """Raises ValueError if the language is none of LANGUAGES."""
        super().__init__(language, "companion.games.loknroll", STEP_WORDS)

    def face(self, face: Face) -> str:
        """A card's name."""
        return self(f"card.{face.kind}", value=face.value)

    def _word(self, value: object) -> str:
        return self.face(value) if isinstance(value, Face) else super()._word(value)
