"""The fewest steps of a puzzle, as people and programs are told them."""

import io
import json
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.games.locomotion.networks.files import network_as_json
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.strategy.with_the_die import expected_turns
from companion.texts.language import LANGUAGES

PINWHEEL = {
    "piece": "T",
    "pieces": [[[0, 0], "E"], [[1, 1], "S"], [[0, 2], "W"], [[-1, 1], "N"]],
    "locomotive": [2, 0],
    "wagons": {"1": [1, 3], "2": [-2, 2], "3": [-1, -1], "4": [0, 2]},
    "order": [1, 4, 2, 3],
}
LINE = {
    "piece": "T",
    "pieces": [[[0, 0], "E"], [[3, 0], "E"]],
    "locomotive": [0, 0],
    "wagons": {"1": [2, 0], "2": [4, 0]},
    "order": [2, 1],
}


def written(folder: Path, puzzle: dict[str, Any]) -> str:
    path = folder / "puzzle.json"
    path.write_text(json.dumps(puzzle))
    return str(path)


def told(folder: Path, puzzle: dict[str, Any], capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    assert main(["locomotion", "solve", written(folder, puzzle), "--json", *more]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


@pytest.mark.rule("LSOLO1")
def test_programs_are_told_the_plan_and_that_it_is_proven(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(tmp_path, PINWHEEL, capsys)
    assert (answer["steps"], answer["bound"], answer["proven"], answer["turns"]) == (18, 18, True, 3)
    assert len(answer["plan"]) == 18
    assert answer["plan"][-1] == {"step": "couple", "wagon": 3}
    assert answer["states"] > 0


def test_a_puzzle_is_read_from_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(PINWHEEL).encode())))
    assert main(["locomotion", "solve", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["steps"] == 18
    assert main(["locomotion", "solve", "-"]) == 1
    assert capsys.readouterr().err.startswith("companion locomotion: standard input: it is empty")


@pytest.mark.rule("LSPD3", "LSOLO1")
def test_with_speed_cards_programs_are_told_turn_by_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(tmp_path, PINWHEEL, capsys, "--speed-cards")
    assert (answer["steps"], answer["turns"], answer["bound"], answer["proven"]) == (18, 3, 3, True)
    assert [(turn["speed"], len(turn["steps"])) for turn in answer["plan"]] == [(6, 6)] * 3
    assert answer["plan"][-1]["steps"][-1] == {"step": "couple", "wagon": 3}
    assert answer["states"] > 0
    assert told(tmp_path, LINE, capsys, "--speed-cards")["impossible"]


@pytest.mark.rule("LRUN4", "LCPL3", "LCPL7")
@pytest.mark.parametrize(
    ("knobs", "steps", "turns"),
    [
        ({}, 11, 2),
        ({"gap": "a_dot"}, 10, 2),
        ({"behind": "back_only"}, None, None),
        ({"reverse_in_turn": False}, 11, 3),
    ],
)
def test_knobs_of_the_file_are_obeyed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], knobs: dict[str, Any], steps: int | None, turns: int | None
) -> None:
    places = {"locomotive": [-1, -1], "wagons": {"1": [-1, 0], "2": [1, 1]}, "order": [2, 1]}
    with_cards = told(tmp_path, PINWHEEL | places | {"knobs": knobs}, capsys, "--speed-cards")
    assert (with_cards["turns"], with_cards["proven"]) == (turns, True)
    with_the_die = told(tmp_path, PINWHEEL | places | {"knobs": knobs}, capsys)
    assert (with_the_die["steps"], with_the_die["proven"]) == (steps, True)
    # Where a turn ends whenever the direction changes, steps do not tell turns.
    assert with_the_die["turns"] == (None if "reverse_in_turn" in knobs else turns)


def test_what_is_impossible_is_proven_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(tmp_path, LINE, capsys)
    assert (answer["steps"], answer["plan"], answer["impossible"], answer["proven"]) == (None, None, True, True)


def test_people_are_told_in_their_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for language in LANGUAGES:
        assert main(["locomotion", "solve", written(tmp_path, PINWHEEL), "--language", language]) == 0
        texts.append(capsys.readouterr().out)
    assert [
        "18 steps, proven" in texts[0],
        "18 Schritte, bewiesen" in texts[1],
        "18 pasos, demostrado" in texts[2],
    ] == [True] * 3
    assert all(len(text.splitlines()) == 3 + 18 for text in texts)


def test_people_are_told_turns_in_their_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for language in LANGUAGES:
        file = written(tmp_path, PINWHEEL)
        assert main(["locomotion", "solve", file, "--speed-cards", "--language", language]) == 0
        texts.append(capsys.readouterr().out)
    assert ["3 turns" in texts[0], "3 Züge" in texts[1], "3 turnos" in texts[2]] == [True] * 3
    assert all(len(text.splitlines()) == 2 + 3 + 18 for text in texts)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"order": [1, 1, 2, 3]}, "order"),
        ({"locomotive": [9, 9]}, "locomotive"),
        ({"wagons": {"1": [1, 3]}}, "wagons"),
        ({"pieces": [[[0, 0], "E"], [[2, 0], "E"]]}, "pieces"),
        ({"locomotive": None, "wagons": None, "order": None}, "without a locomotive"),
    ],
)
def test_what_is_no_puzzle_is_told_in_a_line_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], reason: str
) -> None:
    assert main(["locomotion", "solve", written(tmp_path, PINWHEEL | change), "--language", "en"]) == 1
    said = capsys.readouterr().err
    assert reason in said
    assert len(said.splitlines()) == 1


def test_a_file_that_is_not_there_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["locomotion", "solve", str(tmp_path / "none.json")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_ctrl_c_tells_what_is_known(tmp_path: Path) -> None:
    network = named_networks()["old-town"].network()
    places = [list(network.dots[number]) for number in range(0, len(network.dots), len(network.dots) // 4)][:5]
    large = {
        **network_as_json(network),
        "locomotive": places[2],
        "wagons": dict(zip("1234", [*places[:2], *places[3:]], strict=True)),
        "order": [3, 1, 4, 2],
    }
    command = [sys.executable, "-m", "companion", "locomotion", "solve", written(tmp_path, large), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    answer = json.loads(out)
    assert (process.returncode, "Traceback" in err) == (130, False)
    assert not answer["proven"]
    assert answer["bound"] > 1
    assert answer["steps"] is None or answer["steps"] >= answer["bound"]


def test_turns_are_those_of_a_fair_die() -> None:
    assert expected_turns(1) == 1
    assert expected_turns(2) == pytest.approx(1 + 1 / 6)
    needed = [next(n for n in range(1, 5) if sum(rolls[:n]) >= 4) for rolls in product(range(1, 7), repeat=4)]
    assert expected_turns(4) == pytest.approx(sum(needed) / len(needed))
