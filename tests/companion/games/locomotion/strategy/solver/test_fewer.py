"""What cannot be done with some of the wagons cannot be done with all of them, and only that is told."""

from itertools import combinations

import pytest

from companion.games.locomotion.strategy.solver.fewer import FewerWagons
from companion.games.locomotion.strategy.solver.motions import Motions
from companion.games.locomotion.strategy.solver.tracks import Tracks
from tests.companion.games.locomotion.plain.search import fewest_steps
from tests.companion.games.locomotion.rules.networks import LINE, PINWHEEL, network
from tests.companion.games.locomotion.strategy.solver.puzzles import Puzzle, as_plain, random_puzzle, solved


def impossible_with(puzzle: Puzzle, chosen: tuple[int, ...]) -> bool:
    number = puzzle.network.dots.index
    dots = [number(dot) for dot in (puzzle.locomotive, *(puzzle.wagons[wagon - 1] for wagon in puzzle.order))]
    motions = Motions(Tracks(puzzle.network), len(puzzle.order))
    fewer = FewerWagons(motions, len(puzzle.order), [puzzle.order.index(wagon) + 1 for wagon in chosen])
    return fewer.is_impossible(dots, lambda: True, 1 << 30)


def test_on_a_line_two_wagons_in_the_wrong_order_are_enough() -> None:
    line = Puzzle(network(LINE), (0, 0), ((2, 0), (4, 0), (6, 0)), (2, 1, 3))
    assert impossible_with(line, (1, 2))
    assert not impossible_with(line, (1, 3))
    assert not impossible_with(line, (3,))


def test_who_stands_between_is_a_stranger_and_in_nobody_s_way() -> None:
    pinwheel = Puzzle(network(PINWHEEL), (2, 0), ((1, 3), (-2, 2), (-1, -1), (0, 2)), (2, 1, 3, 4))
    chosen = [wagons for count in (1, 2) for wagons in combinations((1, 2, 3, 4), count)]
    assert not any(impossible_with(pinwheel, wagons) for wagons in chosen)


@pytest.mark.parametrize("seeds", [range(300, 306), pytest.param(range(310, 350), marks=pytest.mark.further)])
@pytest.mark.parametrize(("shape", "pieces"), [("T", 3), ("X", 2), ("D", 3)])
def test_it_claims_nothing_that_the_plain_witness_can_do(shape: str, pieces: int, seeds: range) -> None:
    puzzles = [random_puzzle(pieces, 3, seed, shape, tries=3) for seed in seeds]
    claimed = [
        puzzle
        for puzzle in puzzles
        if any(impossible_with(puzzle, chosen) for count in (1, 2) for chosen in combinations((1, 2, 3), count))
    ]
    assert all(fewest_steps(as_plain(puzzle)).fewest is None for puzzle in claimed)


IMPOSSIBLE = [("T", 1, 3), ("T", 3, 2), ("T", 1, 1)]
"""Networks of 45 pieces on which no plan was found in 30 seconds, nor that there is none: shape, tries, seed."""


@pytest.mark.further
@pytest.mark.parametrize(("shape", "tries", "seed"), IMPOSSIBLE)
def test_large_puzzles_are_proven_impossible_soon(shape: str, tries: int, seed: int) -> None:
    solution = solved(random_puzzle(45, 4, seed, shape, tries))
    assert solution.is_impossible
    assert solution.states < 3_000_000
