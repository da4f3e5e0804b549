"""``companion locomotion replay``, and ``companion replay`` with its records."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from companion.commands.cli import main
from companion.record.file import read_record, write_record
from tests.companion.games.test_recorded_games import RECORDS

SOLO: Final = RECORDS / "locomotion/solo-die-finished.jsonl"


@pytest.mark.parametrize("command", ["replay", "locomotion replay"])
@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Turn 6: Zoë", "couples green", "Steps taken back: 1", "Zoë wins in turn 6"]),
        ("de", ["Zug 6: Zoë", "kuppelt an: Grün", "Zurückgenommene Schritte: 1", "Zoë gewinnt in Zug 6"]),
        ("es", ["Turno 6: Zoë", "engancha el vagón verde", "Pasos deshechos: 1", "Zoë gana en el turno 6"]),
    ],
)
def test_a_record_is_told_turn_by_turn(
    command: str, language: str, sentences: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), str(SOLO), "--language", language]) == 0
    told = capsys.readouterr().out
    assert [sentence for sentence in sentences if sentence not in told] == []


def test_a_record_is_told_to_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["locomotion", "replay", str(SOLO), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["legal"], told["mode"], told["finished"], told["turns"]) == (True, "die", True, 6)
    assert (told["points"], told["winners"]) == (None, ["Zoë"])
    assert len(told["steps"]) == len(read_record(SOLO).lines)
    assert told["steps"][-1]["table"]["trains"] == [[1, 4, 2, 3]]
    assert {"name", "size", "x", "y", "turn"} == told["steps"][-1]["table"]["figures"][0].keys()


def test_a_torn_line_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(RECORDS / "locomotion/torn.jsonl"), "--language", "de"]) == 0
    told = capsys.readouterr().out
    assert "Die letzte Zeile war abgerissen" in told
    assert "Dan gewinnt" not in told


def _sooner(told: list[dict[str, Any]]) -> None:
    """A wagon is coupled two steps before the train is there."""
    couple = next(number for number, line in enumerate(told) if line.get("step") == "couple")
    told[couple - 2 : couple] = []


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        (_sooner, "LCPL2"),
        (lambda told: told[3].update(to=[-2, 2]), "LRUN2"),
        (lambda told: told[2].update(number=7), "LDIE2"),
        (lambda told: told[1].update(order=[1, 2, 3, 3]), "LSET6"),
        (lambda told: told[0].update(wagons=[[[1, 3]], [[1, 3]]]), "LSET4"),
        (lambda told: told[0]["pieces"].append([[0, 0], "E"]), "LSET1"),
        (lambda told: told[-1].update(player="Ben"), None),
    ],
)
def test_tampering_is_told_with_line_and_clause(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[list[dict[str, Any]]], object], clause: str
) -> None:
    recording = read_record(SOLO)
    told = [recording.header, *recording.lines]
    before = json.dumps(told)
    change(told)
    changed = next(
        number for number, line in enumerate(told, 1) if json.dumps(line) != json.dumps(json.loads(before)[number - 1])
    )
    path = tmp_path / "game.jsonl"
    write_record(path, told[0], told[1:])
    assert main(["locomotion", "replay", str(path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["legal"], found["clause"]) == (False, clause)
    assert found["line"] == changed
    for language, word in (("en", "Line"), ("de", "Zeile"), ("es", "ínea")):
        assert main(["locomotion", "replay", str(path), "--language", language]) == 1
        error = capsys.readouterr().err
        assert f"{word} {changed}" in error
        assert error.count("\n") == 1
        assert clause is None or clause in error


def test_a_changed_byte_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(SOLO.read_bytes().replace(b'"number":5', b'"number":6', 1))
    assert main(["locomotion", "replay", str(path)]) == 1
    assert "Line 6" in capsys.readouterr().err
