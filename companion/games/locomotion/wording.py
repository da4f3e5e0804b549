"""What Locomotion says in its own words: dots, colours, steps, and what the rules object to."""

from __future__ import annotations

from companion.games.locomotion.rules.errors import STEP_WORDS
from companion.games.wording import GameTexts


class Wording(GameTexts):
    """The game's sentences in a language; dots and kinds of steps among their details are named as in its rules."""

    def __init__(self, language: str) -> None:
        """Raises ValueError if the language is none of LANGUAGES."""
        super().__init__(language, "companion.games.locomotion", STEP_WORDS)

    def colour(self, number: int) -> str:
        """The name of a colour of wagons or locomotives, from 1."""
        return self(f"colour.{number}")

    def colours(self, numbers: tuple[int, ...]) -> str:
        """Colours in their order."""
        return " – ".join(map(self.colour, numbers))

    def _word(self, value: object) -> str:
        if isinstance(value, tuple) and len(value) == 2 and all(isinstance(item, int) for item in value):
            return f"({value[0]}, {value[1]})"
        return super()._word(value)
