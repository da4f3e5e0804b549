"""A robot plays whole games in a world that is read without a mistake: each turn ends as it was wanted to."""

from __future__ import annotations

import pytest

from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import Phase
from companion.games.locomotion.settings import with_own
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.locomotion.robot.bench import Bench
from tests.companion.games.locomotion.robot.guesses import Guesses
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


GUESSED = {
    "die": ("die", {"network": "by-lot", "pieces": 24, "colours": 2, "piece": "D"}, 2801),
}
GUESSED_LONGER = {
    "alone": ("solo", {"puzzle_pieces": 8, "colours": 3}, 2201),
    "alone, long": ("solo", {"puzzle_pieces": 8, "colours": 3}, 1201),
    "alone, many colours": ("solo", {"puzzle_pieces": 13, "colours": 4}, 1601),
    "four players": ("die", {"network": "by-lot", "pieces": 45, "colours": 2, "people": 4}, 901),
    "speed": ("speed", {"network": "by-lot", "pieces": 12, "colours": 2}, 2101),
}


def guesses_put_themselves_right(tmp_path, kind, own, seed):
    bench, guesses = Bench(tmp_path, kind, with_own(Settings(), **own), seed, insists=()), Guesses()
    while not bench.play.is_over:
        bench.turn()
        if bench.play.is_set_up:
            guesses.look(bench.play.controller.game, bench.robot)
    bench.play.close()
    assert guesses.later
    assert not guesses.never | guesses.spoiled
    assert not bench.alerts
    check_turns(bench.play.controller.game, bench.robot)
    assert all(press.button is not Button.PASS for press in bench.robot.presses_made)


@pytest.mark.parametrize(("kind", "own", "seed"), GUESSED.values(), ids=GUESSED)
def test_what_was_taken_wrong_puts_itself_right_and_nobody_has_to_say_so(tmp_path, kind, own, seed):
    """What is coupled cannot be seen: at the end each turn is recorded as it was played."""
    guesses_put_themselves_right(tmp_path, kind, own, seed)


@pytest.mark.further
@pytest.mark.parametrize(("kind", "own", "seed"), GUESSED_LONGER.values(), ids=GUESSED_LONGER)
def test_so_it_does_in_longer_games(tmp_path, kind, own, seed):
    guesses_put_themselves_right(tmp_path, kind, own, seed)
