"""Games that were recorded earlier: each is told, and goes on where it stood, in every version that comes.

``records`` has a folder for each game; its ``facts.json`` says what each of its records comes to.
"""

from __future__ import annotations

import json
import shutil
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import pytest

from companion.games import registry
from companion.games.game import Game
from companion.games.recorded_game import Keep, RecordedGame
from companion.games.settings import Settings
from companion.record.file import read_record
from companion.texts.language import LANGUAGES
from tests.companion.games.every_game import GAMES, check_told

RECORDS: Final = Path(__file__).parent / "records"


def facts_of(game: RecordedGame) -> dict[str, Any]:
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


WITH_SUMMARIES: Final = [game for game in GAMES if (RECORDS / game.name / "summaries.json").exists()]
"""Games of whose records it is told, too, what their summaries say."""


@pytest.mark.parametrize("game", WITH_SUMMARIES, ids=lambda game: game.name)
def test_a_recorded_game_is_summed_up(game: RecordedGame) -> None:
    folder = RECORDS / game.name
    facts: dict[str, Any] = json.loads((folder / "summaries.json").read_text("utf-8"))
    assert facts.keys() == {path.name for path in folder.glob("*.jsonl")} != set()
    for (name, expected), language in zip(facts.items(), cycle(LANGUAGES)):
        path, recording = folder / name, read_record(folder / name)
        moments = list(game.told(path, recording, language))
        assert len(moments) == len(recording.lines) + 2
        table, summary = moments[-2].facts["table"], game.summary(path, recording)
        fallen = sum(len(rolled.faces) for rolled in game.rolls(recording))
        found = {**summary._asdict(), "trains": table["trains"], "figures": table["figures"], "rolls": fallen}
        assert json.loads(json.dumps(found)) == expected
        assert summary.kind in game.kinds(Settings())


@pytest.mark.parametrize("game", WITH_SUMMARIES, ids=lambda game: game.name)
def test_a_recorded_game_is_drawn(game: RecordedGame) -> None:
    path = RECORDS / game.name / next(iter(facts_of(game)))
    recording = read_record(path)
    lines = len(recording.lines)
    table = list(game.told(path, recording, "en"))[-2].facts["table"]
    names = {card["face"] for card in table["cards"]} | {figure["name"] for figure in table["figures"]}
    assert all(game.face(path, recording, each).startswith("<svg") for each in names)
    assert game.face(path, recording, "wagon-9") == ""
    assert len({game.picture(path, recording, moment) for moment in (0, lines // 2, None)}) == 3
    with pytest.raises(IndexError):
        game.picture(path, recording, lines + 2)


def test_the_games_that_there_are_are_offered() -> None:
    assert {"loknroll", "locomotion"} == {game.name for game in registry.games()}


class NoChance:
    """What has been rolled is known: nothing is asked for."""

    def randrange(self, stop: int) -> int:
        raise AssertionError(stop)
