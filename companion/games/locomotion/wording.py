"""What Locomotion says in its own words: dots, colours, steps, and what the rules object to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from companion.games.locomotion.rules.errors import STEP_WORDS
from companion.games.locomotion.rules.steps import Couple, Motion, Run
from companion.games.wording import GameTexts


class Kind(NamedTuple):
    """What a vehicle is: the number of its colour, from 1, and whether it is a locomotive."""

    colour: int
    is_locomotive: bool


class Shift(NamedTuple):
    """So many dots to the right and down; less than 0 to the left and up."""

    right: int
    down: int


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

    def kind(self, kind: Kind) -> str:
        """A vehicle by its colour, as a heading."""
        return self(f"vehicle.{'locomotive' if kind.is_locomotive else 'wagon'}-{kind.colour}")

    def shift(self, shift: Shift) -> str:
        """How far something is moved, as people see it on the map."""
        across = "right" if shift.right > 0 else "left"
        along = "down" if shift.down > 0 else "up"
        told = [(across, abs(shift.right)), (along, abs(shift.down))]
        return ", ".join(self.counted(f"shift.{way}", count=count) for way, count in told if count)

    def _word(self, value: object) -> str:
        if isinstance(value, Kind):
            return self.kind(value)
        if isinstance(value, Shift):
            return self.shift(value)
        if isinstance(value, tuple) and len(value) == 2 and all(isinstance(item, int) for item in value):
            return f"({value[0]}, {value[1]})"
        return super()._word(value)


def _together(number: int, motion: Motion) -> tuple[bool, int]:
    """The same for runs in one direction, for each other motion something else."""
    return (motion.backwards, 0) if isinstance(motion, Run) else (False, number + 1)
