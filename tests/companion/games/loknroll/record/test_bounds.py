"""No record, notes or deck keeps the machine busy: what no game can be is refused with the bound, all else is quick."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.commands.cli import main
from companion.games.loknroll.play.notes import MOST_STEPS, Notes, NotesFile
from companion.games.loknroll.play.recorded_play import resumed
from companion.games.loknroll.record import recorded_game
from companion.games.loknroll.record.recorded_game import (
    MOST_LINES,
    recorded_start,
    resume_recorded,
    save_recorded,
    start_recorded,
)
from companion.games.loknroll.rules import Draw, Game, Lay, Mode, StartCard, State, load_edition, set_up, with_knobs
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import GreedyPlayer
from companion.games.settings import Settings
from companion.record.file import RecordError, read_record, write_record
from vision.cards import CARD_MM, Deck, Edge, Face, Kind, Port, standard_deck
from vision.cards.deck import LONGEST_WORD, MOST_CARDS, MOST_WITH_RAILS

SECONDS = 15.0
"""Three times as long as it may take on a machine of its own: tests share theirs."""


def fresh(mode: Mode = Mode.SOLO) -> State:
    return set_up(load_edition(), standard_deck("standard-55"), mode, ["Ann"])


def write_lines(path: Path, lines: int) -> None:
    """A game that is taken back and played anew again and again."""
    game = Game(fresh())
    for _ in Dealer(game, [GreedyPlayer()], Random(3)).play():
        pass
    once = path.with_suffix(".once")
    save_recorded(once, game)
    played = read_record(once)
    round_ = [*played.lines, {"step": "take-back", "count": len(played.lines)}]
    write_record(path, without_title(played.header), (round_ * (lines // len(round_) + 1))[:lines])


def without_title(header: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in header.items() if name not in {"format", "version"}}


def write_changed(path: Path, **changes: Any) -> None:
    """The beginning of a game with something else in its first line."""
    start_recorded(path, fresh(Mode.BETSY))[1].close()
    header = without_title(read_record(path).header)
    path.unlink()
    write_record(path, {**header, **changes}, [])


def test_the_longest_record_is_told_in_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lines(tmp_path / "long.jsonl", MOST_LINES)
    begun = time.monotonic()
    assert main(["replay", str(tmp_path / "long.jsonl"), "--language", "en"]) == 0
    assert time.monotonic() - begun < SECONDS
    assert "All steps are legal: 10000." in capsys.readouterr().out


def test_a_longer_one_is_refused_with_the_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lines(tmp_path / "long.jsonl", MOST_LINES + 1)
    assert main(["replay", str(tmp_path / "long.jsonl"), "--language", "en"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "more than 10,000 steps, and no game has so many" in told.err
    with pytest.raises(RecordError):
        resume_recorded(tmp_path / "long.jsonl")


def test_no_game_becomes_longer_than_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_game.RECORDS, "most_lines", 3)
    path = tmp_path / "game.jsonl"
    start = set_up(load_edition(), standard_deck("standard-55"), Mode.SOLO, ["Ann"], rails=False)
    game, journal = start_recorded(path, start)
    game.do(StartCard("track-2-straight"))
    game.take_back()
    journal.close()
    game, journal, _ = resume_recorded(path)
    game.do(StartCard("track-2-straight"))
    with pytest.raises(RecordError, match="Begin another game"):
        game.take_back()
    journal.close()
    resume_recorded(path).journal.close()
    assert len(game.steps) == 1


def test_nothing_is_taken_back_without_room_to_do_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A correction takes back, and then does the same with another card."""
    monkeypatch.setattr(recorded_game.RECORDS, "most_lines", 5)
    start = set_up(load_edition(), standard_deck("standard-55"), Mode.SOLO, ["Ann"], rails=False)
    game, journal = start_recorded(tmp_path / "game.jsonl", start)
    cards = [StartCard("track-2-straight"), StartCard("track-1-left")]
    for step in cards:
        game.do(step)
    game.take_back(2)
    for step in cards:
        game.do(step)
    journal.close()
    monkeypatch.setattr(recorded_game.RECORDS, "most_lines", 7)
    game, journal, _ = resume_recorded(tmp_path / "game.jsonl")
    with pytest.raises(RecordError, match="Begin another game"):
        game.take_back(2)
    assert len(game.steps) == 2
    journal.close()


