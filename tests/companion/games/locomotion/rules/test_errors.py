"""What the rules say of what cannot be done."""

import copy
import re
from pathlib import Path

import pytest

import companion.games
from companion.games.locomotion.rules import BadNetwork, NotAllowed
from companion.games.locomotion.rules.errors import TEXTS

GAMES = Path(companion.games.__path__[0])


def test_pieces_that_are_no_network_are_told_by_another_process_too() -> None:
    error = BadNetwork("LSET1", "apart", [0, 2])
    other = copy.copy(error)  # as a pool of processes does
    assert str(other) == str(error) == "Pieces that share no track with another: 1, 3. Join them to the others. (LSET1)"
    assert (other.clause, other.pieces) == ("LSET1", (0, 2))


def test_every_error_code_is_raised_somewhere() -> None:
    files = [*GAMES.glob("locomotion/rules/*.py"), GAMES / "locomotion/networks/drawing_lots.py", GAMES / "history.py"]
    source = "".join(file.read_text() for file in files if file.name != "errors.py")
    assert TEXTS.keys() <= set(re.findall(r'"([a-z-]+)"', source))


@pytest.mark.parametrize("code", TEXTS)
def test_every_error_says_what_is_wrong_and_what_is_allowed(code: str) -> None:
    named = re.findall(r"{(\w+)}", "".join(TEXTS[code]))
    told = NotAllowed("LRUN2", code, **dict.fromkeys(named, (3, -4)))
    assert str(told) == f"{told.message} {told.allowed} (LRUN2)"
    assert str(told).count("(3, -4)") == len(named)
    assert told.message.endswith(".")
    assert told.allowed.endswith(".")
