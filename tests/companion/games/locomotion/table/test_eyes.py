"""What the eye of the game is told of a piece."""

from __future__ import annotations

import pytest

from companion.games.locomotion.rules import load_piece
from companion.games.locomotion.table.eyes import is_same_turned


@pytest.mark.parametrize(("name", "is_same"), [("T", False), ("X", True), ("D", True)])
def test_a_piece_that_is_alike_turned_by_half_is_told_so(name: str, *, is_same: bool) -> None:
    assert is_same_turned(load_piece(name)) is is_same
