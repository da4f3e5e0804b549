"""The fewest steps of a solo game: golden numbers, and the plain witness, which looks at every state."""

from itertools import count

import pytest

from tests.companion.games.locomotion.plain.search import fewest_steps
from tests.companion.games.locomotion.rules.networks import LINE, network
from tests.companion.games.locomotion.strategy.solver.puzzles import (
    Puzzle,
    as_plain,
    golden,
    is_won_by,
    random_puzzle,
    solved,
)


@pytest.mark.rule("LSOLO1")
@pytest.mark.parametrize(("order", "fewest"), [((1, 4, 2, 3), 18), ((1, 2, 3, 4), 29), ((2, 1, 3, 4), 30)])
def test_golden_numbers_on_the_pinwheel(order: tuple[int, ...], fewest: int) -> None:
    solution = solved(golden(*order))
    assert (solution.steps, solution.bound, solution.is_proven) == (fewest, fewest, True)
    assert solution.plan is not None
    assert is_won_by(golden(*order), solution.plan)


def agrees_with_the_witness(puzzle: Puzzle) -> bool:
    """Whether a puzzle can be solved, if the witness says the same; it fails if not."""
    solution = solved(puzzle)
    assert solution.is_proven
    assert solution.steps == fewest_steps(as_plain(puzzle)).fewest
    assert solution.is_impossible == (solution.plan is None)
    assert solution.plan is None or is_won_by(puzzle, solution.plan)
    return solution.plan is not None


SHAPES = [("T", (2, 3, 4)), ("X", (1, 2)), ("D", (3, 4, 5))]


@pytest.mark.parametrize(("shape", "sizes"), SHAPES)
def test_small_puzzles_agree_with_the_plain_witness(shape: str, sizes: tuple[int, ...]) -> None:
    can_be_solved = {
        agrees_with_the_witness(random_puzzle(sizes[seed % len(sizes)], 2, seed, shape, tries=3)) for seed in range(12)
    }
    assert can_be_solved == {True, False}


@pytest.mark.further
@pytest.mark.parametrize(("shape", "sizes"), SHAPES)
def test_hundreds_of_small_puzzles_agree_with_the_plain_witness(shape: str, sizes: tuple[int, ...]) -> None:
    can_be_solved = [
        agrees_with_the_witness(random_puzzle(sizes[seed % len(sizes)], 2 + seed % 2, seed, shape, tries=3))
        for seed in range(100, 220)
    ]
    assert sum(can_be_solved) > 10


def test_wagons_on_a_line_in_the_wrong_order_are_proven_impossible() -> None:
    solution = solved(Puzzle(network(LINE), (0, 0), ((2, 0), (4, 0), (6, 0)), (2, 1, 3)))
    assert solution.is_impossible
    assert solution.is_proven
    assert solution.steps is None


def test_without_time_it_says_how_few_could_still_do_and_claims_no_more() -> None:
    looks = count()
    solution = solved(golden(1, 2, 3, 4), has_time=lambda: next(looks) < 200)
    assert not solution.is_impossible
    assert 1 < solution.bound <= 29
    assert solution.steps is None or solution.steps >= 29


def test_with_little_memory_layers_are_found_again_for_the_plan() -> None:
    puzzle = golden(1, 2, 3, 4)
    solution = solved(puzzle, most_bytes=400_000)
    assert solution.plan is not None
    assert solution.steps == 29
    assert is_won_by(puzzle, solution.plan)
