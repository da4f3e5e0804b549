"""Emma as a paper locomotive: a low boiler and a high cab in one net, and her chimney. All lengths in mm."""

from __future__ import annotations

from typing import Final

from companion.games.drawing.marks import CUT, fold, tab
from companion.games.drawing.svg import (
    XY,
    circle,
    document,
    element,
    group,
    number,
    placed,
    polygon,
    rectangle,
    stroke,
)

LONG: Final = 36.0
WIDE: Final = 15.0
HIGH: Final = 22.0
BOILER_HIGH: Final = 14.0
CAB_LONG: Final = 13.0
CHIMNEY: Final = (4.5, 8.0)
"""Side and height of the square chimney."""

_BLACK, _LIGHT, _GLASS, _LAMP, _RED = "#17191c", "#f4ead2", "#ffd97a", "#ffe9a8", "#c8261d"
_REAR, _FRONT = HIGH, HIGH + LONG
_BOILER = _FRONT + BOILER_HIGH
_CAB = _BOILER + LONG - CAB_LONG
_ROOF = _CAB + HIGH - BOILER_HIGH
_END = _ROOF + CAB_LONG
_TAB_DEEP = 4.0
SHEET_MM: Final = (_END + 2 * _TAB_DEEP, WIDE + 2 * HIGH + 2 * _TAB_DEEP)
"""Width and height of the net with its tabs."""


def emma_net() -> str:
    """The net: back, bottom, front, boiler, cab front and roof in a strip, the sides beside the bottom."""
    side = group(*_side())
    drawing = group(
        *(placed_tab for placed_tab in _tabs()),
        rectangle(0, 0, _END, WIDE, _BLACK),
        rectangle(_REAR + 0.3, 0.3, LONG - 0.6, WIDE - 0.6, "#ffffff"),
        side,
        group(side, transform=f"translate(0 {number(WIDE)}) scale(1 -1)"),
        _back(),
        _front(),
        _boiler_top(),
        _cab_front(),
        _roof(),
        *_folds(),
        _outline(),
    )
    return document(*SHEET_MM, placed(drawing, _TAB_DEEP, HIGH + _TAB_DEEP))


def chimney_net() -> str:
    """A square tube with four feet to glue it onto the boiler."""
    side, high = CHIMNEY
    feet = [
        tab([(x, high), (x + side, high), (x + side - 0.8, high + 2.6), (x + 0.8, high + 2.6)])
        for x in (index * side for index in range(4))
    ]
    flap = tab([(4 * side, 0.4), (4 * side + 3, 1), (4 * side + 3, high - 1), (4 * side, high - 0.4)])
    folds = (fold([(index * side, 0), (index * side, high)], _LIGHT) for index in (1, 2, 3))
    drawing = group(
        *feet,
        flap,
        rectangle(0, 0, 4 * side, high, _BLACK, **CUT),
        rectangle(0, 0.9, 4 * side, 1.1, _LIGHT),
        *folds,
        fold([(0, high), (4 * side, high)], "#000000"),
        fold([(4 * side, 0), (4 * side, high)], "#000000"),
    )
    return document(4 * side + 4, high + 4, placed(drawing, 0.5, 0.5))


def _side() -> list[str]:
    """The left side, upright: its bottom edge at y = 0, its front on the right."""
    cab = _REAR + CAB_LONG
    wheels = [(_REAR + 8.2, 5.0), (_REAR + 19.4, 5.0), (_REAR + 29.8, 3.7)]
    return [
        polygon(_side_outline(), _BLACK),
        rectangle(cab + 1.6, -12.6, LONG - CAB_LONG - 3.0, 0.7, _LIGHT),
        rectangle(cab + 1.6, -8.2, LONG - CAB_LONG - 3.0, 0.4, _LIGHT),
        *(rectangle(x, -12.6, 0.5, 4.6, _LIGHT) for x in (cab + 7.4, cab + 14.6)),
        rectangle(_REAR + 2.6, -18.6, CAB_LONG - 5.2, 5.6, _GLASS, rx=0.8, stroke=_LIGHT, stroke_width=0.6),
        rectangle(_REAR + 6.2, -18.6, 0.5, 5.6, _LIGHT),
        rectangle(_REAR + 1.4, -11.6, CAB_LONG - 2.8, 3.6, "none", stroke=_LIGHT, stroke_width=0.35),
        *(_wheel(x, radius) for x, radius in wheels),
        stroke([(_REAR + 8.2, -4.2), (_REAR + 19.4, -4.2)], _RED, 1.1, "round"),
        rectangle(_FRONT - 2.4, -4.6, 2.4, 2.0, _RED),
    ]


def _wheel(x: float, radius: float) -> str:
    spokes = (
        stroke(
            [(x - radius * dx, -radius - 0.4 - radius * dy), (x + radius * dx, -radius - 0.4 + radius * dy)],
            _LIGHT,
            0.35,
        )
        for dx, dy in ((0.8, 0), (0, 0.8), (0.56, 0.56), (0.56, -0.56))
    )
    hub = -radius - 0.4
    return group(
        circle(x, hub, radius, "#2b2e33"),
        circle(x, hub, radius - 0.5, "none", stroke=_LIGHT, stroke_width=0.6),
        *spokes,
        circle(x, hub, 0.9, _LIGHT),
    )


