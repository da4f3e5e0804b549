"""``companion locomotion network`` as it is typed."""

import json
from pathlib import Path

import pytest

from companion.commands.cli import main


def told(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        status = main(["locomotion", "network", *map(str, words)])
    except SystemExit as error:
        status = int(error.code or 0)
    return status, *capsys.readouterr()


@pytest.mark.parametrize(("language", "words"), [("en", "4 dead ends"), ("de", "4 Stumpf"), ("es", "4 vías")])
def test_a_network_that_ships_is_drawn(capsys: pytest.CaptureFixture[str], language: str, words: str) -> None:
    status, out, _ = told(capsys, "pinwheel", "--language", language)
    assert status == 0
    assert out.count("●") == 12
    assert words in out


def test_the_dots_have_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "pinwheel")
    assert out.splitlines()[0].split() == ["-2", "-1", "0", "1", "2"]
    assert [line.split()[0] for line in out.splitlines() if line[:2].strip()][:-1] == ["-1", "0", "1", "2", "3"]


def test_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "--list")
    _, data, _ = told(capsys, "--list", "--json")
    assert [line.split()[0] for line in out.splitlines()] == [each["name"] for each in json.loads(data)]


def test_one_found_by_lot_goes_into_a_file_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--pieces", 8, "--loops", 1, "--seed", 3)
    _, data, _ = told(capsys, *words, "--json")
    file = tmp_path / "network.json"
    file.write_text(data)
    assert told(capsys, file, "--json")[1] == data
    svg, png = tmp_path / "n.svg", tmp_path / "n.png"
    assert told(capsys, file, "--svg", svg, "--png", png)[0] == 0
    assert svg.read_text().startswith("<svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert told(capsys, file, "--svg", svg)[0] == 1


def test_a_wish_that_cannot_be_is_said_to_be_missed(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = told(capsys, "--pieces", 4, "--loops", 9, "--seed", 1)
    assert status == 0
    assert "exactly as wanted" in error


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        ("", 2, "pinwheel"),
        ("nowhere", 1, "--list"),
        ("/nowhere.json", 1, "No such file"),
        ("pinwheel --pieces 4", 2, "not both"),
        ("--pieces 46", 2, "45"),
        ("pinwheel --loops 2", 2, "--pieces"),
        ("--seed 2", 2, "--seed is for a random network"),
        ("/dev/zero", 1, "not a file"),
    ],
)
def test_wrong_input_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], words: str, status: int, reason: str
) -> None:
    given, out, error = told(capsys, *words.split())
    assert (given, out) == (status, "")
    assert reason in error
    assert error.count("\n") == 1


def test_a_file_that_is_wrong_is_told_with_the_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{"piece": "T", "pieces": [[[0, 0], "E"], [[1, 0], "E"]]}')
    status, _, error = told(capsys, file)
    assert status == 1
    assert f"{file}: pieces[0], pieces[1]: " in error
    assert error.count("\n") == 1


def test_what_the_rules_object_to_in_a_file_is_told_in_the_language_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{"piece": "T", "pieces": [[[0, 0], "E"], [[1, 0], "E"]]}')
    _, _, error = told(capsys, file, "--language", "de")
    assert error.endswith("Auf dem Feld (1, 0) liegen zwei Schienenteile: 1, 2. Leg eines davon woandershin. (LSET1)\n")
