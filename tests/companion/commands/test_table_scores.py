"""``companion table``: solo results are kept from game to game."""

import argparse
from pathlib import Path

import pytest

from companion.commands import table
from companion.games.loknroll.gallery.rehearsal import dealt
from companion.games.loknroll.record.recorded_game import start_recorded
from companion.games.loknroll.record.solo_scores import solo_score, solo_scores_in
from companion.games.loknroll.rules import Mode
from companion.record.state_folder import state_folder
from companion.virtual.world import World


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> argparse.Namespace:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    parser = argparse.ArgumentParser()
    table.add_arguments(parser)
    return parser.parse_args(["--mode", "solo", "--seed", "1"])


def test_the_result_of_a_solo_game_is_on_the_curve_of_the_next(options: argparse.Namespace) -> None:
    files = table._kept_files()
    played = dealt(Mode.SOLO, 1)
    start = table.start_of(options, (table.PERSONS[0],))
    game, journal = start_recorded(files.record, start)
    for step in played.steps:
        game.do(step)
    journal.close()
    again = table._begun_or_resumed(options, files)
    again.journal.close()
    points = solo_score(game.state).points
    assert again.controller.desk.curve == (points,)
    assert [score.points for score in solo_scores_in(state_folder()).past(solo_score(game.state).kind)] == [points]


def test_what_lies_where_is_kept_and_what_is_damaged_is_dealt_anew(options: argparse.Namespace) -> None:
    files, state = table._kept_files(), dealt(Mode.SOLO, 1).states[0]
    world = World(lambda: 0.0)
    world.begin(state.setup.deck, state.setup.names, 1, seed=3)
    keeper = table._ThingsKeeper(files.things, world)
    for _ in range(3):
        world.draw(0)
        keeper.keep()
    assert table._kept_things(files.things, state) == world.snapshot()
    files.things.write_bytes(files.things.read_bytes()[:-9])
    assert table._kept_things(files.things, state) is None
    files.things.unlink()
    assert table._kept_things(files.things, state) is None
