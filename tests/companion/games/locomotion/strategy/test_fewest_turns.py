"""A plan with the fewest steps also takes the fewest turns with the die, whatever is rolled (LDIE2, LSOLO1)."""

from itertools import accumulate, count
from random import Random

import pytest

from companion.games.locomotion.rules.motions import Position, motions, position
from companion.games.locomotion.rules.state import State
from tests.companion.games.locomotion.rules.networks import game_on, rolled
from tests.companion.games.locomotion.strategy.solver.puzzles import random_puzzle, solved


def turns_needed(start: State, rolls: list[int]) -> int:
    """How many turns with these rolls, by going everywhere that each turn can go, what is left over lapsing."""
    here: set[Position] = {position(start)}
    for turn in count():
        if any(place.is_won for place in here):
            return turn
        edge = set(here)
        for _ in range(rolls[turn]):
            edge = {after for place in edge if not place.is_won for _, after in motions(place)} - here
            here |= edge
    raise AssertionError("unreachable")


@pytest.mark.rule("LDIE2", "LSOLO1")
@pytest.mark.parametrize("seed", [1, 2, 5])
def test_the_fewest_steps_are_the_fewest_turns_for_every_sequence_of_rolls(seed: int) -> None:
    puzzle = next(
        found for number in count(100 * seed) if (solved(found := random_puzzle(4, 2, number, tries=3)).steps or 0) > 8
    )
    steps = solved(puzzle).steps
    assert steps is not None
    start = rolled(
        game_on(
            [(placed.cell, placed.heading) for placed in puzzle.network.pieces],
            [puzzle.locomotive],
            [[dot] for dot in puzzle.wagons],
            order=puzzle.order,
        )
    ).state
    random = Random(seed)
    for _ in range(6):
        rolls = [random.randint(1, 6) for _ in range(steps)]
        enough = next(turn for turn, together in enumerate(accumulate(rolls), 1) if together >= steps)
        assert turns_needed(start, rolls) == enough
