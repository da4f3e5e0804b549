"""What the pages promise is what happens."""

import re
import subprocess
import sys
from pathlib import Path

from vision.cards import decode_deck

ROOT = Path(__file__).parents[1]


def test_the_readmes_code_runs_and_prints_what_it_says() -> None:
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == re.findall(r"print\(.*\)  # (.*)", code)


def test_the_readmes_commands_exist() -> None:
    targets = set(re.findall(r"`?make ([a-z-]+)", (ROOT / "README.md").read_text()))
    makefile = (ROOT / "Makefile").read_text()
    assert targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_example_of_a_deck_is_one() -> None:
    example = re.search(r"```json\n(.*?)```", (ROOT / "docs/deck.md").read_text(), re.DOTALL)[1]
    assert decode_deck(example).has_rails
