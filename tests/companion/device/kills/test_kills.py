"""The program is killed at any moment, by SIGKILL, and goes on: a small slice of ``make kills``."""

import subprocess
import sys


def test_a_game_that_is_killed_again_and_again_ends_as_if_nothing_had_happened() -> None:
    words = [sys.executable, "-m", "tests.tools.kill_games", "--kills", "5", "--modes", "solo-hard"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert ended.returncode == 0, ended.stderr
    assert "no step shown was lost, every game ended the same" in ended.stdout
