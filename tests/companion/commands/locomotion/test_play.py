"""A game in the terminal, typed as people do."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import Game, Run
from companion.record.file import read_record
from companion.texts.language import LANGUAGES

SMALL = "--network pinwheel-with-tail --colours 2 --seed 7"


class Keyboard:
    """Types lines, and tells what is printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def types(self, lines: str, arguments: str, language: str = "en") -> str:
        self._monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        assert main(["locomotion", "play", *arguments.split(), "--language", language]) == 0
        return self._capsys.readouterr().out


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Keyboard:
    return Keyboard(monkeypatch, capsys)


def recorded(path: Path) -> Game:
    recording = read_record(path)
    game = RECORDS.begun(path, recording)
    for _ in RECORDS.replay(path, recording, game):
        pass
    return game


def test_a_step_is_chosen_by_its_number_or_its_dot_and_is_in_the_record(keyboard: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    told = keyboard.types("1\n", f"--players Ann {SMALL} --record {path}")
    first = re.search(r" 1  moves to \((-?\d+), (-?\d+)\)", told)
    assert first
    dot = int(first[1]), int(first[2])
    assert recorded(path).steps[-1] == Run(dot)
    other = tmp_path / "other.jsonl"
    keyboard.types(f"{dot[0]} {dot[1]}\n", f"--players Ann {SMALL} --record {other}")
    assert recorded(other).steps == recorded(path).steps


def test_what_is_broken_off_goes_on(keyboard: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    keyboard.types("1\n", f"--players Ann {SMALL} --record {path}")
    before = recorded(path).steps
    told = keyboard.types("1\nquit\n", f"--record {path}")
    assert "continues" in told
    assert recorded(path).steps[: len(before)] == before
    assert len(recorded(path).steps) == len(before) + 1


def test_what_is_over_does_not_go_on(keyboard: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    keyboard.types("", f"--players good --record {path} {SMALL}")
    assert f"The game in {path} is over" in keyboard.types("", f"--record {path}")


def test_whose_locomotive_is_which_is_told_before_anybody_is_asked(keyboard: Keyboard) -> None:
    told = keyboard.types("quit\n", f"--players Ann,Ben {SMALL}")
    assert re.search(r"^1 red · 2 yellow · A \w+ · B \w+$", told, re.MULTILINE)
    assert told.count(" -7 ") == 1, "the network is drawn once, with the letters"


def test_a_step_is_taken_back(keyboard: Keyboard, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    told = keyboard.types("1\nback\nback\n", f"--players Ann {SMALL} --record {path}")
    assert told.count("Taken back.") == 1
    assert "There is nothing to take back." in told
    assert not any(isinstance(step, Run) for step in recorded(path).steps)


@pytest.mark.parametrize(
    "typed", ["", "0", "99", "9999", "900 900", "couple", "couple 7", "uncouple 3", "\x1b[2J", "x" * 5000]
)
def test_what_cannot_be_is_told_in_a_line_and_changes_nothing(keyboard: Keyboard, tmp_path: Path, typed: str) -> None:
    path = tmp_path / "game.jsonl"
    told = keyboard.types(f"{typed}\nquit\n", f"--players Ann {SMALL} --record {path}")
    answer = told.partition("> ")[2].partition("> ")[0]
    assert len(answer.splitlines()) == 1
    assert "\x1b" not in told
    assert not any(isinstance(step, Run) for step in recorded(path).steps)


def test_the_speed_is_chosen_and_the_other_answers(keyboard: Keyboard) -> None:
    told = keyboard.types("2\n1\n1\n0\n", f"--mode speed {SMALL}")
    assert "which speed?" in told
    assert re.search(r"Turn \d+: good\n  speed \d", told)


def test_watching_needs_nobody(keyboard: Keyboard) -> None:
    told = keyboard.types("", "--watch --players good --network pinwheel-with-tail --colours 2 --seed 7")
    assert re.search(r"good wins in turn \d+", told)


def test_every_language_has_its_words(keyboard: Keyboard) -> None:
    told = {language: keyboard.types("", f"--players Ann {SMALL}", language) for language in LANGUAGES}
    assert ["steps are left" in told["en"], "noch" in told["de"], "quedan" in told["es"]] == [True] * 3
    assert all(max(map(len, text.splitlines())) <= 100 for text in told.values())


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("--players Ann,Ben,Cem,Dan,Eve", "1 to 4"),
        ("--knob gap=wide", "on_the_dots"),
        ("--network nowhere", "no network"),
        ("--network pinwheel --players Ann,Ben,Cem", "do not fit"),
        ("--watch --players Ann,good", "automatic"),
    ],
)
def test_wrong_arguments_are_told_in_a_line(arguments: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(["locomotion", "play", *arguments.split(), "--language", "en"])
    except SystemExit as error:
        status = int(error.code or 0)
    said = capsys.readouterr().err
    assert status in {1, 2}
    assert reason in said
    assert said.count("\n") == 1


@pytest.mark.further
def test_a_pipe_plays_as_a_person_does() -> None:
    command = [sys.executable, "-m", "companion", "locomotion", "play", "--players", "Ann", *SMALL.split()]
    ended = subprocess.run(command, input=b"1\n\xff\xfe\nend\n", capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"ends the turn" in ended.stdout
