"""Pieces of rail as they are cut out: measured on the paths of the PDF, joined, and laid as networks."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from random import Random
from typing import Final, NamedTuple

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.games.drawing.canvas import Canvas
from companion.games.drawing.paper import PAPERS
from companion.games.locomotion.networks import Wish, draw_network
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.printing import outline, pieces
from companion.games.locomotion.printing.outline import CELL_MM, is_of_one_part
from companion.games.locomotion.rules import Dot, Piece, PlacedPiece, Side, load_piece, piece_names, read_piece
from companion.games.locomotion.rules.network import cells_of
from companion.games.locomotion.rules.piece import Track
from companion.games.locomotion.rules.sides import beyond
from tests.companion.games.locomotion.printing.drawn_paths import drawn_paths

FITS_MM: Final = 0.2
RING: Final = read_piece(
    """{"name": "ring", "cells": [[0, 0], [1, 0], [2, 0], [0, 1], [2, 1], [0, 2], [1, 2], [2, 2], [2, 3]], "passages": [
    {"cell": [0, 0], "sides": ["S", "E"]}, {"cell": [1, 0], "sides": ["W", "E"]}, {"cell": [1, 0], "sides": ["W", "S"]},
    {"cell": [2, 0], "sides": ["W", "S"]}, {"cell": [0, 1], "sides": ["N", "S"]}, {"cell": [0, 1], "sides": ["N", "W"]},
    {"cell": [2, 1], "sides": ["N", "S"]}, {"cell": [0, 2], "sides": ["N", "E"]}, {"cell": [1, 2], "sides": ["W", "E"]},
    {"cell": [1, 2], "sides": ["E", "S"]}, {"cell": [2, 2], "sides": ["N", "S"]}, {"cell": [2, 3], "sides": ["N", "W"]}
    ]}"""
)
"""A piece of somebody's own with a hole, a joint in the hole, and two that meet in an inner corner."""
PIECES: Final = (*map(load_piece, piece_names()), RING)


class Printed(NamedTuple):
    """Outlines in cells, so that the dots of the piece that heads east are where its cells are."""

    piece: Piece
    loops: list[np.ndarray]
    places: np.ndarray
    """On the outlines, close to one another."""


def laid(points: np.ndarray, placed: PlacedPiece) -> np.ndarray:
    """Where points of a piece that heads east are once it lies."""
    turn = np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), Side[placed.heading])
    return points @ turn.T + placed.cell


def printed(piece: Piece) -> Printed:
    """What a PDF with the piece has drawn, measured from the dots."""
    canvas = Canvas(PAPERS["a4"], "piece")
    canvas.add_page()
    canvas.draw(pieces.piece_svg(piece), 20, 30)
    paths = list(drawn_paths(pypdfium2.PdfDocument(canvas.finished())[0]))
    cuts = [path.points for path in paths if path.fill is None and path.stroke == (0, 0, 0)]
    dots = sorted((path.middle for path in paths if path.fill == (0, 0, 0)), key=tuple)
    first = dots[sorted(piece.cells).index(piece.cells[0])]
    cells = [np.array(cell) - piece.cells[0] for cell in sorted(piece.cells)]
    # The grid is where the dots say it is.
    assert np.allclose([(dot - first) / CELL_MM for dot in dots], cells, atol=0.01 / CELL_MM)
    (cut,) = cuts
    loops = [(loop - first) / CELL_MM + piece.cells[0] for loop in _closed(cut)]
    return Printed(piece, loops, np.concatenate([along(loop) for loop in loops]))


def _closed(points: np.ndarray) -> list[np.ndarray]:
    """Each loop of a path by itself: it ends where it began."""
    loops, start = [], 0
    for index in range(1, len(points)):
        if index > start and np.allclose(points[index], points[start], atol=1e-3):
            loops.append(points[start : index + 1])
            start = index + 1
    return loops if start >= len(points) - 1 else [*loops, np.concatenate([points[start:], points[start : start + 1]])]


@cache
def as_shipped(index: int) -> Printed:
    return printed(PIECES[index])


def along(loop: np.ndarray, step: float = 0.2 / CELL_MM) -> np.ndarray:
    """Places on an outline, close to one another."""
    parts = []
    for start, end in pairwise(loop):
        count = max(1, int(np.linalg.norm(end - start) / step))
        parts.append(start + (end - start) * np.arange(count)[:, None] / count)
    return np.concatenate(parts)


def at_side(places: np.ndarray, cell: Dot, side: Side) -> np.ndarray:
    """The part of an outline that lies at a side of a cell, as far as a joint may reach."""
    out = np.array(beyond((0, 0), side))
    outwards, aside = (places - cell) @ out - 0.5, (places - cell) @ np.array([-out[1], out[0]])
    return places[(np.abs(outwards) < 3.9 / CELL_MM) & (np.abs(aside) < 4.9 / CELL_MM)]


def gap_mm(one: np.ndarray, other: np.ndarray) -> float:
    """How far the one outline is from the other where that is most, and the other way round."""
    far = np.linalg.norm(one[:, None] - other[None], axis=2)
    return float(max(far.min(axis=0).max(), far.min(axis=1).max())) * CELL_MM


def gaps_mm(one: Printed, other: Printed) -> list[float]:
    """At each joint of a piece in each heading, with each joint of the other that fits there."""
    gaps = []
    for heading in Side:
        here = PlacedPiece((0, 0), heading.name)
        for cell, side in joints(one.piece, here):
            mine = at_side(laid(one.places, here), cell, side)
            for turns in Side:
                for its_cell, its_side in joints(other.piece, PlacedPiece((0, 0), turns.name)):
                    if its_side is side.opposite:
                        x, y = beyond(cell, side)
                        there = PlacedPiece((x - its_cell[0], y - its_cell[1]), turns.name)
                        gaps.append(gap_mm(mine, at_side(laid(other.places, there), (x, y), its_side)))
    return gaps


