"""An archive of games, and a game for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.evenings.evenings import Evenings
from companion.games.loknroll.rules import Mode
from tests.companion.games.evenings.made_records import EVENING, WHOLE, record_of
from tests.companion.games.every_game import GAMES


@pytest.fixture
def evenings(tmp_path: Path) -> Evenings:
    return Evenings(tmp_path, GAMES)


@pytest.fixture
def solo(tmp_path: Path) -> bytes:
    return record_of(tmp_path, WHOLE[Mode.SOLO], id="solo", **EVENING)
