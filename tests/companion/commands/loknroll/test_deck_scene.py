"""``companion deck scene`` as a person types it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "companion", "deck", "scene"]
MEADOW = Path(__file__).parents[5] / "shared/decks/meadow"


def scene(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.further
def test_single_tables_of_mixed_difficulty(tmp_path: Path) -> None:
    done = scene("--out", tmp_path / "tables", "--tables", 3, "--difficulty", "mixed", "--size", "410x308")
    assert done.returncode == 0
    assert done.stdout == f"3 pictures in {tmp_path}/tables\n"
    frames = json.loads((tmp_path / "tables/truth.json").read_text())["frames"]
    assert [frame["condition"] for frame in frames] == ["easy", "normal", "hard"]


@pytest.mark.skipif(not MEADOW.is_dir(), reason="the foreign deck in ../shared is not here")
def test_a_game_with_somebody_elses_deck(tmp_path: Path) -> None:
    out = tmp_path / "game"
    done = scene("--out", out, "--deck", MEADOW, "--mode", "solo-hard", "--seed", 2, "--size", "410x308")
    assert done.returncode == 0
    truth = json.loads((out / "truth.json").read_text())
    assert truth["deck"] == "meadow"
    assert len(truth["frames"]) == len(list(out.glob("*.jpg")))
    assert (out / "game.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "reason"),
    [
        ("--tables 0", 2, "whole number"),
        ("--size 3x4", 2, "1640x1232"),
        ("--size big", 2, "1640x1232"),
        ("--difficulty cruel", 2, "choose from"),
        ("--deck /nowhere", 1, "cannot be read"),
    ],
)
def test_what_cannot_be_done_gets_one_line(tmp_path: Path, arguments: str, status: int, reason: str) -> None:
    done = scene("--out", tmp_path / "out", *arguments.split())
    assert done.returncode == status
    assert done.stderr.count("\n") == 1
    assert reason in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    done = scene("--out", tmp_path, "--tables", 1)
    assert done.returncode == 1
    assert "not overwritten" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_ctrl_c_leaves_nothing_behind(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--out", str(tmp_path / "game"), "--size", "410x308"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    until = time.monotonic() + 60
    while not list(tmp_path.glob(".companion-*/game/*.jpg")) and time.monotonic() < until:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []
