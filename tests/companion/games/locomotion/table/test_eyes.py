"""The eye of a play is for the piece that it is played with, whatever the settings say now."""

from companion.games.locomotion.game import GAME
from companion.games.locomotion.printing.deck import deck_of, piece_of
from companion.games.locomotion.rules import read_piece
from companion.games.locomotion.rules.piece import Track
from companion.games.locomotion.settings import with_own
from companion.games.settings import Settings
from vision.networks.network_eye import NetworkEye

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
