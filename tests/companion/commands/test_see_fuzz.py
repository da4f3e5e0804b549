"""A slice of `make fuzz`: damaged, random and extreme pictures through `companion see`."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_damaged_and_extreme_pictures_are_answered_by_a_line_each() -> None:
    # A process of its own: a crash of a library would take the other tests along.
    command = [sys.executable, "-m", "tests.fuzz_reading", "--files", "40", "--seed", "7"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "40 files" in run.stdout
    assert "faults: 0" in run.stdout
