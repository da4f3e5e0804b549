"""``companion table``: solo results are kept from game to game."""

import argparse
from pathlib import Path

import pytest

from companion.commands import table
from companion.commands.shared.virtual_table import laid_table
from companion.device.settings_file import SettingsFile
from companion.games.loknroll.gallery.rehearsal import dealt
from companion.games.loknroll.record.recorded_game import start_recorded
from companion.games.loknroll.record.solo_scores import SoloScores, solo_score
from companion.games.loknroll.rules import Mode, load_edition, set_up
from companion.games.settings import Settings
from vision.cards import standard_deck


@pytest.fixture
def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    table.add_arguments(parser)
    return parser.parse_args(["--mode", "solo", "--new"])


def test_the_result_of_a_solo_game_is_on_the_curve_of_the_next(options: argparse.Namespace, tmp_path: Path) -> None:
    SettingsFile(tmp_path / "settings.json").keep(Settings(names=("Ann",)))
    edition = load_edition()
    start = set_up(edition, standard_deck(edition.deck), Mode.SOLO, ("Ann",))
    game, journal = start_recorded(tmp_path / "game.jsonl", start)
    for step in dealt(Mode.SOLO, 1).steps:
        game.do(step)
    journal.close()
    device = laid_table(options, tmp_path)
    curves: list[tuple[int, ...]] = []

    def look() -> None:
        if device.play is not None:
            curves.append(device.play.controller.desk.curve)  # type: ignore[attr-defined]
            device.stop()

    device.run(comes_back=False, on_turn=look)
    points = solo_score(game.state).points
    assert curves[0] == (points,)
    kept = SoloScores(tmp_path / "solo-scores.jsonl").past(solo_score(game.state).kind)
    assert [score.points for score in kept] == [points]
