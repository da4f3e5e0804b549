"""The wheel dice as nets of cubes. All lengths in mm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.drawing.svg import (
    XY,
    circle,
    document,
    group,
    path,
    placed,
    polygon,
    polyline,
    rectangle,
    turned,
)

CUBE: Final = 16.0
_TAB_DEEP: Final = 4.0
SHEET_MM: Final = (4 * CUBE + _TAB_DEEP + 1, 3 * CUBE + 1)
"""Width and height of the net of a die with its tabs."""

_SQUARES: Final = ((0, 1), (1, 1), (2, 1), (3, 1), (1, 0), (1, 2))
"""Column and row of each face: four around the cube, then its top and bottom."""
_INK = "#17191c"


def die_net(faces: Sequence[int]) -> str:
    """The net of a die with this many wheels on each of its six faces."""
    drawn = [_tab(points) for points in _tabs()]
    for (column, row), wheels in zip(_SQUARES, faces, strict=True):
        square = rectangle(0, 0, CUBE, CUBE, "#fffdf6", stroke=_INK, stroke_width=0.2)
        drawn.append(placed(square + _wheels(wheels), column * CUBE, row * CUBE))
    drawn += [path(polyline(fold), stroke="#fffdf6", stroke_width=0.3, stroke_dasharray="0.9 1.4") for fold in _folds()]
    return document(*SHEET_MM, placed(group(*drawn), 0.5, 0.5))


def wheel(radius: float) -> str:
    """A spoked wheel around (0, 0)."""
    spoke = polygon(
        [(-0.07 * radius, 0), (-0.05 * radius, -0.8 * radius), (0.05 * radius, -0.8 * radius), (0.07 * radius, 0)], _INK
    )
    return group(
        circle(0, 0, 0.88 * radius, "none", stroke=_INK, stroke_width=0.22 * radius),
        *(turned(spoke, 45 * index) for index in range(8)),
        circle(0, 0, 0.24 * radius, _INK),
        circle(0, 0, 0.1 * radius, "#fffdf6"),
    )


def _wheels(count: int) -> str:
    """So many wheels on a face, side by side from corner to corner."""
    if count == 0:
        return ""
    radius = 5.8 if count == 1 else 6.6 / count
    step = (CUBE - 2 * radius - 2.4) / max(1, count - 1)
    middles = [CUBE / 2] if count == 1 else [1.2 + radius + step * index for index in range(count)]
    return group(*(placed(wheel(radius), middle, CUBE - middle) for middle in middles))


def _tabs() -> list[list[XY]]:
    taper, tabs = 1.8, []
    for column in (0, 2, 3):
        left, right = column * CUBE, (column + 1) * CUBE
        for edge, outwards in ((CUBE, -_TAB_DEEP), (2 * CUBE, _TAB_DEEP)):
            tabs.append(
                [(left, edge), (left + taper, edge + outwards), (right - taper, edge + outwards), (right, edge)]
            )
    end = 4 * CUBE
    return [*tabs, [(end, CUBE), (end + _TAB_DEEP, CUBE + taper), (end + _TAB_DEEP, 2 * CUBE - taper), (end, 2 * CUBE)]]


def _tab(points: list[XY]) -> str:
    return polygon(points, "#e4e0d8", stroke=_INK, stroke_width=0.2, stroke_linejoin="round")


def _folds() -> list[list[XY]]:
    """The edges along which the net is folded."""
    row: list[list[XY]] = [[(column * CUBE, CUBE), (column * CUBE, 2 * CUBE)] for column in (1, 2, 3, 4)]
    return [*row, [(0, CUBE), (4 * CUBE, CUBE)], [(0, 2 * CUBE), (4 * CUBE, 2 * CUBE)]]
