"""Where memory ends a proof goes on in parts, and a plan is mended; neither claims too much."""

from itertools import count, pairwise

import numpy as np
import pytest

from companion.games.locomotion.strategy.solver.deeper import Deeper
from companion.games.locomotion.strategy.solver.estimates import to_the_goals
from companion.games.locomotion.strategy.solver.mending import mended
from companion.games.locomotion.strategy.solver.motions import Motions
from companion.games.locomotion.strategy.solver.rows import Rows
from companion.games.locomotion.strategy.solver.standing import starts_of
from companion.games.locomotion.strategy.solver.tracks import Tracks
from companion.games.locomotion.strategy.solver.waves import Place, Wave, layer_of, size, way_between
from tests.companion.games.locomotion.plain.search import fewest_steps
from tests.companion.games.locomotion.rules.networks import PINWHEEL, network
from tests.companion.games.locomotion.strategy.solver.puzzles import (
    as_plain,
    golden,
    is_won_by,
    random_puzzle,
    solved,
    start_of,
)

FEWEST = 29


def pinwheel() -> tuple[Motions, Wave[Rows], Wave[Rows]]:
    """With waves from the start and from the goals."""
    motions = Motions(Tracks(network(PINWHEEL)), 4)
    starts = starts_of([start_of(golden(1, 2, 3, 4))], motions)
    return motions, Wave(starts, motions.neighbours, 1 << 20), Wave(motions.goals(), motions.neighbours, 1 << 20)


def are_steps(motions: Motions, way: list[Place[Rows]]) -> bool:
    return all(
        any(key is after.key and after.code in codes for key, codes in motions.neighbours(alone))
        for before, after in pairwise(way)
        for alone in [{before.key: np.array([before.code], dtype=motions.dtype)}]
    )


def test_in_parts_a_wave_goes_on_to_the_shortest_way_and_rules_out_what_is_shorter() -> None:
    motions, forwards, backwards = pinwheel()
    while forwards.depth < 18:
        forwards.grow()
    while backwards.depth < 5:
        backwards.grow()
    left = FEWEST - 18 - 5
    estimate = to_the_goals(motions, 4)
    deeper = Deeper((forwards, backwards), motions.neighbours, estimate, 10 * size(forwards.layer))
    assert deeper.go(left - 2, lambda: True)
    assert (deeper.ruled_out, deeper.way) == (left - 2, None)
    assert deeper.go(left + 1, lambda: True)
    assert deeper.ruled_out == left - 1
    assert deeper.way is not None
    assert are_steps(motions, [*forwards.trail(deeper.way[0]), *deeper.way[1:]])
    assert len(deeper.way) - 1 == left


@pytest.mark.parametrize(("shape", "pieces"), [("T", 4), ("X", 3), ("D", 5)])
def test_no_state_is_nearer_to_the_goals_than_is_estimated(shape: str, pieces: int) -> None:
    laid = random_puzzle(pieces, 3, 500, shape, tries=3).network
    motions = Motions(Tracks(laid), 3)
    estimate = to_the_goals(motions, 3)
    wave = Wave(motions.goals(), motions.neighbours, 1 << 20)
    is_worth_it = False
    while wave.layer:
        for key, codes in wave.layer.items():
            estimated = estimate(key, codes)
            assert estimated.max() <= wave.depth
            is_worth_it |= bool(wave.depth > 5 and 2 * estimated.max() > wave.depth)
        wave.grow()
    assert is_worth_it


def test_a_detour_is_mended() -> None:
    motions, forwards, backwards = pinwheel()
    whole = way_between(forwards.layer, backwards.layer, motions.neighbours, 1 << 20)
    assert whole is not None
    assert len(whole) - 1 == FEWEST
    aside = way_between(layer_of(whole[9], motions.dtype), forwards.layer, motions.neighbours, 1 << 20)
    assert aside is not None
    detour = [*whole[:9], *aside, *aside[-2::-1], *whole[10:]]
    way = mended(detour, motions.neighbours, motions.dtype, lambda: True, 20_000)
    assert len(way) - 1 == FEWEST < len(detour) - 1
    assert (way[0], way[-1]) == (whole[0], whole[-1])
    assert are_steps(motions, way)


@pytest.mark.parametrize("seeds", [range(400, 404), pytest.param(range(410, 450), marks=pytest.mark.further)])
@pytest.mark.parametrize("shape", ["T", "X", "D"])
def test_what_is_claimed_with_little_memory_holds(shape: str, seeds: range) -> None:
    proven = 0
    for seed in seeds:
        puzzle = random_puzzle(2 if shape == "X" else 3, 3, seed, shape, tries=3)
        solution = solved(puzzle, most_bytes=40_000)
        fewest = fewest_steps(as_plain(puzzle)).fewest
        proven += solution.is_proven
        assert solution.is_impossible <= (fewest is None)
        assert fewest is None or solution.bound <= fewest
        if solution.plan is not None:
            assert fewest is not None
            assert len(solution.plan) >= fewest
            assert is_won_by(puzzle, solution.plan)
    assert proven


@pytest.mark.further
@pytest.mark.parametrize(("shape", "tries", "seed"), [("T", 3, 3), ("X", 3, 2)])
def test_large_puzzles_that_were_not_proven_have_a_plan_with_a_bound(shape: str, tries: int, seed: int) -> None:
    puzzle = random_puzzle(45, 4, seed, shape, tries)
    looks = count()
    solution = solved(puzzle, lambda: next(looks) < 40_000)
    assert solution.plan is not None
    assert is_won_by(puzzle, solution.plan)
    assert 30 < solution.bound <= len(solution.plan)