@pytest.mark.parametrize(
    "changes",
    [
        {"die": [10**15]},
        {"die": [1] * 1000},
        {"die": []},
        {"cards": 10**9},
        {"title": "x" * 100_000},
        {"automaton": "x" * 100_000},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_an_edition_in_a_record_has_bounds(tmp_path: Path, changes: dict[str, Any]) -> None:
    edition = msgspec.to_builtins(load_edition())
    write_changed(tmp_path / "game.jsonl", edition={**edition, **changes})
    with pytest.raises(RecordError, match="line 1"):
        recorded_start(tmp_path / "game.jsonl", read_record(tmp_path / "game.jsonl"))


def test_a_name_in_a_record_has_a_bound(tmp_path: Path) -> None:
    write_changed(tmp_path / "game.jsonl", players=["x" * (LONGEST_WORD + 1)])
    with pytest.raises(RecordError, match="more than 200 letters"):
        recorded_start(tmp_path / "game.jsonl", read_record(tmp_path / "game.jsonl"))


def test_the_automaton_thinks_in_time_with_the_largest_deck() -> None:
    faces = tuple(
        Face(
            f"face {number}",
            1 + number % 4,
            Kind.TRACK,
            2 if number < MOST_CARDS - MOST_WITH_RAILS else 1,
            (Port(Edge.S, number / 3), Port((Edge.N, Edge.E, Edge.W)[number % 3], -number / 4)),
        )
        for number in range(MOST_WITH_RAILS)
    )
    deck = Deck("largest", faces, CARD_MM)
    game = Game(set_up(with_knobs(load_edition(), {"cards": str(MOST_CARDS)}), deck, Mode.BETSY, ["Ann"]))
    begun = time.monotonic()
    for _ in Dealer(game, [GreedyPlayer()], Random(1)).play():
        pass
    assert time.monotonic() - begun < SECONDS


class TestNotes:
    @pytest.mark.parametrize(
        "content",
        [
            b'{"redo":' + b"[" * 100_000,
            b"[" * 100_000,
            b'{"hand":["\xff"]}',
            msgspec.json.encode(Notes(redo=(Draw(),) * (MOST_STEPS + 1))),
            msgspec.json.encode(Notes(hand=("x",) * (MOST_STEPS + 1))),
        ],
        ids=["deep steps", "deep", "no text", "many steps", "many cards"],
    )
    def test_what_are_no_notes_are_none(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "game.notes").write_bytes(content)
        assert NotesFile(tmp_path / "game.notes").read() == Notes()

    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "game.notes")
        assert NotesFile(tmp_path / "game.notes").read() == Notes()

    def test_the_most_steps_of_a_correction_are_done_in_time(self, tmp_path: Path) -> None:
        begun = time.monotonic()
        game = Game(fresh())
        for _ in Dealer(game, [GreedyPlayer()], Random(3)).play():
            pass
        start_recorded(tmp_path / "game.jsonl", fresh())[1].close()
        NotesFile(tmp_path / "game.notes").keep(Notes(redo=game.steps))
        play = resumed(tmp_path / "game.jsonl", Settings())
        play.close()
        assert play.controller.game.steps == game.steps
        assert time.monotonic() - begun < SECONDS

    @pytest.mark.parametrize("wrong", [Draw(), Lay("nonsense"), StartCard("chaos-1")])
    def test_steps_of_another_game_are_left_out(self, tmp_path: Path, wrong: Any) -> None:
        start_recorded(tmp_path / "game.jsonl", fresh())[1].close()
        good = StartCard("track-2-straight", None)
        game = Game(fresh())
        for _ in Dealer(game, [GreedyPlayer()], Random(3)).play():
            good = game.steps[0]
            break
        NotesFile(tmp_path / "game.notes").keep(Notes(redo=(good, wrong, good)))
        for _ in range(2):
            play = resumed(tmp_path / "game.jsonl", Settings())
            play.close()
            assert play.controller.game.steps == (good,)


def test_more_cards_than_any_deck_has_are_no_odds(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--railway", "--lay", "--pile"):
        situation = {"--railway": "1", "--emma": "1", "--lay": "1", "--pile": "1"} | {option: ",".join("1" * 60_000)}
        arguments = [word for pair in situation.items() for word in pair]
        assert main(["odds", *arguments, "--language", "en"]) == 2
        assert "60000 cards are more than any deck has" in capsys.readouterr().err
