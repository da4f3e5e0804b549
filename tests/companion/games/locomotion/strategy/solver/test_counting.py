"""How many plans with the fewest steps there are: golden numbers, and the plain witness, which goes all ways."""

import pytest

from companion.games.locomotion.networks import Puzzle
from companion.games.locomotion.strategy.solver.counting import shortest_plans
from tests.companion.games.locomotion.plain.search import fewest_plans
from tests.companion.games.locomotion.rules.networks import LINE, PINWHEEL, network
from tests.companion.games.locomotion.strategy.solver.puzzles import as_plain, is_won_by, random_puzzle

MANY = 1_000_000
GOLDEN = [
    ((1, 4, 2, 3), 18, 1),
    pytest.param((1, 2, 3, 4), 29, 3, marks=pytest.mark.further),
    ((2, 1, 3, 4), 30, 10),
]
SHAPES = [("T", (4, 5, 6)), ("X", (2, 3)), ("D", (5, 4, 6))]


def golden(*order: int) -> Puzzle:
    return Puzzle(network(PINWHEEL), (2, 0), ((1, 3), (-2, 2), (-1, -1), (0, 2)), order)


def counted(puzzle: Puzzle) -> tuple[int | None, int]:
    """The fewest steps and how many plans have them; it fails where the plan is none."""
    shortest = shortest_plans(puzzle, most_states=MANY)
    assert shortest.is_counted
    assert shortest.is_impossible == (shortest.plan is None)
    if shortest.plan is None:
        return None, shortest.plans
    assert is_won_by(puzzle, shortest.plan)
    assert shortest.bound == len(shortest.plan)
    return len(shortest.plan), shortest.plans


@pytest.mark.rule("LSOLO1")
@pytest.mark.parametrize(("order", "steps", "plans"), GOLDEN)
def test_golden_puzzles_on_the_pinwheel(order: tuple[int, ...], steps: int, plans: int) -> None:
    assert counted(golden(*order)) == (steps, plans)


@pytest.mark.further
@pytest.mark.parametrize(("order", "steps", "plans"), GOLDEN)
def test_the_witness_says_the_same_of_them(order: tuple[int, ...], steps: int, plans: int) -> None:
    assert fewest_plans(as_plain(golden(*order))) == (steps, plans)


def agreeing(shape: str, sizes: tuple[int, ...], seeds: range) -> list[int]:
    """How many plans the puzzles of these seeds have, if the witness says the same; it fails if not."""
    numbers = []
    for seed in seeds:
        puzzle = Puzzle(*random_puzzle(sizes[seed % len(sizes)], 2, seed, shape, tries=3))
        steps, plans = counted(puzzle)
        assert (steps, plans) == fewest_plans(as_plain(puzzle)), seed
        numbers.append(plans)
    return numbers


@pytest.mark.parametrize(("shape", "sizes"), SHAPES)
def test_small_puzzles_agree_with_the_witness(shape: str, sizes: tuple[int, ...]) -> None:
    assert {0, 1} <= set(agreeing(shape, sizes[:1], range(5)))


@pytest.mark.further
@pytest.mark.parametrize(("shape", "sizes"), SHAPES)
def test_hundreds_of_small_puzzles_agree_with_the_witness(shape: str, sizes: tuple[int, ...]) -> None:
    assert max(agreeing(shape, sizes, range(100, 220))) > 1


def test_what_cannot_be_followed_is_counted_as_at_least_so_many() -> None:
    shortest = shortest_plans(golden(2, 1, 3, 4), most_states=MANY, most_positions=1)
    assert not shortest.is_counted
    assert 1 <= shortest.plans <= 10
    assert shortest.plan is not None
    assert is_won_by(golden(2, 1, 3, 4), shortest.plan)


def test_with_few_states_no_plan_is_known_and_a_bound_is_told() -> None:
    shortest = shortest_plans(golden(2, 1, 3, 4), most_states=1000)
    assert (shortest.plan, shortest.plans, shortest.is_counted, shortest.is_impossible) == (None, 0, False, False)
    assert 10 < shortest.bound <= 30


def test_what_is_impossible_has_no_plan() -> None:
    assert counted(Puzzle(network(LINE), (0, 0), ((2, 0), (4, 0), (6, 0)), (2, 1, 3))) == (None, 0)
