"""The back of every card, the same either way up."""

from typing import Final

from companion.games.drawing.svg import (
    XY,
    around,
    circle,
    document,
    group,
    path,
    placed,
    polygon,
    rectangle,
    stroke,
    turned,
)

GROUND: Final = "#15304a"
"""The back's colour to the very edge, so also of its bleed."""
_LINE: Final = "#e8b64c"
_PALE: Final = "#f7efdc"
_DEEP: Final = "#0f2438"


def back_svg(size_mm: tuple[float, float]) -> str:
    """The picture of the back: half of it, and the same turned by 180 degrees."""
    width, height = size_mm
    scale = min(width / 63, height / 88)
    middle = width / 2, height / 2
    lattice, seasons = _lattice(width, height), _seasons(width, scale)
    return document(
        width,
        height,
        rectangle(0, 0, width, height, GROUND),
        lattice,
        turned(lattice, 180, *middle),
        seasons,
        turned(seasons, 180, *middle),
        _frame(width, height),
        placed(_ring() + driving_wheel(), *middle, scale=scale),
    )


def driving_wheel() -> str:
    """A spoked wheel of a locomotive around (0, 0), 36 mm across."""
    spokes = (turned(path("M-1.1 -4.5L-.65 -13H.65L1.1 -4.5Z", _PALE), 30 * index) for index in range(12))
    return group(
        circle(0, 0, 19.6, GROUND),
        circle(0, 0, 18.2, _LINE),
        circle(0, 0, 17.4, _DEEP),
        circle(0, 0, 16.4, _PALE),
        circle(0, 0, 13.2, _DEEP),
        *spokes,
        circle(0, 0, 5.4, _PALE),
        circle(0, 0, 3.6, _LINE),
        circle(0, 0, 1.7, _DEEP),
        *(circle(x, y, 0.42, _DEEP) for x, y in around(0, 0, [4.5] * 6)),
    )


def _frame(width: float, height: float) -> str:
    """Two thin lines along the edges."""
    lines = ((2.6, 0.7, 2.6, _LINE), (4.0, 0.25, 1.6, _PALE))
    return group(
        *(
            rectangle(
                inset,
                inset,
                width - 2 * inset,
                height - 2 * inset,
                "none",
                rx=corner,
                stroke=colour,
                stroke_width=thick,
            )
            for inset, thick, corner, colour in lines
        )
    )


def _lattice(width: float, height: float) -> str:
    """Diamonds of thin lines over the ground, so that a camera sees a pattern and no bare patch."""
    step, inset = width / 7, 4.0
    lines = []
    for index in range(-20, 40):
        for lean in (-1, 1):
            offset = index * step
            points = [(x, offset + lean * (x - width / 2) + height / 2 - 10 * step) for x in (inset, width - inset)]
            lines.append(_within(points, inset, height - inset))
    return group(*(stroke(line, _DEEP, 0.5) for line in lines if line))


def _within(points: list[XY], top: float, bottom: float) -> list[XY]:
    """The part of a slanted line between two heights; empty if there is none."""
    (x, y), (end_x, end_y) = points
    if max(y, end_y) <= top or min(y, end_y) >= bottom:
        return []
    clipped = (min(max(down, top), bottom) for down in (y, end_y))
    return [(x + (down - y) * (end_x - x) / (end_y - y), down) for down in clipped]


def _ring() -> str:
    """A railway that runs in a ring around (0, 0)."""
    sleeper = polygon([(-0.75, -27.2), (0.75, -27.2), (0.75, -20.4), (-0.75, -20.4)], "#b98a5e")
    sleepers = (turned(sleeper, 360 / 36 * index) for index in range(36))
    rails = (circle(0, 0, radius, "none", stroke=_PALE, stroke_width=0.9) for radius in (21.9, 25.7))
    return group(circle(0, 0, 28.2, GROUND), *sleepers, *rails)


def _seasons(width: float, scale: float) -> str:
    """A blossom, a sun, a leaf and a snowflake in a row at the top."""
    emblems = (_blossom(), _sun(), _leaf(), _flake())
    places = (width / 2 + offset * scale for offset in (-20.4, -6.8, 6.8, 20.4))
    discs = circle(0, 0, 4.9, GROUND)
    return group(
        *(placed(discs + emblem, x, 10.6 * scale, scale=scale) for x, emblem in zip(places, emblems, strict=True))
    )


def _blossom() -> str:
    petals = (circle(x, y, 1.65, "#f4a9c0") for x, y in around(0, 0, [1.9] * 5, start_degrees=-90))
    return group(*petals, circle(0, 0, 1.25, _LINE))


def _sun() -> str:
    ray = polygon([(-0.6, -2.5), (0.6, -2.5), (0, -4.1)], _LINE)
    return group(*(turned(ray, 36 * index) for index in range(10)), circle(0, 0, 2.1, _LINE))


def _leaf() -> str:
    blade = path("M0 -3.9C2.6 -2.4 2.9 .8 0 3C-2.9 .8 -2.6 -2.4 0 -3.9Z", "#e0763a")
    veins = path("M0 4V-2.2M0 .9L1.3 -.5M0 .9L-1.3 -.5M0 -.7L1 -1.8M0 -.7L-1 -1.8", stroke=GROUND, stroke_width=0.4)
    return turned(blade + veins + path("M0 3V4.1", stroke="#e0763a", stroke_width=0.6), 24)


def _flake() -> str:
    arm = path(
        "M0 0V-3.8M0 -2.3L1.1 -3.4M0 -2.3L-1.1 -3.4", stroke="#d7ebf7", stroke_width=0.65, stroke_linecap="round"
    )
    return group(*(turned(arm, 60 * index) for index in range(6)))
