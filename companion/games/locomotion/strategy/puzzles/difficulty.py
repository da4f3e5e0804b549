"""How hard a puzzle is for people, judged by its plans with the fewest steps."""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum
from typing import Final, NamedTuple

from companion.games.locomotion.networks import Puzzle
from companion.games.locomotion.rules import Run
from companion.games.locomotion.strategy.puzzles.drawing_lots import DrawnPuzzle
from companion.games.locomotion.strategy.solver.beam import farness_on
from companion.games.locomotion.strategy.solver.motions import Motions
from companion.games.locomotion.strategy.solver.standing import starts_of
from companion.games.locomotion.strategy.solver.tracks import Tracks

TENTHS: Final[dict[str, tuple[int, ...]]] = {
    "steps": (20, 23, 25, 27, 29, 32, 34, 39, 48),
    "changes": (4, 4, 5, 5, 5, 6, 6, 8, 8),
    "detour": (0, 4, 5, 7, 8, 10, 11, 13, 20),
    "plans": (1, 1, 1, 2, 2, 2, 4, 4, 8),
}
"""What a tenth, two tenths and so on of puzzles drawn by lot do not exceed.

Of 300 with 4 to 20 pieces of all shapes and 2 to 4 wagons;
``python -m tests.companion.games.locomotion.measure_difficulty`` draws them, and prints these numbers.
"""
_QUARTILES: Final = (13, 17, 22)
"""What a quarter, half and three quarters of them have of ``Difficulty.points`` at most."""


class Grade(StrEnum):
    """A quarter of the puzzles that are drawn by lot has each."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very-hard"


class Difficulty(NamedTuple):
    """What makes a puzzle hard.

    ``changes`` are couplings and uncouplings. ``detour`` is how many steps more there are than the locomotive alone
    would need from wagon to wagon in their order. Of few ``plans`` it is harder to find one.
    """

    steps: int
    changes: int
    detour: int
    plans: int

    @property
    def points(self) -> int:
        """One for each tenth that its steps, changes and detour exceed, and for each that its plans do not."""
        exceeded = {name: bisect_left(TENTHS[name], value) for name, value in self._asdict().items()}
        few_plans = len(TENTHS["plans"]) - exceeded.pop("plans")
        return sum(exceeded.values()) + few_plans

    @property
    def grade(self) -> Grade:
        """In a word."""
        return list(Grade)[bisect_left(_QUARTILES, self.points)]


def difficulty_of(drawn: DrawnPuzzle) -> Difficulty:
    """Of a puzzle that was drawn by lot."""
    steps = len(drawn.plan)
    changes = sum(not isinstance(motion, Run) for motion in drawn.plan)
    return Difficulty(steps, changes, max(0, steps - _straight_way(drawn.puzzle)), drawn.shortest.plans)


def _straight_way(puzzle: Puzzle) -> int:
    """The steps of a locomotive alone from wagon to wagon in their order, coupling each."""
    motions = Motions(Tracks(puzzle.network), len(puzzle.wagons))
    farness = farness_on(motions)
    return min(int(farness(key, codes).min()) for key, codes in starts_of([puzzle.start()], motions).items())
