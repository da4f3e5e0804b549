"""Pieces as a camera sees them: dots where the rules have them, tracks up to the edges, vehicles that differ."""

from typing import get_args

import numpy as np
import pytest

from companion.games.locomotion.printing.drawn_pieces import PX_PER_MM, Make, drawn_pieces, vehicle_looks
from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.rules.piece import PIECES, load_piece, piece_names, read_piece
from vision.cards.deck import checked_deck

BENT = b"""{"name": "bent", "cells": [[0, 0], [0, 1], [-1, 1]], "passages": [
    {"cell": [0, 0], "sides": ["N", "S"]}, {"cell": [0, 1], "sides": ["N", "W"]}, {"cell": [-1, 1], "sides": ["E", "W"]}
]}"""


@pytest.mark.parametrize("piece", [*map(load_piece, piece_names()), read_piece(BENT)], ids=lambda piece: piece.name)
def test_a_piece_has_a_dot_in_the_middle_of_each_cell_and_rails_that_end_at_its_ports(piece):
    pictures = drawn_pieces(piece)
    deck, picture = checked_deck(pictures.deck), pictures.faces[piece.name]
    assert deck.size == PIECES
    assert picture.shape[1::-1] == tuple(round(side * PX_PER_MM) for side in deck.card_mm)
    first = np.min(piece.cells, axis=0)

    def at(cell, aside=(0.0, 0.0)):
        x, y = (np.subtract(cell, first) + 0.5 + np.array(aside)) * CELL_MM * PX_PER_MM
        return picture[int(y), int(x)].astype(int)

    ballast = np.array([209, 223, 230])
    for cell in piece.cells:
        assert at(cell).max() < 20
    for cell, side in piece.ports():
        across = {0: (0.46, 0), 1: (0, 0.46), 2: (-0.46, 0), 3: (0, -0.46)}[side]
        between = [np.abs(at(cell, np.multiply(across, share)) - ballast).max() for share in (0.7, 0.8, 0.9, 1)]
        assert min(between) < 10, (cell, side)


@pytest.mark.parametrize("make", get_args(Make))
def test_each_vehicle_has_its_colour_and_locomotives_stand_higher(make):
    looks = vehicle_looks(make)
    colours = {name[-1]: look.colour for name, look in looks.items()}
    assert len(looks) == 8
    assert len(set(colours.values())) == 4
    assert all(look.is_locomotive == name.startswith("locomotive") for name, look in looks.items())
    assert all(look.size_mm[2] > 10 or not look.is_locomotive for look in looks.values())
