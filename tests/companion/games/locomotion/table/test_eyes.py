"""What the eye of the game is told of a piece."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.locomotion.game import GAME
from companion.games.locomotion.printing.deck import deck_of
from companion.games.locomotion.rules import load_piece
from companion.games.locomotion.settings import OWN, with_own
from companion.games.locomotion.table.eyes import is_same_turned
from companion.games.settings import Settings
from tests.vision.networks.rendered_networks import rendered_network
from vision.watching.steady_view import no_still


@pytest.mark.parametrize(("name", "is_same"), [("T", False), ("X", True), ("D", True)])
def test_a_piece_that_is_alike_turned_by_half_is_told_so(name: str, *, is_same: bool) -> None:
    assert is_same_turned(load_piece(name)) is is_same


@pytest.mark.further
def test_of_a_piece_of_ones_own_the_dots_are_read_and_how_it_lies_is_asked() -> None:
    table = rendered_network("T", 4, 3, "easy", "wood", (984, 738))
    piece = replace(table.network.piece, name=OWN)
    settings = with_own(Settings(), piece=OWN, own_piece=piece)
    deck = deck_of(piece)
    # What it looks like in truth is nothing that the game has drawn.
    pictures = GAME.pictures(settings, deck)
    assert pictures.deck == deck
    eye = GAME.eyes(pictures)
    for seed in range(3):
        reading = eye.look(table.photograph(seed, vehicles=False), (), no_still).network
    assert reading is not None
    assert len(reading.pieces) == 4
    assert not any(piece.is_sure for piece in reading.pieces)
