"""What everything else on a card is printed on: patterns of lines, landscapes, night. All lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Final

from companion.games.drawing.svg import (
    XY,
    circle,
    element,
    group,
    number,
    path,
    polygon,
    polyline,
    rectangle,
    stroke,
    turned,
)
from tests.vision.random_decks.colours import mixed
from tests.vision.random_decks.style import Ground

Size = tuple[float, float]
_BEYOND: Final = 4.0
"""How far patterns reach over the card's edges, so that none ends on it."""


def ground(kind: Ground, size: Size, random: Random) -> str:
    """The ground of a card; those that are woven or painted are left open, and filled in by ``prints``."""
    if kind.kind in OPEN:
        return ""
    bare = rectangle(-1, -1, size[0] + 2, size[1] + 2, kind.base)
    draw = _PATTERNS.get(kind.kind)
    return bare + (draw(kind, size, random) if draw else "")


OPEN: Final = ("watercolour", "grass", "boards", "stone", "linen")
"""Grounds that no line makes."""


def _gradient(kind: Ground, size: Size, random: Random) -> str:
    stops = (
        element("stop", offset=number(offset), stop_color=colour)
        for offset, colour in ((0, kind.base), (0.6, mixed(kind.base, kind.second, 0.6)), (1, kind.second))
    )
    across = (
        {"x1": "0", "y1": "0", "x2": "1", "y2": "1"}
        if kind.degrees > 30
        else {"x1": "0", "y1": "0", "x2": "0", "y2": "1"}
    )
    defined = element("defs", element("linearGradient", *stops, id="fade", **across))
    return defined + rectangle(-1, -1, size[0] + 2, size[1] + 2, "url(#fade)")


def _lines(kind: Ground, size: Size, degrees: float) -> str:
    """Parallel lines all over, in one path."""
    reach = math.hypot(*size) / 2 + _BEYOND
    middle = size[0] / 2, size[1] / 2
    count = int(reach / kind.step_mm)
    places = (middle[1] + index * kind.step_mm for index in range(-count, count + 1))
    data = "".join(f"M{number(middle[0] - reach)} {number(y)}h{number(2 * reach)}" for y in places)
    return turned(path(data, stroke=kind.second, stroke_width=kind.weight_mm), degrees, *middle)


def _hatching(kind: Ground, size: Size, random: Random) -> str:
    return _lines(kind, size, kind.degrees)


def _lattice(kind: Ground, size: Size, random: Random) -> str:
    return _lines(kind, size, kind.degrees) + _lines(kind, size, kind.degrees + 90)


def _dots(kind: Ground, size: Size, random: Random) -> str:
    step, parts = kind.step_mm, []
    for row in range(-1, int(size[1] / step) + 2):
        for column in range(-1, int(size[0] / step) + 2):
            place = (column + 0.5 * (row % 2)) * step, row * step
            parts.append(circle(*place, min(0.35 * step, kind.weight_mm), kind.second))
    return group(*parts)


def _waves(kind: Ground, size: Size, random: Random) -> str:
    """Bands of lines that swing about one another, as on banknotes."""
    parts, length = [], random.uniform(14, 34)
    bands = max(1, round(size[1] / (8 * kind.step_mm)))
    for band in range(bands):
        middle = (band + 0.5) * size[1] / bands
        for turn in range(4):
            points = [
                (x, middle + kind.step_mm * math.sin(2 * math.pi * x / length + turn * math.pi / 2))
                for x in range(-2, round(size[0]) + 3)
            ]
            parts.append(polyline(points))
    return path("".join(parts), stroke=kind.second, stroke_width=kind.weight_mm)


def _rays(kind: Ground, size: Size, random: Random) -> str:
    middle = size[0] * random.uniform(0.3, 0.7), size[1] * random.uniform(0.3, 0.7)
    count = max(8, round(60 / kind.step_mm))
    reach, half = 1.2 * math.hypot(*size), math.pi / count / 2
    rays = []
    for index in range(count):
        angle = 2 * math.pi * index / count
        ends = [
            (middle[0] + reach * math.cos(angle + side * half), middle[1] + reach * math.sin(angle + side * half))
            for side in (-1, 1)
        ]
        rays.append(polygon([middle, *ends], kind.second))
    return group(*rays)


def _contours(kind: Ground, size: Size, random: Random) -> str:
    """Lines of equal height around two or three hills, as on hiking maps."""
    rings = []
    for _ in range(random.randint(2, 3)):
        x, y = random.uniform(0, size[0]), random.uniform(0, size[1])
        swing = [random.gauss(0, 0.12) for _ in range(5)]
        phase = [random.uniform(0, 2 * math.pi) for _ in range(5)]
        for ring in range(1, int(max(size) * 0.55 / kind.step_mm)):
            radius = ring * kind.step_mm
            points = []
            for index in range(40):
                angle = 2 * math.pi * index / 40
                lean = 1 + sum(
                    share * math.sin((order + 1) * angle + start)
                    for order, (share, start) in enumerate(zip(swing, phase, strict=True))
                )
                points.append((x + radius * lean * math.cos(angle), y + radius * lean * math.sin(angle)))
            rings.append(polyline(points) + "Z")
    return path("".join(rings), stroke=kind.second, stroke_width=kind.weight_mm)


