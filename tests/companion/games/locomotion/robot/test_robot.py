"""A robot plays whole games in a world that is read without a mistake: each turn ends as it was wanted to."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import Game, Phase
from companion.games.locomotion.settings import with_own
from companion.games.settings import Settings
from tests.companion.games.locomotion.robot.bench import Bench

SMALL = {"network": "by-lot", "pieces": 12, "colours": 2}
GAMES = {
    "die": ("die", SMALL, 1),
    "speed against an automatic player": ("speed", {**SMALL, "people": 1, "automatic": ("good",)}, 3),
    "die against an automatic player": ("die", {**SMALL, "people": 1, "automatic": ("good",)}, 3),
    "alone": ("solo", {**SMALL, "pieces": 9}, 2),
    "as it lies": ("speed", {"pieces": 12, "colours": 2}, 2),
}


def checked(bench: Bench) -> Game:
    """The game as its record tells it, in which each turn of a person has ended as the robot wanted it to."""
    bench.play.close()
    game, journal, _ = RECORDS.resume(bench.keep.record, bench.keep.clock)
    journal.close()
    ends = {state.turns: following.stock for state, following in pairwise(game.states)}
    for turn, wanted in bench.robot.intended.items():
        assert (ends[turn].dots, ends[turn].rows) == (wanted.dots, wanted.rows), turn
    return game


@pytest.mark.parametrize(("kind", "own", "seed"), GAMES.values(), ids=GAMES)
def test_a_whole_game_to_its_end(tmp_path, kind, own, seed):
    bench = Bench(tmp_path, kind, with_own(Settings(), **own), seed)
    bench.run()
    game = checked(bench)
    assert game.state.phase is Phase.OVER
    assert bench.robot.repeats == 0
    assert bench.robot.intended
