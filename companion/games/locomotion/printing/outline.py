"""Where a piece of rail is cut out: straight along its sides, and joints where its tracks leave it. All lengths in mm.

A joint has a knob on the right of who looks out of the piece and the same as a socket on the left: turned by half about
the middle of the side it is itself again. So each joint fits each other one, of any piece in any heading.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from companion.games.drawing.svg import XY
from companion.games.locomotion.artwork.rails import OUT
from companion.games.locomotion.rules import Dot, Piece, Side
from companion.games.locomotion.rules.sides import beyond

CELL_MM: Final = 18.0
"""From dot to dot. So each network of 45 pieces that ships lies on a table of 80 × 60 cm, which the camera just sees:
the widest has 41 dots in a row, the deepest 33. Smaller vehicles than such dots have room for could not be gripped."""
KNOB_MM: Final = 2.0
"""Radius of a knob: gentle enough for scissors."""
RECESS_MM: Final = 4.0
"""How far sides without a joint stand back, so that a neighbour's knob has room beside any piece."""
_KNOB_AT: Final = (1.65, 1.75)
"""The middle of a knob: aside of the middle of the side, and out of the piece."""
_ROUNDED_MM: Final = 0.55
"""Radius of the corner between a knob and the side, inside which the knob is narrower than at its widest: it holds."""
_HEAD_MM, _FOOT_MM = 6.2, 7.0
"""Half the width of what stands out towards a joint: at the joint, and where it begins."""
_STEP: Final = math.radians(7.5)


class Edge(NamedTuple):
    """A side of a piece's cell beyond which the piece has no cell."""

    cell: Dot
    side: Side
    is_joint: bool

    @property
    def along(self) -> Side:
        """Where to it runs, with the piece on its right hand."""
        return self.side.turned(Side.S)

    def at(self, along: float, outwards: float) -> XY:
        """A place beside the middle of the edge, where the first cell's middle is (0, 0)."""
        (out_x, out_y), (on_x, on_y) = OUT[self.side], OUT[self.along]
        outwards += CELL_MM / 2
        x, y = (CELL_MM * place for place in self.cell)
        return x + out_x * outwards + on_x * along, y + out_y * outwards + on_y * along


def outlines(piece: Piece) -> list[list[XY]]:
    """The closed lines along which a piece is cut, around the middle of the cell (0, 0); several if it has holes."""
    return [list(_points(loop)) for loop in _loops(piece)]


def is_of_one_part(piece: Piece) -> bool:
    """Whether the piece's cells hang together by their sides, as what is cut of paper has to."""
    seen, waiting = set[Dot](), [piece.cells[0]]
    while waiting:
        cell = waiting.pop()
        if cell in piece.cells and cell not in seen:
            seen.add(cell)
            waiting += [beyond(cell, side) for side in Side]
    return len(seen) == len(piece.cells)


@cache
def joint() -> tuple[XY, ...]:
    """A joint from left to right of who looks out: along the side from its middle, and outwards."""
    right = _right_half()
    return (*((-along, -outwards) for along, outwards in reversed(right)), *right)


def _right_half() -> list[XY]:
    """The middle of the side, a straight line onto the knob, around it, and into the side."""
    at_x, at_y = _KNOB_AT
    away = math.hypot(at_x, at_y)
    up = math.atan2(at_y, at_x) + math.asin(KNOB_MM / away)
    run = math.sqrt(away**2 - KNOB_MM**2)
    start = math.atan2(run * math.sin(up) - at_y, run * math.cos(up) - at_x) % math.tau
    corner_x = at_x + math.sqrt((KNOB_MM + _ROUNDED_MM) ** 2 - (at_y - _ROUNDED_MM) ** 2)
    end = math.atan2(_ROUNDED_MM - at_y, corner_x - at_x)
    knob = _arc((at_x, at_y), KNOB_MM, start, end)
    return [(0.0, 0.0), *knob, *_arc((corner_x, _ROUNDED_MM), _ROUNDED_MM, end + math.pi, 1.5 * math.pi)]


def _arc(centre: XY, radius: float, start: float, end: float) -> list[XY]:
    count = math.ceil(abs(end - start) / _STEP)
    angles = (start + (end - start) * index / count for index in range(count + 1))
    return [(centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)) for angle in angles]


def _loops(piece: Piece) -> Iterator[list[Edge]]:
    """All edges of a piece, one after the other with the piece on the right hand."""
    left = {(cell, side) for cell in piece.cells for side in Side if beyond(cell, side) not in piece.cells}
    ports = set(piece.ports())
    while left:
        here = first = min(left)
        loop: list[Edge] = []
        while not loop or here != first:
            left.remove(here)
            edge = Edge(*here, here in ports)
            loop.append(edge)
            ahead = beyond(edge.cell, edge.along)
            across = beyond(ahead, edge.side)
            if ahead not in piece.cells:
                here = edge.cell, edge.along
            elif across not in piece.cells:
                here = ahead, edge.side
            else:
                here = across, edge.along.opposite
        yield loop


def _points(loop: list[Edge]) -> Iterator[XY]:
    """Sides stand back; on a side with a joint the piece reaches out to its cell's border."""
    for index, edge in enumerate(loop):
        before, after = loop[index - 1], loop[(index + 1) % len(loop)]
        is_outer = edge.side is before.along
        if not (edge.side is before.side or (is_outer and edge.is_joint and before.is_joint)):
            corner = RECESS_MM if is_outer else -RECESS_MM
            yield edge.at(corner - CELL_MM / 2, -RECESS_MM)
        if edge.is_joint:
            if _has_foot(before, edge, is_outer=is_outer):
                yield edge.at(-_FOOT_MM, -RECESS_MM)
            yield edge.at(-_HEAD_MM, 0)
            yield from (edge.at(*place) for place in joint())
            yield edge.at(_HEAD_MM, 0)
            if _has_foot(after, edge, is_outer=after.side is edge.along):
                yield edge.at(_FOOT_MM, -RECESS_MM)


def _has_foot(neighbour: Edge, edge: Edge, *, is_outer: bool) -> bool:
    """Whether an edge with a joint begins to stand out on this side, and does not already in its neighbour."""
    return not is_outer and not (neighbour.side is edge.side and neighbour.is_joint)
