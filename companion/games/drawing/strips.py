"""Drawings of any size in rows on sheets, to be cut apart into strips first. All lengths in mm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.games.drawing.canvas import Canvas
from companion.games.drawing.paper import MARGIN_MM, Paper
from companion.games.drawing.png import size_mm
from companion.games.drawing.svg import document, stroke

GAP_MM: Final = 3.0
"""Between drawings, and from them to marks."""
_MARK_MM: Final = 3.0


class TooLarge(ValueError):
    """A drawing is larger than a sheet."""


class Put(NamedTuple):
    """A drawing with its top left corner on a sheet."""

    drawing: str
    x: float
    y: float


def in_rows(paper: Paper, drawings: Sequence[str]) -> list[list[list[Put]]]:
    """The rows of each sheet, in the order of the drawings and in the middle of the paper; raises TooLarge."""
    wide, high = paper.width - 2 * MARGIN_MM, paper.height - 2 * MARGIN_MM
    sheets: list[list[list[Put]]] = [[]]
    row: list[Put] = []
    x = y = below = 0.0
    for drawing in drawings:
        width, height = size_mm(drawing)
        if width > wide or height > high:
            raise TooLarge(f"{width:.0f} x {height:.0f} mm do not fit on {paper.name} paper.")
        if row and (x + width > wide or height != size_mm(row[0].drawing)[1]):
            row, x, y = [], 0.0, below + GAP_MM
        if y + height > high:
            sheets, y = [*sheets, []], 0.0
        if not row:
            sheets[-1].append(row)
        row.append(Put(drawing, x, y))
        x, below = x + width + GAP_MM, y + height
    return [_in_the_middle(paper, sheet) for sheet in sheets]


def strip_sheet(canvas: Canvas, rows: Sequence[Sequence[Put]]) -> None:
    """A page with these rows, with marks between them at its edges, and an empty page for its other side."""
    canvas.add_page()
    edges = [row[0].y - GAP_MM / 2 for row in rows] + [_bottom(rows[-1]) + GAP_MM / 2]
    width = canvas.paper.width
    near, far = MARGIN_MM - GAP_MM / 2, MARGIN_MM - GAP_MM / 2 - _MARK_MM
    marks = [[(start, y), (end, y)] for start, end in ((far, near), (width - near, width - far)) for y in edges]
    canvas.draw(document(width, canvas.paper.height, *(stroke(mark, "#000000", 0.15) for mark in marks)))
    for put in (put for row in rows for put in row):
        canvas.draw(*put)
    canvas.add_page()


def _in_the_middle(paper: Paper, rows: list[list[Put]]) -> list[list[Put]]:
    """Rows of equal drawings begin at one place, so that columns can be cut, too."""
    down = (paper.height - _bottom(rows[-1])) / 2
    widest = max(put.x + size_mm(put.drawing)[0] for row in rows for put in row)
    across = (paper.width - widest) / 2
    return [[Put(put.drawing, put.x + across, put.y + down) for put in row] for row in rows]


def _bottom(row: Sequence[Put]) -> float:
    return row[0].y + size_mm(row[0].drawing)[1]
