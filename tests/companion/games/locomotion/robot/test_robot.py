"""A robot plays whole games in a world that is read without a mistake: each turn ends as it was wanted to."""

from __future__ import annotations

import pytest

from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import Phase
from companion.games.locomotion.settings import with_own
from companion.games.settings import Settings
from tests.companion.games.locomotion.robot.bench import Bench
from tests.companion.games.locomotion.robot.whole_games import check_turns

SMALL = {"network": "by-lot", "pieces": 12, "colours": 2}
GAMES = {
    "die against an automatic player": ("die", {**SMALL, "people": 1, "automatic": ("good",)}, 3),
    "alone": ("solo", {"puzzle_pieces": 6, "colours": 2}, 2),
}
LONGER = {
    "die": ("die", SMALL, 1),
    "speed against an automatic player": ("speed", {**SMALL, "people": 1, "automatic": ("good",)}, 3),
    "as it lies": ("speed", {"pieces": 12, "colours": 2}, 2),
    "as it lies, alone": ("solo", {"puzzle_pieces": 10, "colours": 4}, 2),
    "three players": ("die", {**SMALL, "pieces": 24, "people": 2, "automatic": ("greedy",)}, 5),
}


@pytest.mark.parametrize(("kind", "own", "seed"), GAMES.values(), ids=GAMES)
def test_a_whole_game_to_its_end(tmp_path, kind, own, seed):
    plays_to_its_end(tmp_path, kind, own, seed)


@pytest.mark.further
@pytest.mark.parametrize(("kind", "own", "seed"), LONGER.values(), ids=LONGER)
def test_a_longer_game_to_its_end(tmp_path, kind, own, seed):
    plays_to_its_end(tmp_path, kind, own, seed)


def plays_to_its_end(tmp_path, kind, own, seed):
    bench = Bench(tmp_path, kind, with_own(Settings(), **own), seed)
    bench.run()
    bench.play.close()
    game, journal, _ = RECORDS.resume(bench.keep.record, bench.keep.clock)
    journal.close()
    check_turns(game, bench.robot)
    assert game.state.phase is Phase.OVER
    assert bench.robot.repeats == 0
