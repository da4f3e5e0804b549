"""The words of a game at the table, in the people's language."""

from __future__ import annotations

from companion.games.at_table import words
from companion.games.locomotion.rules import Couple, Motion, Run, State
from companion.games.locomotion.wording import Wording


class Words(words.Words):
    """Those that every game has, and what colours and steps are called."""

    def __init__(self, language: str) -> None:
        """Raises ValueError if the language is none of LANGUAGES."""
        self._wording = Wording(language)
        super().__init__(self._wording)

    def colour(self, number: int) -> str:
        """The name of a colour, from 1."""
        return self._wording.colour(number)

    def colours(self, numbers: tuple[int, ...]) -> str:
        """Colours in their order."""
        return self._wording.colours(numbers)

    def motion(self, state: State, motion: Motion) -> str:
        """A step of the train, shortly."""
        colours = state.setup.colours
        if isinstance(motion, Run):
            return self("backwards" if motion.backwards else "forwards")
        if isinstance(motion, Couple):
            return self("couple", colour=self.colour(colours[motion.wagon]))
        left = state.train[-motion.count :]
        return self("uncouple", colours=[self.colour(colours[wagon]) for wagon in left])
