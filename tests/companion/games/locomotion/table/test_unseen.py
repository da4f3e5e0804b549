"""Turns that look alike and are not: beside all that can be done in so many steps."""

from random import Random

import pytest

from companion.games.locomotion.rules import Knobs, Motion, Phase, Roll, State, after, legal_motions
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.table.search import hanging
from companion.games.locomotion.table.unseen import alike_ways
from tests.companion.games.locomotion.rules.knobs import KNOBS
from tests.companion.games.locomotion.strategy.solver.puzzles import random_puzzle, start_of

LEFT = 5


def all_ends(state: State) -> list[tuple[tuple[Motion, ...], Stock]]:
    """Everything that a turn can be, as the rules alone tell it."""
    turn, ends, waiting = state.turns, [((), state.stock)], [((), state)]
    while waiting:
        done, here = waiting.pop()
        for motion in legal_motions(here):
            there, led = after(here, motion), (*done, motion)
            ends.append((led, there.stock))
            if there.phase is Phase.MOVING and there.turns == turn:
                waiting.append((led, there))
    return ends


def is_as_free(one: Stock, other: Stock) -> bool:
    return all(set(lie) >= set(less) for lie, less in zip(one.lies, other.lies, strict=True))


def agrees(seed: int, knobs: Knobs) -> int:
    """How many ways there are, if they are those of the witness; it fails if not."""
    shape, random = "TXD"[seed % 3], Random(seed)
    puzzle = random_puzzle({"T": 3, "X": 2, "D": 4}[shape], 2, seed, shape, tries=4)
    before = after(start_of(puzzle, knobs=knobs), Roll(LEFT))
    if before.phase is not Phase.MOVING:
        return 0
    ends = all_ends(before)
    setup, ended = before.setup, random.choice(ends)[1]
    alike = [(len(done), stock) for done, stock in ends if hanging(setup, stock) == hanging(setup, ended)]
    best = {
        stock.lies: steps
        for steps, stock in sorted(alike, key=lambda end: -end[0])
        if not any(fewer <= steps and other.lies != stock.lies and is_as_free(other, stock) for fewer, other in alike)
    }
    found = alike_ways(before, ended)
    assert {way.state.stock.lies: len(way.motions) for way in found} == best
    return len(found)


@pytest.mark.rule("LRUN2")
@pytest.mark.parametrize("knobs", KNOBS[:2])
@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 200), marks=pytest.mark.further)])
def test_all_that_cannot_be_seen_is_found_and_nothing_else(seeds: range, knobs: Knobs) -> None:
    assert max(agrees(seed, knobs) for seed in seeds) > 1
