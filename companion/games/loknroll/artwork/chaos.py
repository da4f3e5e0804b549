"""A chaos card: night, a heap of boulders with twisted rails in it, and a border of hazard stripes."""

import math
from random import Random
from typing import Final

from companion.games.drawing.svg import (
    XY,
    around,
    circle,
    ellipse,
    group,
    moves,
    number,
    path,
    placed,
    polygon,
    rectangle,
    stroke,
    turned,
)
from companion.games.loknroll.artwork.palette import INK, RAIL, SEASONS, SLEEPER, SLEEPER_SHADE, WARNING

STRIPES_MM: Final = 4.4
"""Width of the hazard border."""
_ROCKS: Final = (
    ("#6d6a72", "#8d8a92", "#b4b1b8"),
    ("#5c5960", "#7b7880", "#a19ea6"),
    ("#7b7169", "#9c9188", "#c2b8ae"),
)
_STEEL: Final = ("#c9d2da", "#f1f5f8")


def chaos_picture(value: int, width: float, height: float, rng: Random) -> str:
    """Everything but the badges."""
    middle = width / 2, height / 2
    return group(
        _night(value, width, height, rng),
        hazard_border(width, height),
        ellipse(middle[0], middle[1] + 11, 25, 15, "#000000", fill_opacity=0.35),
        *(_rail_piece(middle, rng, number) for number in range(3)),
        _heap(middle, rng),
        *(_rail_piece(middle, rng, number) for number in range(3, 6)),
        *(_plank(middle, rng) for _ in range(5)),
        _pebbles(middle, rng),
    )


def hazard_border(width: float, height: float) -> str:
    """Slanted black and yellow stripes all around."""
    deep = STRIPES_MM
    return group(
        path(
            moves(
                "M0 0 H",
                width,
                "V",
                height,
                "H0 Z M",
                deep,
                deep,
                "V",
                height - deep,
                "H",
                width - deep,
                "V",
                deep,
                "Z",
            ),
            WARNING,
            fill_rule="evenodd",
        ),
        *_stripes(width, deep),
        group(*_stripes(width, deep), transform=f"translate({number(width)} {number(height)}) rotate(180)"),
        group(*_stripes(height, deep), transform=f"translate({number(width)} 0) rotate(90)"),
        group(*_stripes(height, deep), transform=f"translate(0 {number(height)}) rotate(-90)"),
        rectangle(deep, deep, width - 2 * deep, height - 2 * deep, "none", stroke=INK, stroke_width=0.7),
    )


def _stripes(length: float, deep: float) -> list[str]:
    """Black stripes along an edge that starts at (0, 0) and runs to the right."""
    count = max(2, round(length / 7.4))
    step = length / count
    return [
        polygon(
            _clipped(
                [(left, deep), (left + deep, 0), (left + deep + step / 2, 0), (left + step / 2, deep)], length, deep
            ),
            INK,
        )
        for left in (index * step - deep / 2 for index in range(count))
    ]


def _clipped(points: list[XY], length: float, deep: float) -> list[XY]:
    """The part of a stripe that belongs to this edge, mitred towards both corners."""
    return [(min(max(x, y), length - y), y) for x, y in points if deep >= y]


def _night(value: int, width: float, height: float, rng: Random) -> str:
    """Dark ground with the flash of the crash on it."""
    season = SEASONS[value]
    flashes = []
    for reach, opacity in ((36, 0.13), (29, 0.2)):
        radii = [reach * (rng.uniform(0.86, 1.05) if index % 2 else rng.uniform(0.55, 0.66)) for index in range(22)]
        star = around(width / 2, height / 2, radii, start_degrees=rng.uniform(0, 16))
        inside = [
            (min(max(x, STRIPES_MM), width - STRIPES_MM), min(max(y, STRIPES_MM), height - STRIPES_MM)) for x, y in star
        ]
        flashes.append(polygon(inside, season.accent, fill_opacity=opacity))
    specks = (
        circle(
            rng.uniform(6, width - 6),
            rng.uniform(6, height - 6),
            rng.uniform(0.2, 0.6),
            season.accent,
            fill_opacity=0.6,
        )
        for _ in range(46)
    )
    return group(rectangle(0, 0, width, height, season.night), *flashes, *specks)


