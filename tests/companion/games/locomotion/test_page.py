"""docs/locomotion.md: its pictures are drawn from the files, its data is that of the program."""

import io
import json
import re
import shutil

import pytest

from companion.commands.cli import main
from companion.commands.locomotion.locomotion import SUBCOMMANDS
from companion.games.locomotion.rules import load_piece, read_piece
from tests.companion.games.locomotion.draw_page import PAGE, PICTURES, told
from tests.companion.games.test_recorded_games import RECORDS


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_program_draws(name: str) -> None:
    drawn = "python -m tests.companion.games.locomotion.draw_page docs/locomotion"
    assert (PAGE.parent / "locomotion" / name).read_text() == PICTURES[name](), drawn
    assert f"](locomotion/{name})" in PAGE.read_text()


def test_the_piece_on_the_page_is_the_one_that_ships() -> None:
    assert read_piece(told()[0]) == load_piece("T")


def test_the_commands_work(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "puzzle.json").write_text(json.dumps(json.loads(told()[1])))
    shutil.copy(RECORDS / "locomotion/solo-die-finished.jsonl", tmp_path / "game.jsonl")
    commands = re.findall(r"^companion (.+?) *#", PAGE.read_text(), re.MULTILINE)
    # One that plays a thousand games stands there, too; it is tried with fewer elsewhere.
    assert {command.split()[1] for command in commands} == set(SUBCOMMANDS) - {"simulate"}
    # Whoever plays has nothing to say, and so leaves at once.
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert [main(command.split()) for command in commands] == [0] * len(commands)
