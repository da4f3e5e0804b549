"""Drawings of networks."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from companion.games.drawing.raster import rasterized
from companion.games.locomotion.artwork.as_text import network_as_text, with_axes
from companion.games.locomotion.artwork.picture import MARGIN_MM, network_svg
from companion.games.locomotion.artwork.rails import CELL_MM
from companion.games.locomotion.artwork.vehicles import COLOURS
from companion.games.locomotion.networks import Puzzle
from companion.games.locomotion.rules import Network, PlacedPiece, lay, load_piece

PINWHEEL: Sequence[tuple[tuple[int, int], str]] = [((0, 0), "E"), ((1, 1), "S"), ((0, 2), "W"), ((-1, 1), "N")]


def pinwheel() -> Network:
    return lay(load_piece("T"), [PlacedPiece(cell, heading) for cell, heading in PINWHEEL])


def puzzle() -> Puzzle:
    return Puzzle(pinwheel(), (2, 0), ((1, 3), (-2, 2), (-1, -1), (0, 2)), (1, 4, 2, 3))


def test_a_picture_shows_rails_where_they_are_and_wagons_in_their_colours() -> None:
    scale = 2
    picture = rasterized(network_svg(pinwheel(), puzzle().start()), scale)[:, :, ::-1]

    def around(dot: tuple[float, float], cells: float) -> set[tuple[int, ...]]:
        """The colours within so many cells of the middle of a dot's cell; (-2, -1) is the corner of the drawing."""
        column, row = (scale * (MARGIN_MM + length * CELL_MM) for length in (dot[0] + 2.5, dot[1] + 1.5))
        far = max(1, round(scale * cells * CELL_MM))
        seen = picture[round(row) - far : round(row) + far, round(column) - far : round(column) + far]
        return {tuple(map(int, pixel)) for pixel in np.reshape(seen, (-1, 3))}

    colours = {number: tuple(bytes.fromhex(colour[1:])) for number, colour in COLOURS.items()}
    for number, dot in enumerate(puzzle().wagons, 1):
        assert {other for other, colour in colours.items() if colour in around(dot, 0.4)} == {number}
    rail = 2.8 / CELL_MM
    assert max(max(colour) for colour in around((0, rail), 0.02)) < 120
    # The inner rail in the middle of the arc from the west to the south of the cell (1, 0).
    inner = (0.5 - rail) / 2**0.5
    assert min(max(colour) for colour in around((0.5 + inner, 0.5 - inner), 0.03)) < 120
    assert min(max(colour) for colour in around((0.5, -0.5 + 0.05), 0.03)) > 200


def test_a_title_may_be_any_text() -> None:
    root = ET.fromstring(network_svg(pinwheel(), None, "</title><script>\x00"))  # noqa: S314 - our own drawing
    assert root[0].text == "</title><script> "


def test_a_terminal_shows_tracks_dots_and_signs() -> None:
    assert [line.strip() for line in network_as_text(lay(load_piece("T"), [PlacedPiece((0, 0), "E")]))] == [
        "",
        "──●───┬●────●──",
        "╰╮",
    ]
    told = "\n".join(network_as_text(pinwheel(), puzzle().start()))
    assert sorted(told.replace("●", "").translate(dict.fromkeys(map(ord, " \n─│╭╮╰╯├┤┬┴┼╴╵╶╷")))) == list("1234A")
    assert told.count("●") == 12 - 5


@pytest.mark.parametrize("heading", "ESWN")
def test_turned_pieces_are_turned_in_the_terminal(heading: str) -> None:
    lines = network_as_text(lay(load_piece("X"), [PlacedPiece((0, 0), heading)]))
    assert "".join(lines).count("●") == 3
    assert max(map(len, lines)) <= (15 if heading in "EW" else 5)


def test_colours_come_with_signs() -> None:
    plain, coloured = (network_as_text(pinwheel(), puzzle().start(), is_coloured=value) for value in (False, True))
    assert "\x1b" not in "".join(plain)
    assert all(f"m{number}\x1b[0m" in "".join(coloured) for number in "1234")


def test_the_numbers_beside_a_network_are_those_of_its_dots() -> None:
    laid = lay(load_piece("T"), [PlacedPiece((-2, 0), "E")])
    head, row = with_axes(network_as_text(laid), laid)[::2]
    assert head == "   -2   -1    0"
    assert row == "0 ──●───┬●────●──"
