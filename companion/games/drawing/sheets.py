"""The pages with the cards: fronts, and their backs for the sheet's other side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Final, NamedTuple

from companion.games.drawing.canvas import Canvas
from companion.games.drawing.grid import Grid
from companion.games.drawing.svg import document, rectangle, stroke

BLEED_MM: Final = 1.5
"""How far a back's colour reaches over its edges, for printers that do not hit the other side exactly."""
MARK_GAP_MM: Final = 2.0
MARK_MM: Final = 3.0


Side = Callable[[float, float], None]
"""Draws itself with its top left corner there."""


class Card(NamedTuple):
    """Both sides of a card; ``bleed`` is the colour of the back if that goes to its edges."""

    front: Side
    back: Side
    bleed: str = ""


def card_sheet(canvas: Canvas, grid: Grid, cards: Sequence[Card]) -> None:
    """A page with the fronts of these cards, and the page for its other side."""
    canvas.add_page()
    canvas.draw(_cut_marks(grid, len(cards)))
    for index, card in enumerate(cards):
        card.front(*grid.front(index))
    canvas.add_page()
    canvas.draw(_bleed(grid, [(*grid.back(index), card.bleed) for index, card in enumerate(cards) if card.bleed]))
    for index, card in enumerate(cards):
        card.back(*grid.back(index))


def _bleed(grid: Grid, backs: Sequence[tuple[float, float, str]]) -> str:
    width, height = (side + 2 * BLEED_MM for side in grid.card_mm)
    areas = (rectangle(x - BLEED_MM, y - BLEED_MM, width, height, colour) for x, y, colour in backs)
    return document(grid.paper.width, grid.paper.height, *areas)


def _cut_marks(grid: Grid, cards: int) -> str:
    """Short lines outside the cards, in line with every edge."""
    width, height = grid.card_mm
    corners = [grid.front(index) for index in range(cards)]
    lefts, tops = sorted({x for x, _ in corners}), sorted({y for _, y in corners})
    across = sorted({edge for left in lefts for edge in (left, left + width)})
    down = sorted({edge for top in tops for edge in (top, top + height)})
    near, far = MARK_GAP_MM, MARK_GAP_MM + MARK_MM
    ends = [(-far, -near), (near, far)]
    marks = [[(x, (down[0], down[-1])[side] + end) for end in ends[side]] for x, side in product(across, (0, 1))]
    marks += [[((across[0], across[-1])[side] + end, y) for end in ends[side]] for y, side in product(down, (0, 1))]
    return document(grid.paper.width, grid.paper.height, *(stroke(mark, "#000000", 0.15) for mark in marks))
