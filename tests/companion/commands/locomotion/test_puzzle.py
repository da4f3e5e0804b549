"""``companion locomotion puzzle`` as it is typed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.commands.locomotion import puzzle
from companion.games.locomotion.strategy.puzzles import drawing_lots
from companion.texts.language import LANGUAGES

SMALL = ("--piece", "D", "--pieces", "6", "--wagons", "3")
DAY = (*SMALL, "--day", "2026-11-30")


def told(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        status = main(["locomotion", "puzzle", *map(str, words)])
    except SystemExit as error:
        status = int(error.code or 0)
    return status, *capsys.readouterr()


def test_the_data_of_a_puzzle_is_a_file_for_solve_which_says_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, data, _ = told(capsys, *DAY, "--json")
    found: dict[str, Any] = json.loads(data)
    assert (status, found["number"], found["steps"], found["solutions"]) == (0, 20261130, 16, 1)
    assert found["judgement"] == {"grade": "easy", "changes": 5, "detour": 5}
    assert len(found["plan"]) == 16
    file = tmp_path / "puzzle.json"
    file.write_text(data)
    assert main(["locomotion", "solve", str(file), "--json"]) == 0
    solved = json.loads(capsys.readouterr().out)
    assert (solved["steps"], solved["proven"], solved["turns"]) == (16, True, found["turns"])


def test_a_day_is_the_number_of_its_digits(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, *DAY, "--json") == told(capsys, *SMALL, "--seed", "20261130", "--json")


def test_today_has_a_puzzle_of_its_own(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Someday(puzzle.date):
        @classmethod
        def today(cls) -> "Someday":
            return cls(2026, 11, 30)

    monkeypatch.setattr(puzzle, "date", Someday)
    assert told(capsys, *SMALL) == told(capsys, *DAY)


def test_people_are_told_in_their_language_and_of_the_plan_if_they_ask(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [told(capsys, *DAY, "--language", language)[1] for language in LANGUAGES]
    for text, words, day in zip(
        texts,
        ("16 steps, proven", "16 Schritte, bewiesen", "16 pasos, demostrado"),
        ("30 November 2026", "30.11.2026", "30/11/2026"),
        strict=True,
    ):
        assert words in text
        assert day in text
        assert "--solution" in text
        assert "(-1, 2)" not in text
    plan = told(capsys, *DAY, "--solution", "--language", "en")[1].partition("Difficulty")[2]
    assert "1–3  moves to (0, 2), (-1, 2), (-2, 2)" in plan
    assert plan.rstrip().endswith("16  couples wagon 2")


def test_the_order_of_two_wagons_is_no_dot(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "--pieces", 6, "--wagons", 2, "--seed", 3)
    assert re.search("^Behind locomotive A: [12], [12]$", out, re.MULTILINE)


def test_a_page_is_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "puzzle.pdf"
    assert told(capsys, *DAY, "--pdf", file, "--paper", "letter")[:2] == (0, f"{file}\n")
    assert file.read_bytes().startswith(b"%PDF")
    status, out, error = told(capsys, *DAY, "--pdf", file)
    assert (status, out, error.count("\n")) == (1, "", 1)


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        ("--seed 1 --day 2026-11-30", 2, "--day"),
        ("--day 2026-02-30", 2, "2026-11-30"),
        ("--day 30.11.2026", 2, "2026-11-30"),
        ("--wagons 5", 2, "2 to 4"),
        ("--pieces 46", 2, "45"),
        ("--pieces 1 --seed 1", 1, "--wagons"),
        ("--pieces 2 --wagons 2 --seed 1 --language de", 1, "Vorher ausgelost: 3"),
        ("--pieces 2 --wagons 2 --seed 1 --pdf /nowhere/puzzle.pdf", 1, "/nowhere/puzzle.pdf: cannot be written"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: str, status: int, reason: str
) -> None:
    monkeypatch.setattr(drawing_lots, "MOST_TRIES", 3)
    given, out, error = told(capsys, *words.split())
    assert (given, out) == (status, "")
    assert reason in error
    assert "  " not in error
    assert error.count("\n") == 1
