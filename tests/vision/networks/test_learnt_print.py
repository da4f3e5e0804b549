"""A print that nobody has a picture of: one picture of pieces of which people say how they lie is enough to read it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.networks.rendered_networks import RenderedNetwork, drawn_print, rendered_network, with_face
from vision.networks.network_eye import NetworkEye
from vision.networks.told import picture_in_words, picture_of_words
from vision.rendering.conditions import Difficulty
from vision.watching.network_reading import NetworkReading
from vision.watching.steady_view import no_still

SMALL = (984, 738)
_PATIENCE = 20
"""So many pictures of the same are looked at where the first leaves doubts, two seconds of a camera's."""


def eye_of(table: RenderedNetwork) -> NetworkEye:
    return NetworkEye(table.pictures, table.network.piece.cells, has_print=False)


def of_print(number: int, seed: int, difficulty: Difficulty = "easy") -> RenderedNetwork:
    table = rendered_network("T", 9, seed, difficulty, size=SMALL)
    return with_face(table, drawn_print(table.network.piece, number))


def learnt(table: RenderedNetwork) -> str:
    reading = eye_of(table).look(table.photograph(vehicles=False), table.told() | {"print"}, no_still).network
    assert reading is not None
    return reading.own_print


def heads_right(eye: NetworkEye, reading: NetworkReading | None, table: RenderedNetwork) -> list[bool]:
    """Of each piece whether its first cell is where it truly is."""
    assert reading is not None
    assert eye.grid is not None
    first = eye.grid.view.on_grid(table.dots_px())[:: len(table.network.piece.cells)]
    there = {(round(x), round(y)) for x, y in first.tolist()}
    return [piece.is_sure and piece.cell in there for piece in reading.pieces]


@pytest.mark.parametrize(
    ("seed", "difficulty"),
    [(3, "easy"), *(pytest.param(seed, "normal", marks=pytest.mark.further) for seed in (6, 10))],
)
def test_a_print_that_was_learnt_tells_how_other_pieces_lie(seed: int, difficulty: Difficulty) -> None:
    own_print = learnt(of_print(seed, seed))
    another = of_print(seed, seed + 50, difficulty)
    picture = another.photograph(vehicles=False)
    eye = eye_of(another)
    unknown = heads_right(eye, eye.look(picture, (), no_still).network, another)
    assert not any(unknown)
    known = heads_right(eye, eye.look(picture, {f"print {own_print}"}, no_still).network, another)
    for look in range(1, _PATIENCE):
        if all(known):
            break
        seen = eye.look(another.photograph(look, vehicles=False), {f"print {own_print}"}, no_still).network
        known = heads_right(eye, seen, another)
    assert known == [True] * 9


@pytest.mark.further
def test_wood_has_no_print_that_tells_how_it_lies() -> None:
    assert learnt(rendered_network("T", 13, 4, make="wood", size=SMALL)) == ""


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="no picture"):
        picture_of_words("")
    words = picture_in_words(np.full((2, 2, 3), 7, np.uint8))
    assert picture_in_words(picture_of_words(words)) == words
