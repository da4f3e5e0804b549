"""What tells a card's value: badges of four shapes with a large numeral, and the reminder."""

import math
from functools import partial
from typing import Final

from companion.games.drawing.svg import (
    XY,
    around,
    circle,
    group,
    moves,
    number,
    path,
    placed,
    rectangle,
    stroke,
    turned,
)
from companion.games.loknroll.artwork.glyphs import glyph
from companion.games.loknroll.artwork.palette import DANGER, INK, PAPER, RAIL, SEASONS, SLEEPER

BADGE_MM: Final = 17.0
"""A badge's largest width and height."""
NUMERAL_MM: Final = 10.4
REMINDER_MM: Final = 9.6
APART: Final = {1: 3, 2: 4, 3: 1, 4: 2}
"""The value that may not lie beside this one (clause LAY4)."""


def badge(value: int, size: float = BADGE_MM) -> str:
    """A value's badge around (0, 0), the numeral upright."""
    season, scale = SEASONS[value], size / BADGE_MM
    rim = PAPER if _is_dark(season.badge) else season.numeral
    shape = partial(_shape, value, scale)
    return group(
        shape(8.5, INK if rim == PAPER else PAPER),
        shape(8.1, rim),
        shape(7.35, season.badge),
        glyph(str(value), 0, -0.5 * scale if value == 3 else 0, NUMERAL_MM * scale, season.numeral),
    )


def reminder(value: int, size: float = REMINDER_MM) -> str:
    """The value that may not be laid to this one, crossed out, around (0, 0)."""
    radius, other = size / 2, APART[value]
    return _forbidden(glyph(str(other), 0, 0, 0.6 * size, INK), radius)


def no_rails(size: float = REMINDER_MM) -> str:
    """Says of a chaos card that it cannot be laid: a piece of track, crossed out, around (0, 0)."""
    radius = size / 2
    sleepers = [
        rectangle(-0.5 * radius, (step - 0.1) * radius, radius, 0.2 * radius, SLEEPER) for step in (-0.4, 0, 0.4)
    ]
    rails = [
        rectangle((side - 0.08) * radius, -0.62 * radius, 0.16 * radius, 1.24 * radius, RAIL) for side in (-0.3, 0.3)
    ]
    return _forbidden(group(*sleepers, *rails), radius)


def _forbidden(inner: str, radius: float) -> str:
    reach = 0.86 * radius * math.sqrt(0.5)
    return group(
        circle(0, 0, radius, PAPER),
        inner,
        stroke([(-reach, -reach), (reach, reach)], PAPER, 0.2 * radius),
        stroke([(-reach, -reach), (reach, reach)], DANGER, 0.12 * radius),
        path(_ring(0.86 * radius), stroke=DANGER, stroke_width=0.17 * radius),
    )


def _ring(radius: float) -> str:
    half = ("A", radius, radius, "0 0 1")
    return moves("M", -radius, "0", *half, radius, "0", *half, -radius, "0 Z")


def _shape(value: int, scale: float, half: float, fill: str) -> str:
    """The outline that a value's badge has: circle, square, shield or hexagon."""
    half *= scale
    if value == 1:
        return circle(0, 0, half, fill)
    if value == 2:
        side = 0.93 * half
        return rectangle(-side, -side, 2 * side, 2 * side, fill, rx=0.22 * half)
    if value == 3:
        return path(_shield(half), fill)
    return path(_rounded(around(0, 0, [1.06 * half] * 6), 0.16 * half), fill)


def _shield(half: float) -> str:
    """Flat above, pointed below."""
    top, shoulder, tip = -0.95 * half, 0.12 * half, 1.06 * half
    corner, edge = 0.2 * half, half - 0.2 * half
    return moves(
        *("M", -edge, top, "L", edge, top, "Q", half, top, half, top + corner, "L", half, shoulder),
        *("C", half, 0.62 * half, 0.5 * half, 0.86 * half, 0.0, tip),
        *("C", -0.5 * half, 0.86 * half, -half, 0.62 * half, -half, shoulder),
        *("L", -half, top + corner, "Q", -half, top, -edge, top, "Z"),
    )


def _rounded(points: list[XY], cut: float) -> str:
    """A polygon with its corners rounded off."""
    parts = []
    for index, (x, y) in enumerate(points):
        ends = []
        for other_x, other_y in (points[index - 1], points[(index + 1) % len(points)]):
            share = cut / math.hypot(other_x - x, other_y - y)
            ends.append((x + share * (other_x - x), y + share * (other_y - y)))
        (start_x, start_y), (end_x, end_y) = ends
        parts.append(f"{number(start_x)} {number(start_y)}Q{number(x)} {number(y)} {number(end_x)} {number(end_y)}")
    return "M" + "L".join(parts) + "Z"


def _is_dark(colour: str) -> bool:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue < 128


def corner_badges(value: int, width: float, height: float, sizes: tuple[float, float], inset: float) -> str:
    """The badges of a card: top left upright, bottom right upside down."""
    first, second = (inset + size / 2 for size in sizes)
    lower = turned(badge(value, sizes[1]), 180)
    return placed(badge(value, sizes[0]), first, first) + placed(lower, width - second, height - second)
