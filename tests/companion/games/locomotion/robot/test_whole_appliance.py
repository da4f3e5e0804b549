"""The appliance as a whole with Locomotion: from pins and pixels to the memory of the screen."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from companion.games.locomotion.gallery.rehearsal import on_a_line
from companion.games.settings import Settings
from tests.companion.games.locomotion.robot.play_at_virtual_table import PLANS, play
from tests.companion.games.locomotion.robot.whole_games import check_end, check_turns, play_whole_game

GAMES = 20


def test_a_game_goes_on_and_is_won_through_pins_pixels_and_the_screens_memory(tmp_path: Path) -> None:
    begun = on_a_line([0], [2], [3])
    played = play_whole_game(tmp_path / "game", "die", Settings("de"), 3, size=(984, 738), begun=begun)
    check_end(played)
    check_turns(played.game, played.robot)
    assert played.corrections == 0
    assert len(played.game.steps) > len(begun.steps)


@pytest.mark.further
@pytest.mark.parametrize("number", range(GAMES))
def test_whole_games_with_disturbances(tmp_path: Path, number: int) -> None:
    """In every mode, language and size of network: to the end, every turn as it was played, nothing done twice."""
    options = Namespace(turns=40, easy=False, strict=False, difficulty="easy", evidence=None, width=1640)
    figures = play(number, 1 + 100 * number, options, tmp_path)
    assert "failed" not in figures, figures
    assert len(PLANS) <= GAMES
