"""A slice of ``make accuracy``: a table of a deck for building, alone, in a stream and at rest, its faces as drawn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import pytest

SLICE = ["--decks", "15", "--tables", "1", "--stream", "--at-rest", "--faces", "drawn"]


def measure(*options: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.tools.measure_decks", *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.further
def test_a_deck_is_measured_against_all_bars_and_what_was_read_is_not_read_again(tmp_path: Path) -> None:
    kept, drawn = tmp_path / "kept", tmp_path / "reliability.png"
    first = measure(*SLICE, "--kept", kept, "--diagram", drawn)
    assert first.returncode == 0, first.stderr
    assert "3 tables of 1 decks to be read" in first.stderr
    told = [line for line in first.stdout.splitlines() if line]
    assert "Decks 15, 1 tables, drawn faces taught, each read at rest for a second and a half" in told
    assert told[-2] == "  13 of 13 hold"
    assert told[-1].endswith(str(drawn))
    assert cv2.imread(str(drawn)).shape == (1240, 1520, 3)
    again = measure(*SLICE, "--kept", kept)
    assert "0 tables of 0 decks to be read" in again.stderr
    assert [line for line in again.stdout.splitlines() if line] == told[:-1]


@pytest.mark.parametrize("decks", ["1000", "990-1000"])
def test_pictures_of_decks_for_measuring_are_not_shown(decks: str, tmp_path: Path) -> None:
    refused = measure("--decks", decks, "--kept", tmp_path / "kept", "--show", tmp_path / "shown")
    assert refused.returncode == 1
    assert "only for measuring" in refused.stderr
    assert list(tmp_path.iterdir()) == []
