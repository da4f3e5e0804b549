"""A piece of rail to be cut out, at its real size. All lengths in mm."""

from __future__ import annotations

from itertools import chain
from typing import Final

from companion.games.drawing.marks import CUT
from companion.games.drawing.svg import XY, circle, document, group, path, placed, polyline, rectangle, stroke, turned
from companion.games.locomotion.artwork.rails import (
    BALLAST,
    BAND_MM,
    GAUGE_MM,
    OUT,
    RAIL,
    RAIL_MM,
    line,
    middle,
    tracks,
)
from companion.games.locomotion.artwork.rails import (
    CELL_MM as DRAWN_CELL_MM,
)
from companion.games.locomotion.printing.outline import CELL_MM, RECESS_MM, outlines
from companion.games.locomotion.rules import Dot, Piece, Side

DOT_MM: Final = 2.4
"""Radius of a dot: the darkest round thing on the table, and alike everywhere, for who looks from above."""
_HALO_MM: Final = 3.5
_GROUND: Final = "#c8d6a4"
_BALLAST_EDGE: Final = "#b5a88d"
_SHINE: Final = "#8f98a1"
_EDGE: Final = "#8c9a66"
_EDGE_MM: Final = 0.3
_SCALE: Final = CELL_MM / DRAWN_CELL_MM


def piece_svg(piece: Piece, quarter_turns: int = 0) -> str:
    """A picture as large as the piece with its knobs, which may be turned clockwise."""
    loops = [[_turned(point, quarter_turns) for point in loop] for loop in outlines(piece)]
    (left, right), (top, bottom) = ((min(ends), max(ends)) for ends in zip(*chain(*loops), strict=True))
    size = right - left + _EDGE_MM, bottom - top + _EDGE_MM
    return document(
        *size, placed(turned(piece_drawing(piece), 90 * quarter_turns), _EDGE_MM / 2 - left, _EDGE_MM / 2 - top)
    )


def piece_drawing(piece: Piece) -> str:
    """A piece that heads east, with its first cell's middle at (0, 0), and white paper around it."""
    outline = "".join(f"{polyline(loop)}Z" for loop in outlines(piece))
    (left, right), (top, bottom) = ((min(cells), max(cells)) for cells in zip(*piece.cells, strict=True))
    edges = [CELL_MM * edge for edge in (left - 0.8, right + 0.8, top - 0.8, bottom + 0.8)]
    corners = [(edges[side], edges[end]) for side, end in ((0, 2), (1, 2), (1, 3), (0, 3))]
    around = path(f"{polyline(corners)}Z{outline}", "#ffffff", fill_rule="evenodd")
    return group(path(outline, _GROUND), *_railway(piece), around, path(outline, "none", **CUT))


def face_drawing(piece: Piece) -> str:
    """A piece that heads east without knobs and sockets, as it fills the rectangle around its cells."""
    (left, right), (top, bottom) = ((min(cells), max(cells) + 1) for cells in zip(*piece.cells, strict=True))
    cells = [
        rectangle(x * CELL_MM - CELL_MM / 2, y * CELL_MM - CELL_MM / 2, CELL_MM, CELL_MM, _GROUND)
        for x, y in piece.cells
    ]
    drawing = group(*cells, *_railway(piece))
    size = (right - left) * CELL_MM, (bottom - top) * CELL_MM
    edge = rectangle(0.15, 0.15, size[0] - 0.3, size[1] - 0.3, "none", stroke=_EDGE, stroke_width=0.3)
    return document(*size, placed(drawing, (0.5 - left) * CELL_MM, (0.5 - top) * CELL_MM), edge)


def _railway(piece: Piece) -> list[str]:
    """Its tracks and dots; tracks run on over its knobs, which lie in neighbouring cells, and over its sockets."""
    ways = [(way.cell, way.passage) for way in piece.passages]
    lines = [(line(*way, 0), line(*way, GAUGE_MM / 2), line(*way, -GAUGE_MM / 2)) for way in ways]
    onwards = [tuple(_onwards(*port, aside) for aside in (0, GAUGE_MM / 2, -GAUGE_MM / 2)) for port in piece.ports()]
    edge = [stroke(track, _BALLAST_EDGE, BAND_MM + 0.9) for track, *_ in (*lines, *onwards)]
    # On at both ends of each track: so no edge shows where two meet, and knobs have ballast, too.
    ballast = [stroke(_onwards(cell, side, 0), BALLAST, BAND_MM) for cell, way in ways for side in way]
    rails = [stroke(rail, RAIL, RAIL_MM) for _, *both in onwards for rail in both]
    shine = [stroke(rail, _SHINE, 0.25) for _, *both in (*lines, *onwards) for rail in both]
    scaled = f"translate({-CELL_MM / 2:g} {-CELL_MM / 2:g}) scale({_SCALE:g})"
    places = [(x * CELL_MM, y * CELL_MM) for x, y in piece.cells]
    dots = [circle(x, y, _HALO_MM, "#ffffff") + circle(x, y, DOT_MM, "#000000") for x, y in places]
    return [group(*edge, *ballast, *tracks(ways), *rails, *shine, transform=scaled), *dots]


def _onwards(cell: Dot, side: Side, aside: float) -> list[XY]:
    """Along a track, from where it leaves the piece to the end of a knob."""
    (x, y), (out_x, out_y), half = middle(cell), OUT[side], DRAWN_CELL_MM / 2
    ends = (half - 0.1, half + RECESS_MM / _SCALE)
    return [(x + out_x * end - out_y * aside, y + out_y * end + out_x * aside) for end in ends]


def _turned(point: XY, quarter_turns: int) -> XY:
    x, y = point
    return ((x, y), (-y, x), (-x, -y), (y, -x))[quarter_turns % 4]
