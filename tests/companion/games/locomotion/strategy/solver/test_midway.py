"""The fewest steps from where a game stands by now: coupled, and with lies that are no longer open."""

from collections.abc import Iterable
from random import Random

import pytest

from companion.games.locomotion.rules import (
    Couple,
    EndTurn,
    Game,
    Knobs,
    Phase,
    Roll,
    State,
    Uncouple,
    after,
    legal_motions,
)
from companion.games.locomotion.strategy.solver.turns.solve import fewest_steps
from tests.companion.games.locomotion.plain import search
from tests.companion.games.locomotion.plain.neutral import place_of_json
from tests.companion.games.locomotion.plain.steps import Knobs as PlainKnobs
from tests.companion.games.locomotion.rules.as_plain import rows
from tests.companion.games.locomotion.rules.knobs import KNOBS
from tests.companion.games.locomotion.strategy.solver.puzzles import Puzzle, as_plain, random_puzzle, start_of


def midway(puzzle: Puzzle, knobs: Knobs, random: Random) -> State:
    """After some turns at random, couplings and uncouplings first: how it stands as a turn begins, not won."""
    game = Game(start_of(puzzle, knobs=knobs))
    for _ in range(random.randint(1, 5)):
        game.do(Roll(6))
        while game.state.phase is Phase.MOVING:
            motions = [each for each in legal_motions(game.state) if after(game.state, each).phase is not Phase.OVER]
            changes = [motion for motion in motions if isinstance(motion, Couple | Uncouple)]
            some = changes if changes and random.random() < 0.5 else motions
            game.do(random.choice(some) if some else EndTurn())
    return game.state


def by_the_witness(puzzle: Puzzle, knobs: Knobs, state: State) -> int | None:
    told = PlainKnobs(knobs.reverse_in_turn, knobs.gap.value, knobs.behind.value)
    return search.fewest_steps(as_plain(puzzle)._replace(knobs=told, place=place_of_json(rows(state)))).fewest


def agrees_with_the_witness(seed: int, knobs: Knobs) -> int | None:
    """The fewest steps, if the witness says the same and the plan is one; it fails if not."""
    shape, random = "TXD"[seed % 3], Random(seed)
    puzzle = random_puzzle({"T": 4, "X": 3, "D": 5}[shape], 2, seed, shape, tries=6)
    state = midway(puzzle, knobs, random)
    found = fewest_steps(state)
    assert found.is_proven
    assert found.steps == by_the_witness(puzzle, knobs, state)
    game = Game(state)
    for motion in found.plan or ():
        while game.state.phase is Phase.ROLLING or motion not in set(legal_motions(game.state)):
            game.do(Roll(6) if game.state.phase is Phase.ROLLING else EndTurn())
        game.do(motion)
    assert found.plan is None or game.state.phase is Phase.OVER
    return found.steps


SEEDS = (5, 16), pytest.param(range(60), marks=pytest.mark.further)


@pytest.mark.rule("LSOLO1")
@pytest.mark.parametrize("knobs", KNOBS[:4])
@pytest.mark.parametrize("seeds", SEEDS)
def test_from_any_state_the_fewest_steps_are_those_of_the_plain_witness(seeds: Iterable[int], knobs: Knobs) -> None:
    fewest = [agrees_with_the_witness(seed, knobs) for seed in seeds]
    assert any(fewest)
