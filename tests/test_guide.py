"""The owner's guide: its pictures are what the program draws, its numbers are those of its steps."""

import re
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest

from companion.commands.cli import _parser
from tests.tools.draw_guide import PICTURES

DOCS: Final = Path(__file__).parents[1] / "docs"
GUIDE: Final = (DOCS / "owners-guide.md").read_text()
STEPS: Final = [part for part in re.split(r"^## ", GUIDE, flags=re.MULTILINE) if re.match(r"\d+\. ", part)]
LIKE: Final = 2.0
"""By how many grey levels a picture may differ on average: other versions of libraries round otherwise."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_program_draws(name: str) -> None:
    kept, drawn = (DOCS / "pictures" / name).read_bytes(), PICTURES[name]()
    if name.endswith(".svg"):
        assert kept == drawn, "make pictures"
        return
    old, new = (cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) for data in (kept, drawn))
    assert old.shape == new.shape, "make pictures"
    assert cv2.absdiff(old, new).mean() < LIKE, "make pictures"


def test_every_picture_is_shown_and_every_step_has_one() -> None:
    assert {path.name for path in (DOCS / "pictures").iterdir()} == set(PICTURES)
    shown = re.findall(r"\]\(pictures/([^)]+)\)", GUIDE)
    assert sorted(shown) == sorted(PICTURES)
    assert [step.splitlines()[0] for step in STEPS if "](pictures/" not in step] == []


def test_the_steps_are_counted_as_they_are() -> None:
    rows = re.findall(r"^\| (\d+) \| (.+?) \| (yes|no) \| (\d+) \|", GUIDE, re.MULTILINE)
    titles = [step.splitlines()[0].split(". ", 1) for step in STEPS]
    assert [(number, title) for number, title, _, _ in rows] == [(number, title) for number, title in titles]
    assert [terminal for _, _, terminal, _ in rows] == ["yes" if "```" in step else "no" for step in STEPS]
    minutes = sum(int(each) for _, _, _, each in rows)
    at_terminal = sum(terminal == "yes" for _, _, terminal, _ in rows)
    assert f"{len(rows)} steps, {at_terminal} of them in a terminal, about {minutes} minutes" in GUIDE


def test_every_command_of_ours_can_be_typed() -> None:
    code = "".join(re.findall(r"^```$.*?^```$", GUIDE, re.MULTILINE | re.DOTALL))
    commands = re.findall(r"^(?:\.venv/bin/)?companion (.+)$", code, re.MULTILINE)
    assert commands
    for command in commands:
        _parser(command.split()).parse_args(command.split())
