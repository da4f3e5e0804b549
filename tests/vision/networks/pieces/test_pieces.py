"""Which pieces lie there, by how much each cell looks like each of theirs."""

from __future__ import annotations

import numpy as np
import pytest

from vision.networks.grid.grid_picture import Extent
from vision.networks.pieces.piece_look import PieceLook
from vision.networks.pieces.pieces import CellLooks, Covered, lying_pieces

_LOOK = PieceLook(((0, 0), (1, 0), (2, 0)), np.zeros((10, 30, 3), np.uint8))
_EXTENT = Extent(0, 0, 5, 3)


def looks(heading_west: float) -> CellLooks:
    """A piece in the middle row that heads east; how much its middle looks like one that heads west."""
    likeness = np.full((15, 4, 3), -1.0, np.float32)
    for own, column in enumerate((1, 2, 3)):
        likeness[_EXTENT.place(column, 1), 0, own] = 1.0
        likeness[_EXTENT.place(column, 1), 2, 2 - own] = 1.0 if own != 1 else heading_west
    return CellLooks(likeness, np.zeros(likeness.shape, np.intp))


@pytest.mark.parametrize(("heading_west", "is_sure"), [(0.95, False), (0.2, True)])
def test_a_guess_is_no_surer_when_the_same_is_seen_again(heading_west: float, *, is_sure: bool) -> None:
    first = lying_pieces(looks(heading_west), _EXTENT, _LOOK)
    assert [piece.placement for piece in first] == [((1, 1), 0)]
    again = lying_pieces(looks(heading_west), _EXTENT, _LOOK, known=first)
    assert [piece.is_sure for piece in (*first, *again)] == [is_sure] * 2


def test_a_guess_goes_where_another_picture_says_that_it_was_wrong() -> None:
    first = lying_pieces(looks(0.95), _EXTENT, _LOOK)
    again = lying_pieces(looks(1.2), _EXTENT, _LOOK, known=first)
    assert [(piece.placement, piece.is_sure) for piece in again] == [(((3, 1), 2), True)]


def test_what_is_covered_far_from_the_network_is_no_part_of_it() -> None:
    """A block that is dark: one spot of it looks a little like a piece."""
    extent = Extent(0, 0, 9, 5)
    likeness = np.full((45, 4, 3), -1.0, np.float32)
    for own, column in enumerate((1, 2, 3)):
        likeness[extent.place(column, 1), 0, own] = 1.0
    likeness[extent.place(6, 3), 0, 0] = 0.6
    covered = np.zeros(45)
    covered[[extent.place(column, row) for column in (2, 6, 7, 8) for row in (3, 4)]] = 1.0
    pieces = lying_pieces(
        CellLooks(likeness, np.zeros(likeness.shape, np.intp)), extent, _LOOK, Covered(covered, covered)
    )
    assert [piece.placement for piece in pieces] == [((1, 1), 0)]
