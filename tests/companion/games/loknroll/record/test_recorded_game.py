"""Games on the disk: rebuilt, gone on with, taken back, and checked line by line."""

import json
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.loknroll.record.recorded_game import (
    recorded_start,
    replay,
    resume_recorded,
    save_recorded,
    start_recorded,
)
from companion.games.loknroll.rules import Draw, Game, Mode, Phase, RuleError, StartCard, State, load_edition, set_up
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import RandomPlayer
from companion.record.file import RecordError, read_record
from vision.cards import Pose, standard_deck


def fresh(mode: Mode = Mode.BETSY, edition_name: str = "german", *, rails: bool = True) -> State:
    edition = load_edition(edition_name)
    names = ["Ann", "Ben", "Cleo", "Dan"][: mode.persons]
    return set_up(edition, standard_deck(edition.deck), mode, names, rails=rails)


def play(game: Game, seed: int) -> None:
    for _ in Dealer(game, [RandomPlayer()] * 4, Random(seed)).play():
        pass


@pytest.fixture
def finished(tmp_path: Path) -> tuple[Path, Game]:
    path = tmp_path / "game.jsonl"
    game, journal = start_recorded(path, fresh())
    play(game, 1)
    journal.close()
    return path, game


@pytest.mark.parametrize("edition", ["german", "spanish", "online", "loose_caboose"])
@pytest.mark.parametrize("rails", [True, False], ids=["rails", "list"])
def test_a_resumed_game_has_the_same_states(tmp_path: Path, edition: str, rails: bool) -> None:
    for mode in load_edition(edition).modes:
        path = tmp_path / f"{mode}.jsonl"
        game, journal = start_recorded(path, fresh(mode, edition, rails=rails))
        play(game, 3)
        journal.close()
        resumed = resume_recorded(path)
        resumed.journal.close()
        assert resumed.game.states == game.states
        assert resumed.game.steps == game.steps


def test_saved_at_once_is_the_same_file(finished: tuple[Path, Game]) -> None:
    path, game = finished
    save_recorded(path.with_name("again.jsonl"), game)
    saved, recorded = read_record(path.with_name("again.jsonl")), read_record(path)
    assert recorded.header.pop("id")
    assert saved.lines == recorded.lines
    assert saved.header == recorded.header


def test_going_on_after_a_cut_gives_the_same_game(finished: tuple[Path, Game]) -> None:
    path, game = finished
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for kept in range(1, len(lines), 7):
        path.write_bytes(b"".join(lines[:kept]) + lines[kept][:9])
        resumed = resume_recorded(path)
        assert resumed.recording.torn_bytes == 9
        for step in game.steps[kept - 1 :]:
            resumed.game.do(step)
        resumed.journal.close()
        assert resumed.game.state == game.state
        assert path.read_bytes() == whole


def test_taken_back_steps_are_forgotten_but_stay_in_the_file(finished: tuple[Path, Game]) -> None:
    path, game = finished
    resumed = resume_recorded(path)
    resumed.game.take_back(30)
    for step in game.steps[-30:-5]:
        resumed.game.do(step)
    resumed.journal.close()
    again = resume_recorded(path)
    again.journal.close()
    assert again.game.states == game.states[:-5]
    assert sum(line["step"] == "take-back" for line in read_record(path).lines) == 1


def test_a_refused_step_is_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game, journal = start_recorded(path, fresh())
    game.do(StartCard("track-1-left", Pose(0, 0)))
    before = path.read_bytes()
    with pytest.raises(RuleError):
        game.do(Draw())
    with pytest.raises(RuleError):
        game.take_back(2)
    journal.close()
    assert path.read_bytes() == before


def test_a_step_that_cannot_be_recorded_does_not_count(tmp_path: Path) -> None:
    game, journal = start_recorded(tmp_path / "game.jsonl", fresh())
    journal.close()
    before = game.states
    with pytest.raises(ValueError, match="closed"):
        game.do(StartCard("track-1-left", Pose(0, 0)))
    assert game.states == before
    assert game.steps == ()


def rewritten(path: Path, change: Any) -> None:
    """Changes the lines as a forger would: with checksums that fit."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    checksum, text = 0, b""
    for line in lines:
        line.pop("check", None)
        body = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()[:-1]
        checksum = zlib.crc32(body, checksum)
        text += body + f',"check":"{checksum:08x}"}}\n'.encode()
    path.write_bytes(text)


def step_index(lines: list[dict[str, Any]], step: str) -> int:
    return next(index for index, line in enumerate(lines) if line.get("step") == step)


@pytest.mark.parametrize(
    ("step", "field", "value"),
    [
        ("roll", "dice", [1]),
        ("roll", "dice", [7, 1, 1]),
        ("roll", "player", "Betsy"),
        ("lay", "face", "chaos-1"),
        ("lay", "face", "no-such-card"),
        ("lay", "pose", [1e9, 0.0, 0.0]),
        ("lay", "pose", [1e308, -1.7e308, 0.0]),
        ("lay", "pose", [10**30, 0, 0]),
        ("start-card", "pose", [0.0, 0.0, 1e308]),
        ("lay", "pose", ["here"]),
        ("put", "combine", True),
        ("put", "turn", 99),
        ("begin", "starter", 5),
        ("draw", "step", "fly"),
        ("lay-open", "faces", []),
    ],
)
def test_a_forged_line_is_found(finished: tuple[Path, Game], step: str, field: str, value: object) -> None:
    path, _ = finished
    found: list[int] = []

    def forge(lines: list[dict[str, Any]]) -> None:
        index = step_index(lines, step)
        lines[index][field] = value
        found.append(index + 1)

    rewritten(path, forge)
    with pytest.raises(RecordError) as caught:
        resume_recorded(path)
    assert caught.value.line == found[0]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("game", "locomotion", "locomotion"),
        ("mode", "7", "mode"),
        ("players", ["Ann", "Ben"], "Names"),
        ("deck", {"name": "none", "faces": []}, "faces"),
        ("edition", {}, "edition"),
        ("players", "Ann", "players"),
    ],
)
def test_a_set_up_that_cannot_be_is_found(finished: tuple[Path, Game], field: str, value: object, reason: str) -> None:
    path, _ = finished

    def forge(lines: list[dict[str, Any]]) -> None:
        lines[0][field] = value

    rewritten(path, forge)
    with pytest.raises(RecordError, match=reason) as caught:
        resume_recorded(path)
    assert caught.value.line == 1


def test_replay_tells_where_each_line_leads(finished: tuple[Path, Game]) -> None:
    path, game = finished
    recording = read_record(path)
    rebuilt = recorded_start(path, recording)
    numbers = [played.number for played in replay(path, recording, rebuilt)]
    assert numbers == list(range(2, len(game.steps) + 2))
    assert rebuilt.state.phase is Phase.OVER
