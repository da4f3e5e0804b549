"""Puzzles drawn by lot (LSOLO1): solvable, with the fewest steps proven, and not without any shunting.

The same number gives the same puzzle on every machine: what is tried depends on chance and on counts of states alone.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from companion.games.locomotion.networks import NoRoom, Puzzle, Wish, draw_network, draw_start
from companion.games.locomotion.rules import Motion, Piece, Uncouple
from companion.games.locomotion.strategy.solver.counting import Shortest, shortest_plans

MOST_TRIES: Final = 100
MOST_STATES: Final = 500_000
"""Of a try: a second here, ten on a Raspberry Pi Zero. What needs more is given up: few people would solve it."""
_PIECES_PER_LOOP: Final = 4
"""On networks with fewer loops most orders are impossible; so few pieces that it would be none may have any."""
_LEAST_ROOM: Final = 3
"""Dots for each vehicle: nearer together they would stand in each other's way only."""


class Tries(NamedTuple):
    """What was drawn until a puzzle was found, and why it was none."""

    impossible: int = 0
    too_large: int = 0
    too_easy: int = 0

    @property
    def made(self) -> int:
        """How many there were."""
        return sum(self)


class DrawnPuzzle(NamedTuple):
    """A puzzle, its number, a plan with the fewest steps and what is known of all such, and what was tried before."""

    number: int
    puzzle: Puzzle
    plan: tuple[Motion, ...]
    shortest: Shortest
    tries: Tries


class NoPuzzle(ValueError):
    """None was found."""

    def __init__(self, tries: Tries) -> None:
        super().__init__("no puzzle was found")
        self.tries = tries


def draw_puzzle(
    number: int,
    piece: Piece,
    pieces: int,
    wagons: int,
    watch: Callable[[Tries], None] = lambda _: None,
    *,
    has_time: Callable[[], bool] = lambda: True,
) -> DrawnPuzzle:
    """The puzzle of this number on so many pieces; raises NoPuzzle, and BadNetwork where there is no such network.

    If the fewest steps are not proven within MOST_STATES, vehicles stand nearer together from then on. ``watch`` is
    told how it goes. Once there is no more time there is no puzzle.
    """
    random, tries, room = Random(number), Tries(), len(piece.cells) * pieces
    while tries.made < MOST_TRIES and has_time():
        watch(tries)
        network = draw_network(random, piece, pieces, Wish(pieces // _PIECES_PER_LOOP or None)).network
        try:
            puzzle = draw_start(random, network, wagons, room=room)
        except NoRoom:
            raise NoPuzzle(tries) from None
        shortest = shortest_plans(puzzle, most_states=MOST_STATES, has_time=has_time)
        if shortest.is_impossible:
            tries = tries._replace(impossible=tries.impossible + 1)
        elif shortest.plan is None:
            tries = tries._replace(too_large=tries.too_large + 1)
            room = max(room // 2, _LEAST_ROOM * (wagons + 1))
        elif not any(isinstance(motion, Uncouple) for motion in shortest.plan):
            tries = tries._replace(too_easy=tries.too_easy + 1)
        else:
            return DrawnPuzzle(number, puzzle, shortest.plan, shortest, tries)
    raise NoPuzzle(tries)
