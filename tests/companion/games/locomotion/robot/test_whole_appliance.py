"""The appliance as a whole with Locomotion: from pins and pixels to the memory of the screen."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from tests.companion.games.locomotion.robot.play_at_virtual_table import PLANS, play

GAMES = 20


@pytest.mark.further
@pytest.mark.parametrize("number", range(GAMES))
def test_whole_games_with_disturbances(tmp_path: Path, number: int) -> None:
    """In every mode, language and size of network: to the end, every turn as it was played, nothing done twice."""
    options = Namespace(turns=40, easy=False, difficulty="easy", evidence=None, width=1640)
    figures = play(number, 1 + 100 * number, options, tmp_path)
    assert "failed" not in figures, figures
    assert len(PLANS) <= GAMES
