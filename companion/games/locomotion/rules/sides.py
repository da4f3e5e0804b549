"""The four sides of a square cell, and the ways through it."""

from __future__ import annotations

from enum import IntEnum


class Side(IntEnum):
    """A side of a cell as it lies: x runs to the east, y to the south. As a heading, the side that is ahead."""

    E = 0
    S = 1
    W = 2
    N = 3

    @property
    def opposite(self) -> Side:
        """The side across."""
        return _SIDES[(self + 2) % 4]

    def turned(self, heading: Side) -> Side:
        """This side of a piece that heads east, once the piece is turned to this heading."""
        return _SIDES[(self + heading) % 4]


_SIDES = tuple(Side)  # to look one up is quicker than to ask the enumeration for it
Dot = tuple[int, int]
"""The cell of a dot: x and y."""
Passage = tuple[Side, Side]
"""The two sides that a track through a dot joins."""

_AHEAD = {Side.E: (1, 0), Side.S: (0, 1), Side.W: (-1, 0), Side.N: (0, -1)}


def beyond(dot: Dot, side: Side) -> Dot:
    """The cell on the other side."""
    return dot[0] + _AHEAD[side][0], dot[1] + _AHEAD[side][1]


def turned_cell(cell: Dot, heading: Side) -> Dot:
    """A cell of a piece that heads east, once the piece is turned about its first cell."""
    x, y = cell
    return ((x, y), (-y, x), (-x, -y), (y, -x))[heading]