def joints(piece: Piece, placed: PlacedPiece) -> list[tuple[Dot, Side]]:
    cells = dict(zip(piece.cells, cells_of(piece, placed), strict=True))
    return [(cells[cell], side.turned(Side[placed.heading])) for cell, side in piece.ports()]


@pytest.mark.parametrize("one", range(len(PIECES)), ids=lambda index: PIECES[index].name)
def test_each_joint_fits_each_other_in_every_heading(one: int) -> None:
    for other in range(one, len(PIECES)):
        gaps = gaps_mm(as_shipped(one), as_shipped(other))
        assert len(gaps) == 4 * len(PIECES[one].ports()) * len(PIECES[other].ports())
        assert max(gaps) < FITS_MM


def test_a_knob_that_is_0_3_mm_aside_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = tuple((x + 0.3 * (y > 0), y) for x, y in outline.joint())
    monkeypatch.setattr(outline, "joint", lambda: moved)
    assert max(gaps_mm(printed(PIECES[0]), printed(PIECES[0]))) > FITS_MM


def test_a_knob_holds_and_scissors_come_round_it() -> None:
    """It is narrower where it begins than at its widest, and wide enough there not to tear."""
    points = at_side(as_shipped(0).places, (2, 0), Side.E) - (2.5, 0)
    knob = points[points[:, 0] > 0] * CELL_MM
    middle, neck = (np.ptp(knob[np.abs(knob[:, 0] - out) < 0.15][:, 1]) for out in (1.75, 0.6))
    assert middle == pytest.approx(4.0, abs=0.1)
    assert neck < middle - 0.4
    assert neck > 2.5


@pytest.mark.parametrize("name", piece_names())
def test_pieces_of_a_network_lie_beside_one_another(name: str) -> None:
    """Knobs find room beside sides that have no track, too."""
    px = 3.0
    index = piece_names().index(name)
    found = draw_network(Random(5), PIECES[index], 30, Wish(6)).network
    corner = np.min(found.dots, axis=0) - 1
    size = tuple(int((length + 3) * CELL_MM * px) for length in np.ptp(found.dots, axis=0)[::-1])
    lying = np.zeros(size, np.uint8)
    for placed in found.pieces:
        piece = np.zeros(size, np.uint8)
        cuts = [laid(loop, placed) for loop in as_shipped(index).loops]
        loops = [((loop - corner + 0.5) * CELL_MM * px * 16).astype(np.int32) for loop in cuts]
        cv2.fillPoly(piece, loops, 1, shift=4)
        lying += cv2.erode(piece, np.ones((3, 3), np.uint8))
    assert lying.max() == 1


def test_networks_that_ship_lie_on_a_table_that_the_camera_sees() -> None:
    for named in named_networks().values():
        short, long = sorted((np.ptp(named.network().dots, axis=0) + 1) * CELL_MM)
        assert (short <= 600, long <= 800) == (True, True), named.name


@pytest.mark.further
@pytest.mark.parametrize("seed", range(30))
def test_any_piece_joins_and_lies_beside_itself(seed: int) -> None:
    piece = random_piece(Random(seed))
    own, px, here = printed(piece), 4.0, PlacedPiece((0, 0), "E")
    assert max(gaps_mm(own, as_shipped(0))) < FITS_MM
    assert max(gaps_mm(own, own)) < FITS_MM
    size = int(30 * CELL_MM * px)

    def covered(placed: PlacedPiece) -> np.ndarray:
        loops = [((laid(loop, placed) + 15) * CELL_MM * px * 16).astype(np.int32) for loop in own.loops]
        return cv2.erode(cv2.fillPoly(np.zeros((size, size), np.uint8), loops, 1, shift=4), np.ones((3, 3), np.uint8))

    places = [PlacedPiece((x, y), side.name) for x in range(-5, 6) for y in range(-5, 6) for side in Side]
    mine = set(cells_of(piece, here))
    beside = [placed for placed in places if not mine & set(cells_of(piece, placed))]
    for placed in Random(seed).sample(beside, 40):
        assert not (covered(here) & covered(placed)).any(), placed


def random_piece(random: Random) -> Piece:
    """Up to nine cells that hang together, with any tracks; one of which leaves it."""
    cells = [(0, 0)]
    while len(cells) < random.randint(1, 9):
        cells += {beyond(random.choice(cells), random.choice(list(Side)))} - set(cells)
    ways = list(combinations(Side.__members__, 2))
    tracks = [Track(cell, way) for cell in cells for way in random.sample(ways, random.randint(1, 3))]
    piece = Piece("random", tuple(cells), tuple(tracks))
    return piece if piece.ports() else random_piece(random)


def test_a_piece_may_have_a_hole() -> None:
    assert len(as_shipped(3).loops) == 2


def test_cells_that_touch_at_corners_do_not_hang_together() -> None:
    cells = '[{"cell": [0, 0], "sides": ["W", "E"]}, {"cell": [1, 1], "sides": ["W", "E"]}]'
    apart = read_piece(f'{{"name": "apart", "cells": [[0, 0], [1, 1]], "passages": {cells}}}')
    assert [is_of_one_part(piece) for piece in (*PIECES, apart)] == [True, True, True, True, False]
