"""The words of a game at the table, in the people's language."""

from __future__ import annotations

from companion.games.at_table import words
from companion.games.locomotion.rules import Couple, Run, State, Uncouple
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.wording import Kind, Paints, Wording


class Words(words.Words):
    """Those that every game has, and what colours and steps are called."""

    def __init__(self, language: str, paints: Paints) -> None:
        """``paints`` are the people's own. Raises ValueError if the language is none of LANGUAGES."""
        self._wording = Wording(language, paints)
        super().__init__(self._wording)

    def colour(self, number: int) -> str:
        """The name of a colour, from 1."""
        return self._wording.colour(number)

    def kind(self, kind: Kind) -> str:
        """A vehicle by its colour, as a heading."""
        return self._wording.kind(kind)

    def move(self, number: int) -> str:
        """That the train whose locomotive has this colour is to be moved."""
        own = self._wording.own_name(number)
        return self(f"move-{number}") if own is None else self._wording(f"own-train.{own}")

    def step(self, state: State, step: AnyStep) -> str:
        """What the train of a state does in a step, shortly; "" for what is no motion."""
        colours = state.setup.colours
        if isinstance(step, Run):
            return self("backwards" if step.backwards else "forwards")
        if isinstance(step, Couple):
            return self("couple", colour=self.colour(colours[step.wagon]))
        if isinstance(step, Uncouple):
            return self("uncouple", colours=[self.colour(colours[wagon]) for wagon in state.train[-step.count :]])
        return ""

    def sign(self, state: State, step: AnyStep) -> str:
        """A coupling or uncoupling, as short as in a row of steps; "" for what is neither."""
        colours = state.setup.colours
        if isinstance(step, Couple):
            return self("plan-couple", colour=self.colour(colours[step.wagon]))
        if isinstance(step, Uncouple):
            return self("plan-uncouple", colours=[self.colour(colours[wagon]) for wagon in state.train[-step.count :]])
        return ""