def _scales(kind: Ground, size: Size, random: Random) -> str:
    step = max(3.0, 2 * kind.step_mm)
    arcs = []
    for row in range(int(2 * size[1] / step) + 3):
        for column in range(-1, int(size[0] / step) + 2):
            x, y = (column + 0.5 * (row % 2)) * step, row * step / 2
            arcs.append(f"M{number(x)} {number(y)}a{number(step / 2)} {number(step / 2)} 0 0 1 {number(step)} 0")
    return path("".join(arcs), stroke=kind.second, stroke_width=kind.weight_mm)


def _fields(kind: Ground, size: Size, random: Random) -> str:
    """Fields seen from above, each with its furrows."""
    parts, y = [], -2.0
    while y < size[1]:
        deep, x = random.uniform(9, 24), -2.0
        while x < size[0]:
            wide, lean = random.uniform(10, 28), random.uniform(-2, 2)
            corners = [(x, y), (x + wide + lean, y), (x + wide, y + deep), (x - 0.5, y + deep)]
            fill = mixed(mixed(kind.base, kind.second, random.random()), kind.third, random.choice((0, 0, 0.25, 0.5)))
            parts.append(polygon(corners, fill))
            if random.random() < 0.6:
                upright = random.random() < 0.5
                count = int((wide if upright else deep) / kind.step_mm)
                data = "".join(
                    f"M{number(x + (index + 0.5) * kind.step_mm)} {number(y)}v{number(deep)}"
                    if upright
                    else f"M{number(x)} {number(y + (index + 0.5) * kind.step_mm)}h{number(wide)}"
                    for index in range(count)
                )
                parts.append(path(data, stroke=mixed(fill, kind.third, 0.35), stroke_width=kind.weight_mm))
            x += wide
        y += deep
    return group(*parts)


def _hills(kind: Ground, size: Size, random: Random) -> str:
    """Ranges of hills one behind the other, seen from the side, under a sky."""
    width, height = size
    parts = []
    if random.random() < 0.6:
        parts.append(circle(random.uniform(0.15, 0.85) * width, 0.14 * height, random.uniform(3, 8), kind.third))
    layers = random.randint(3, 5)
    for layer in range(layers):
        level = height * (0.25 + 0.75 * layer / layers)
        length, phase, swing = random.uniform(25, 70), random.uniform(0, 7), random.uniform(2, 8)
        ridge: list[XY] = [
            (x, level + swing * math.sin(2 * math.pi * x / length + phase) + 1.2 * math.sin(x / 3 + 2 * phase))
            for x in range(-2, round(width) + 4, 2)
        ]
        fill = mixed(kind.second, kind.third, 0.8 * layer / layers)
        parts.append(
            polygon([*ridge, (width + 3, height + 2), (-3, height + 2)], mixed(kind.base, fill, 0.55 + 0.1 * layer))
        )
    return group(*parts)


def _woodcut(kind: Ground, size: Size, random: Random) -> str:
    """Short strokes of a knife all over, along a flow."""
    data, swing, phase = [], random.uniform(0.3, 1.2), random.uniform(0, 7)
    step = max(1.5, kind.step_mm)
    for row in range(int(size[1] / step) + 2):
        for column in range(int(size[0] / (2.4 * step)) + 2):
            x = (2.4 * column + random.uniform(-0.8, 0.8)) * step
            y = (row + random.uniform(-0.3, 0.3)) * step
            angle = math.radians(kind.degrees) + swing * math.sin(x / 17 + phase) * math.cos(y / 23 + phase)
            half = random.uniform(0.5, 1.25) * step
            across, down = half * math.cos(angle), half * math.sin(angle)
            data.append(f"M{number(x - across)} {number(y - down)}l{number(2 * across)} {number(2 * down)}")
    return path("".join(data), stroke=kind.second, stroke_width=kind.weight_mm, stroke_linecap="round")


def _night(kind: Ground, size: Size, random: Random) -> str:
    """A dark sky with stars over a faint skyline."""
    width, height = size
    stars = (
        circle(random.uniform(0, width), random.uniform(0, height), random.uniform(0.12, 0.3), kind.third)
        for _ in range(random.randint(15, 60))
    )
    skyline: list[XY] = [(-2.0, height + 2)]
    x = -2.0
    while x < width + 2:
        top, wide = height * random.uniform(0.78, 0.93), random.uniform(3, 9)
        skyline += [(x, top), (x + wide, top)]
        x += wide
    return group(*stars, polygon([*skyline, (width + 4, height + 2)], kind.second))


_PATTERNS: Final[dict[str, Callable[[Ground, Size, Random], str]]] = {
    "gradient": _gradient,
    "hatching": _hatching,
    "lattice": _lattice,
    "dots": _dots,
    "waves": _waves,
    "rays": _rays,
    "contours": _contours,
    "scales": _scales,
    "fields": _fields,
    "hills": _hills,
    "woodcut": _woodcut,
    "night": _night,
}


def signature(random: Random, colour: str, width: float) -> str:
    """A scribble as painters sign with, around (0, 0)."""
    points = [(-width / 2 + width * step / 9, random.uniform(-0.9, 0.9)) for step in range(10)]
    return stroke(points, colour, 0.35, "round")
