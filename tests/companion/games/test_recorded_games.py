"""Games that were recorded earlier: each is told, and goes on where it stood, in every version that comes.

``records`` has a folder for each game; its ``facts.json`` says what each of its records comes to.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from companion.games.game import Game
from companion.games.recorded_game import Keep
from companion.games.settings import Settings
from companion.record.file import read_record
from tests.companion.games.every_game import GAMES, check_told

RECORDS: Final = Path(__file__).parent / "records"


def facts_of(game: Game) -> dict[str, Any]:
    """What the records of a game come to, by their paths."""
    facts: dict[str, Any] = json.loads((RECORDS / game.name / "facts.json").read_text("utf-8"))
    return facts


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_record_is_forgotten(game: Game) -> None:
    folder = RECORDS / game.name
    there = {str(path.relative_to(folder)) for path in folder.rglob("*.jsonl") if path.name != "solo-scores.jsonl"}
    assert there == facts_of(game).keys() != set()


@pytest.mark.parametrize(
    ("game", "name"), [pytest.param(game, name, id=f"{game.name}-{name}") for game in GAMES for name in facts_of(game)]
)
def test_a_recorded_game_is_told_and_goes_on(game: Game, name: str, tmp_path: Path) -> None:
    record = shutil.copytree((RECORDS / game.name / name).parent, tmp_path / "kept") / Path(name).name
    keep, whole = Keep(record, tmp_path), read_record(record)
    assert len(list(game.told(record, whole, "en"))) == len(whole.lines) + 2
    for _ in range(2):
        play = game.resume(keep, Settings(), NoChance())
        play.close()
        assert play.facts() == facts_of(game)[name]
        assert read_record(record).lines[: len(whole.lines)] == whole.lines
        check_told(game, record, play)


class NoChance:
    """What has been rolled is known: nothing is asked for."""

    def randrange(self, stop: int) -> int:
        raise AssertionError(stop)
