"""What Locomotion says in its own words: dots, colours, steps, and what the rules object to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from companion.games.locomotion.rules.errors import STEP_WORDS
from companion.games.locomotion.rules.steps import Couple, Motion, Run
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

    def motion(self, motion: Motion) -> str:
        """What a train does in a game for one, where a wagon is known by its number."""
        if isinstance(motion, Run):
            return self._run(motion)
        if isinstance(motion, Couple):
            return self("solve.couples", wagon=motion.wagon)
        left = self.counted("solve.uncouples", count=motion.count)
        return left if motion.to is None else f"{left}, {self('turn.runs', dot=motion.to)}"

    def plan(self, plan: Sequence[Motion]) -> Iterator[tuple[str, str]]:
        """A plan with runs in one direction together: which steps they are, and what the train does."""
        first = 1
        for _, motions in groupby(enumerate(plan), key=lambda step: _together(*step)):
            steps = [motion for _, motion in motions]
            last = first + len(steps) - 1
            runs = [motion for motion in steps if isinstance(motion, Run)]
            told = self._run(*runs) if runs else self.motion(steps[0])
            yield str(first) if first == last else f"{first}–{last}", told
            first = last + 1

    def _run(self, *runs: Run) -> str:
        return self("turn.backs" if runs[0].backwards else "turn.runs", dot=[run.to for run in runs])

    def _word(self, value: object) -> str:
        if isinstance(value, tuple) and len(value) == 2 and all(isinstance(item, int) for item in value):
            return f"({value[0]}, {value[1]})"
        return super()._word(value)


def _together(number: int, motion: Motion) -> tuple[bool, int]:
    """The same for runs in one direction, for each other motion something else."""
    return (motion.backwards, 0) if isinstance(motion, Run) else (False, number + 1)
