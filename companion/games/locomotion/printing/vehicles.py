"""Wagons and locomotives of paper, to be cut out, folded and glued: hoods, open below. All lengths in mm."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

from companion.games.drawing.marks import CUT, fold, tab
from companion.games.drawing.svg import XY, circle, document, group, path, placed, polygon, polyline, rectangle, turned
from companion.games.locomotion.artwork.vehicles import (
    BOILER,
    BRASS,
    COLOURS,
    INK,
    LIGHT,
    locomotive_sign,
    wagon_sign,
)

WAGONS: Final = 4
"""Of each colour (LMAT1)."""
LONG: Final = 15.0
WIDE: Final = 9.4
"""Just so long and wide that a vehicle may be turned on its dot without leaving its cell."""
HIGH: Final = 9.0
"""Of a wagon and of a locomotive's boiler: enough for two fingers."""
CAB_HIGH: Final = 13.0
CAB_LONG: Final = 7.0
NOSE_WIDE: Final = 5.0
"""A locomotive is told from a wagon by its high cab and by the pointed dark boiler before it."""
_BOILER_LONG: Final = LONG - CAB_LONG
_SLANT: Final = math.hypot(_BOILER_LONG, (WIDE - NOSE_WIDE) / 2)
_STEP: Final = CAB_HIGH - HIGH
_TAB, _TAPER = 3.0, 1.2
_CHASSIS: Final = 2.2
_GLASS: Final = "#ffe9a8"
_SIGN: Final = 0.9
"""The size of signs beside that of drawn networks."""


def wagon_net(colour: int) -> str:
    """Side, end, side and end in a strip, and the top above the first side."""
    ends = 0.0, LONG, LONG + WIDE, 2 * LONG + WIDE, 2 * (LONG + WIDE)
    side = _panel(LONG, HIGH, COLOURS[colour]) + _wagon_side(colour)
    end = _panel(WIDE, HIGH, COLOURS[colour]) + _buffers(WIDE, COLOURS[colour])
    top = rectangle(0, -WIDE, LONG, WIDE, COLOURS[colour])
    sign = placed(wagon_sign(colour), LONG / 2, -WIDE / 2, scale=_SIGN)
    outline: list[XY] = [(0, 0), (0, HIGH), (ends[4], HIGH), (ends[4], 0), (LONG, 0), (LONG, -WIDE), (0, -WIDE), (0, 0)]
    drawing = group(
        _tab((0, 0), (0, -WIDE)),
        _tab((0, -WIDE), (LONG, -WIDE)),
        _tab((LONG, -WIDE), (LONG, 0)),
        _tab((ends[4], 0), (ends[4], HIGH)),
        *(placed(panel, x, 0) for panel, x in zip((side, end, side, end), ends, strict=False)),
        top,
        sign,
        path(f"{polyline(outline)}Z", "none", **CUT),
        *(fold([(x, 0), (x, HIGH)], LIGHT if x < ends[4] else INK) for x in ends[1:]),
        *(fold(line, INK) for line in ([(0, 0), (LONG, 0)], [(0, 0), (0, -WIDE), (LONG, -WIDE), (LONG, 0)])),
    )
    return _net(drawing, ends[4] + _TAB, _TAB, _TAB + WIDE, HIGH)


def locomotive_net(colour: int) -> str:
    """Back, right side, nose and left side in a strip; roof, the cab's front and the boiler's top above the back."""
    paint = COLOURS[colour]
    widths = (WIDE, CAB_LONG, _SLANT, NOSE_WIDE, _SLANT, CAB_LONG)
    at = [sum(widths[:index]) for index in range(len(widths) + 1)]
    cab = _panel(CAB_LONG, CAB_HIGH, paint) + _window(1.5, 2.2, CAB_LONG - 3, 3.4)
    boiler = _panel(_SLANT, HIGH, BOILER) + _boiler_side(paint)
    back = _panel(WIDE, CAB_HIGH, paint) + _window(2.4, 2.2, WIDE - 4.8, 3.4) + placed(_buffers(WIDE, paint), 0, _STEP)
    panels = ((back, 0), (cab, 0), (boiler, _STEP), (_nose(paint), _STEP), (boiler, _STEP), (cab, 0))
    drawing = group(
        *_locomotive_tabs(at),
        *(placed(panel, x, y) for (panel, y), x in zip(panels, at, strict=False)),
        *_locomotive_top(colour),
        path(f"{polyline(_locomotive_outline(at))}Z", "none", **CUT),
        *(fold([(x, 0 if x in {at[1], at[6]} else _STEP), (x, CAB_HIGH)], LIGHT) for x in at[1:6]),
        fold([(at[6], 0), (at[6], CAB_HIGH)], INK),
        *(fold([(0, y), (WIDE, y)], INK) for y in (0, -CAB_LONG, -CAB_LONG - _STEP)),
    )
    return _net(drawing, at[6] + _TAB, _TAB, CAB_LONG + _STEP + _BOILER_LONG + _TAB, CAB_HIGH)