def _heap(middle: XY, rng: Random) -> str:
    """Boulders, large ones below."""
    boulders = []
    for down, count, reach, size in ((11, 5, 19, 7.0), (3, 4, 15, 6.8), (-5, 3, 10, 6.2), (-12, 2, 5, 5.4)):
        for index in range(count):
            across = reach * (2 * (index + 0.5) / count - 1) + rng.uniform(-1.4, 1.4)
            boulders.append((down + rng.uniform(-1.2, 1.2), across, size * rng.uniform(0.86, 1.12)))
    return group(
        *(
            placed(boulder(radius, rng), middle[0] + across, middle[1] + down)
            for down, across, radius in sorted(boulders)
        )
    )


def boulder(radius: float, rng: Random) -> str:
    """A rock with a lit and a shaded side."""
    dark, middle, light = rng.choice(_ROCKS)
    count = rng.randint(6, 8)
    start = rng.uniform(0, 1)
    outline = [
        (
            radius * rng.uniform(0.88, 1.08) * math.cos(start + 2 * math.pi * index / count),
            0.9 * radius * rng.uniform(0.88, 1.08) * math.sin(start + 2 * math.pi * index / count),
        )
        for index in range(count)
    ]
    peak = (-0.2 * radius, -0.25 * radius)
    facets = []
    for index, corner in enumerate(outline):
        following = outline[(index + 1) % count]
        facing = (corner[0] + following[0]) / 2 + (corner[1] + following[1]) / 2 * 1.3
        fill = light if facing < -0.55 * radius else middle if facing < 0.5 * radius else dark
        facets.append(polygon([corner, following, peak], fill, stroke=fill, stroke_width=0.15))
    return group(polygon(outline, dark, stroke=INK, stroke_width=0.7, stroke_linejoin="round"), *facets)


def _rail_piece(middle: XY, rng: Random, index: int) -> str:
    """A torn rail, bent out of the heap."""
    side = 1 if index % 2 else -1
    start = middle[0] + side * rng.uniform(1, 6), middle[1] + rng.uniform(-4, 8)
    lean, curl = rng.uniform(0.35, 1.1), rng.uniform(0.3, 0.8) * rng.choice((-1, 1))
    points = []
    for step in range(9):
        reach, angle = 2.6 * step, -math.pi / 2 + side * (lean + curl * (step / 8) ** 2)
        points.append((start[0] + reach * math.cos(angle), start[1] + reach * math.sin(angle)))
    points = [(min(max(x, 6.5), 2 * middle[0] - 6.5), max(y, 7)) for x, y in points]
    return (
        stroke(points, RAIL, 2.6, "round")
        + stroke(points, _STEEL[0], 1.7, "round")
        + stroke(points, _STEEL[1], 0.5, "round")
    )


def _plank(middle: XY, rng: Random) -> str:
    """A splintered sleeper."""
    long, wide = rng.uniform(3.6, 5.4), 1.15
    outline = [
        (-long, -wide),
        (long * 0.8, -wide),
        (long * 0.62, -0.2),
        (long, 0.2),
        (long * 0.75, wide),
        (-long * 0.9, wide),
        (-long * 1.15, 0.1),
    ]
    drawing = polygon(outline, SLEEPER, stroke=INK, stroke_width=0.45, stroke_linejoin="round") + stroke(
        [(-long * 0.8, 0.45), (long * 0.6, 0.45)], SLEEPER_SHADE, 0.5
    )
    x, y = middle[0] + rng.uniform(-15, 15), middle[1] + rng.uniform(-6, 15)
    return placed(turned(drawing, rng.uniform(-60, 60)), x, y)


def _pebbles(middle: XY, rng: Random) -> str:
    drawn = []
    for _ in range(14):
        angle, reach = rng.uniform(0.1, math.pi - 0.1), rng.uniform(19, 23)
        drawn.append(
            placed(
                boulder(rng.uniform(0.8, 1.7), rng),
                middle[0] + reach * math.cos(angle),
                middle[1] + 4 + 0.72 * reach * math.sin(angle),
            )
        )
    return group(*drawn)