def _side_outline() -> list[XY]:
    cab = _REAR + CAB_LONG
    return [(_REAR, 0), (_REAR, -HIGH), (cab, -HIGH), (cab, -BOILER_HIGH), (_FRONT, -BOILER_HIGH), (_FRONT, 0)]


def _back() -> str:
    """Seen with its top on the left."""
    return rectangle(3.4, 2.4, 5.6, WIDE - 4.8, _GLASS, rx=0.8, stroke=_LIGHT, stroke_width=0.6) + rectangle(
        _REAR - 4.6, 1.4, 2.0, WIDE - 2.8, _RED
    )


def _front() -> str:
    """Seen with its bottom on the left: a red beam with buffers, the round smoke box, a lamp."""
    middle = WIDE / 2
    return group(
        rectangle(_FRONT + 2.6, 0.8, 2.0, WIDE - 1.6, _RED),
        *(circle(_FRONT + 3.6, y, 1.3, _LIGHT) for y in (3.0, WIDE - 3.0)),
        circle(_FRONT + 9.0, middle, 3.9, "#2b2e33", stroke=_LIGHT, stroke_width=0.6),
        circle(_FRONT + 9.0, middle, 1.5, _LAMP),
    )


def _boiler_top() -> str:
    """Light bands across the boiler, and the place of the chimney."""
    side, middle = CHIMNEY[0], WIDE / 2
    left = _BOILER + 4.0
    place = rectangle(
        left, middle - side / 2, side, side, "none", stroke=_LIGHT, stroke_width=0.3, stroke_dasharray="0.8 0.6"
    )
    bands = (rectangle(_BOILER + x, 0, 0.8, WIDE, _LIGHT) for x in (1.6, 11.2, 21.0))
    dome = circle(_BOILER + 16.4, middle, 2.6, _LAMP, stroke=_LIGHT, stroke_width=0.5)
    return group(*bands, place, dome)


def _cab_front() -> str:
    return "".join(
        rectangle(_CAB + 2.4, y, 3.4, 3.6, _GLASS, rx=0.6, stroke=_LIGHT, stroke_width=0.5) for y in (2.2, WIDE - 5.8)
    )


def _roof() -> str:
    """An arrow that points forwards, which is to the left on the net."""
    x, y = _ROOF + CAB_LONG / 2, WIDE / 2
    arrow = [(-4.8, 0.0), (0.4, -5.0), (0.4, -2.0), (4.6, -2.0), (4.6, 2.0), (0.4, 2.0), (0.4, 5.0)]
    frame = rectangle(_ROOF + 0.7, 0.7, CAB_LONG - 1.4, WIDE - 1.4, "none", stroke=_LIGHT, stroke_width=0.5)
    return frame + polygon([(x + right, y + down) for right, down in arrow], _LIGHT)


def _tabs() -> list[str]:
    """Where glue goes: around both sides and at the end of the roof."""
    cab, deep, taper = _REAR + CAB_LONG, _TAB_DEEP, 1.6
    upper = [
        [(_REAR, -0.6), (_REAR - deep, -taper - 0.6), (_REAR - deep, taper - HIGH), (_REAR, -HIGH)],
        [(_REAR, -HIGH), (_REAR + taper, -HIGH - deep), (cab - taper, -HIGH - deep), (cab, -HIGH)],
        [
            (cab, -HIGH),
            (cab + 3.2, 1.2 - HIGH),
            (cab + 3.2, -BOILER_HIGH - deep - 0.3),
            (cab, -BOILER_HIGH - deep + 0.2),
        ],
        [
            (cab + 0.4, -BOILER_HIGH),
            (cab + taper, -BOILER_HIGH - deep + 0.4),
            (_FRONT - taper, -BOILER_HIGH - deep + 0.4),
            (_FRONT, -BOILER_HIGH),
        ],
        [(_FRONT, -BOILER_HIGH), (_FRONT + deep, taper - BOILER_HIGH), (_FRONT + deep, -taper - 0.6), (_FRONT, -0.6)],
    ]
    end: list[XY] = [(_END, 0.3), (_END + deep, taper), (_END + deep, WIDE - taper), (_END, WIDE - 0.3)]
    both = [*upper, *([(x, WIDE - y) for x, y in points] for points in upper), end]
    return [tab(points) for points in both]


def _folds() -> list[str]:
    """Dashed lines, light where they run over black."""
    across = (_REAR, _FRONT, _BOILER, _CAB, _ROOF)
    folds = [fold([(x, 0), (x, WIDE)], _LIGHT if x > _FRONT else "#000000") for x in across]
    cab = _REAR + CAB_LONG
    edges: list[list[XY]] = [
        [(_REAR, 0), (_FRONT, 0)],
        [(_REAR, 0), (_REAR, -HIGH), (cab, -HIGH), (cab, -BOILER_HIGH), (_FRONT, -BOILER_HIGH), (_FRONT, 0)],
    ]
    for edge in edges:
        folds += [fold(edge, "#9aa0a6"), fold([(x, WIDE - y) for x, y in edge], "#9aa0a6")]
    return [*folds, fold([(_END, 0), (_END, WIDE)], "#9aa0a6")]


def _outline() -> str:
    """The cut edges of the strip that have no tab."""
    cuts: list[list[XY]] = [
        [(_REAR, 0), (0, 0), (0, WIDE), (_REAR, WIDE)],
        [(_FRONT, 0), (_END, 0)],
        [(_FRONT, WIDE), (_END, WIDE)],
    ]
    return element("g", *(stroke(cut, "#000000", 0.25) for cut in cuts))