def _net(drawing: str, right: float, left: float, above: float, below: float) -> str:
    """A picture of a net that reaches so far from its (0, 0), with room for its outline."""
    return document(left + right + 0.4, above + below + 0.4, placed(drawing, left + 0.2, above + 0.2))


def _tab(start: XY, end: XY) -> str:
    """A tab on the left of who goes from start to end, with slanting ends."""
    length = math.dist(start, end)
    on_x, on_y = (end[0] - start[0]) / length, (end[1] - start[1]) / length

    def at(along: float, aside: float) -> XY:
        return start[0] + on_x * along + on_y * aside, start[1] + on_y * along - on_x * aside

    return tab([at(0.3, 0), at(_TAPER, _TAB), at(length - _TAPER, _TAB), at(length - 0.3, 0)])


def _panel(width: float, high: float, colour: str) -> str:
    """A wall above a dark chassis."""
    return rectangle(0, 0, width, high, colour) + rectangle(0, high - _CHASSIS, width, _CHASSIS, INK)


def _wagon_side(colour: int) -> str:
    """Wheels, and the sign as it is on the top."""
    sign = placed(wagon_sign(colour), LONG / 2, (HIGH - _CHASSIS) / 2, scale=0.75)
    return sign + "".join(_wheel(x, HIGH - 1.7, 1.4) for x in (3.4, LONG - 3.4))


def _wheel(x: float, y: float, radius: float) -> str:
    return circle(x, y, radius, LIGHT) + circle(x, y, radius - 0.4, INK) + circle(x, y, 0.35, LIGHT)


def _buffers(width: float, colour: str) -> str:
    """What an end has at its foot, on a beam."""
    beam = rectangle(0.7, HIGH - _CHASSIS - 0.3, width - 1.4, 1.6, colour, stroke=INK, stroke_width=0.4)
    return beam + "".join(circle(x, HIGH - _CHASSIS + 0.5, 0.8, LIGHT) for x in (width / 4, width * 3 / 4))


def _window(x: float, y: float, width: float, high: float) -> str:
    return rectangle(x, y, width, high, _GLASS, rx=0.6, stroke=INK, stroke_width=0.5)


def _boiler_side(colour: str) -> str:
    bands = (rectangle(x, 0.6, 0.6, HIGH - _CHASSIS - 1.4, LIGHT) for x in (1.2, _SLANT - 1.8))
    rod = rectangle(2.0, HIGH - 2.1, _SLANT - 4, 0.8, colour)
    return group(*bands, *(_wheel(x, HIGH - 1.9, 1.6) for x in (2.0, _SLANT - 2.0)), rod)


def _nose(colour: str) -> str:
    middle = NOSE_WIDE / 2
    smokebox = circle(middle, 3.2, 2.0, INK, stroke=LIGHT, stroke_width=0.4) + circle(middle, 3.2, 0.8, _GLASS)
    return _panel(NOSE_WIDE, HIGH, BOILER) + smokebox + _buffers(NOSE_WIDE, colour)


def _locomotive_top(colour: int) -> list[str]:
    """Roof with its sign, windows, and the dark boiler with chimney and dome, upwards along the net."""
    paint, middle = COLOURS[colour], WIDE / 2
    sign = turned(placed(locomotive_sign(colour), 0, 0, scale=_SIGN), -90)
    foot = -CAB_LONG - _STEP
    return [
        rectangle(0, -CAB_LONG, WIDE, CAB_LONG, paint),
        placed(sign, middle, -CAB_LONG / 2),
        rectangle(0, foot, WIDE, _STEP, paint),
        *(_window(x, foot + 0.9, 2.6, _STEP - 1.9) for x in (1.2, WIDE - 3.8)),
        polygon(_boiler_top(), BOILER),
        circle(middle, foot - 5.2, 1.7, INK),
        circle(middle, foot - 5.2, 1.0, LIGHT),
        circle(middle, foot - 2.2, 0.9, BRASS),
    ]


def _boiler_top() -> list[XY]:
    foot, aside = -CAB_LONG - _STEP, (WIDE - NOSE_WIDE) / 2
    return [(0, foot), (aside, foot - _BOILER_LONG), (WIDE - aside, foot - _BOILER_LONG), (WIDE, foot)]


def _locomotive_tabs(at: list[float]) -> list[str]:
    top = _boiler_top()
    edges: list[tuple[XY, XY]] = [((0, 0), (0, -CAB_LONG)), ((WIDE, -CAB_LONG), (WIDE, 0)), *pairwise(top)]
    return [_tab(*edge) for edge in (*edges, ((at[6], 0), (at[6], CAB_HIGH)))]


def _locomotive_outline(at: list[float]) -> list[XY]:
    walls: list[XY] = [(at[6], CAB_HIGH), (at[6], 0), (at[5], 0), (at[5], _STEP), (at[2], _STEP), (at[2], 0), (WIDE, 0)]
    return [(0, CAB_HIGH), *walls, (WIDE, -CAB_LONG - _STEP), *_boiler_top()[::-1], (0, 0)]
