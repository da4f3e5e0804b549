"""A slice of `make fuzz`: damaged, random and extreme pictures through `companion see`."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


# In the last two, white sheets the size of small cards have a line across them.
@pytest.mark.parametrize(
    ("files", "which"),
    [
        ("12", ["--files", "12", "--seed", "7"]),
        pytest.param("2", ["--only", "1751", "1891"], marks=pytest.mark.further),
    ],
)
def test_damaged_and_extreme_pictures_are_answered_by_a_line_each(files: str, which: list[str]) -> None:
    # A process of its own: a crash of a library would take the other tests along.
    command = [sys.executable, "-m", "tests.tools.fuzz_reading", *which]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{files} files" in run.stdout
    assert "faults: 0" in run.stdout
