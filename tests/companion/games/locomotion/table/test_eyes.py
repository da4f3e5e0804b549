"""The eye of a play is for the piece that it is played with, whatever the settings say now."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.locomotion.game import GAME
from companion.games.locomotion.printing.deck import deck_of, piece_of
from companion.games.locomotion.rules import load_piece, read_piece
from companion.games.locomotion.rules.piece import Track
from companion.games.locomotion.settings import OWN as OWN_PIECE
from companion.games.locomotion.settings import with_own
from companion.games.locomotion.table.eyes import is_same_turned
from companion.games.settings import Settings
from tests.vision.networks.rendered_networks import rendered_network
from vision.cards import Deck
from vision.networks.network_eye import NetworkEye
from vision.watching.steady_view import no_still

OWN = read_piece(
    '{"name": "own", "cells": [[0, 0], [0, 1]], "passages": [{"cell": [0, 0], "sides": ["N", "S"]}, '
    '{"cell": [0, 1], "sides": ["N", "E"]}]}'
)


def test_a_piece_of_ones_own_is_looked_for_though_another_one_is_set() -> None:
    deck = deck_of(OWN)
    pictures = GAME.pictures(with_own(Settings(), piece="X"), deck)
    assert pictures.deck == deck
    assert piece_of(pictures.deck) is OWN
    assert isinstance(GAME.eyes(pictures), NetworkEye)


def test_the_next_game_is_set_up_with_the_piece_of_the_settings() -> None:
    assert piece_of(GAME.pictures(with_own(Settings(), piece="X")).deck).name == "X"
    assert piece_of(GAME.pictures(with_own(Settings(), network="clover")).deck).name == "D"


def test_two_pieces_of_one_name_are_told_apart() -> None:
    other = read_piece('{"name": "own", "cells": [[0, 0]], "passages": [{"cell": [0, 0], "sides": ["N", "S"]}]}')
    assert other.passages == (Track((0, 0), ("N", "S")),)
    assert (piece_of(deck_of(OWN)), piece_of(deck_of(other))) == (OWN, other)


def test_a_deck_of_pieces_says_itself_what_its_piece_is() -> None:
    assert piece_of(replace(deck_of(OWN), name="another name")) == OWN
    with pytest.raises(TypeError, match="no deck of pieces of rail"):
        piece_of(Deck("cards", deck_of(OWN).faces))


@pytest.mark.parametrize(("name", "is_same"), [("T", False), ("X", True), ("D", True)])
def test_a_piece_that_is_alike_turned_by_half_is_told_so(name: str, *, is_same: bool) -> None:
    assert is_same_turned(load_piece(name)) is is_same


@pytest.mark.further
def test_of_a_piece_of_ones_own_the_dots_are_read_and_how_it_lies_is_asked() -> None:
    table = rendered_network("T", 4, 3, "easy", "wood", (984, 738))
    piece = replace(table.network.piece, name=OWN_PIECE)
    settings = with_own(Settings(), piece=OWN_PIECE, own_piece=piece)
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
