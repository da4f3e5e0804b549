"""What is printed for the hands: where to cut, to fold and to glue, and a ruler. All lengths in mm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.games.drawing.svg import XY, document, path, polygon, polyline, stroke

CUT: Final[dict[str, str | float]] = {"stroke": "#000000", "stroke_width": 0.2, "stroke_linejoin": "round"}
"""The line along which scissors run."""


def fold(points: Iterable[XY], colour: str) -> str:
    """A dashed line along these points."""
    return path(polyline(points), stroke=colour, stroke_width=0.25, stroke_dasharray="1.4 0.9")


def tab(points: Iterable[XY]) -> str:
    """Where glue goes: grey, and cut out along its outline."""
    return polygon(points, "#e4e0d8", **CUT)


def ruler(length: float) -> str:
    """A line whose length shows whether the printer has changed the size."""
    ticks = [[(x, 1.0), (x, 4.0)] for x in (0.1, length - 0.1)] + [[(0.0, 2.5), (length, 2.5)]]
    return document(length, 5, *(stroke(tick, "#000000", 0.2) for tick in ticks))
