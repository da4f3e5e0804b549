"""What a chaos card shows instead of a railway. All lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Final

from companion.games.drawing.svg import (
    XY,
    around,
    circle,
    group,
    path,
    placed,
    polygon,
    polyline,
    smooth,
    stroke,
)
from companion.games.drawing.svg import turned as turned_by
from tests.vision.random_decks.colours import mixed
from tests.vision.random_decks.style import Chaos, Style


def wreck(style: Style, base: str, random: Random) -> str:
    """The picture in the middle of a chaos card, on a ground of this colour; it has an up and a down."""
    width, height = style.card_mm
    reach = 0.34 * min(width, height)
    return placed(_KINDS[style.chaos](reach, style, base, random), width / 2, height * random.uniform(0.46, 0.52))


def _boulders(reach: float, style: Style, base: str, random: Random) -> str:
    rocks = []
    for _ in range(random.randint(9, 18)):
        x, y = random.gauss(0, 0.4 * reach), random.gauss(0.1, 0.3) * reach
        outline = around(
            x, y, [random.uniform(0.14, 0.3) * reach for _ in range(random.randint(5, 8))], start_degrees=7
        )
        fill = mixed(base, style.line, random.uniform(0.15, 0.6))
        rocks.append(polygon(outline, fill, stroke=style.line, stroke_width=0.4))
    return group(*rocks, *_two_rails(reach, style))


def _two_rails(reach: float, style: Style) -> list[str]:
    ends: list[list[XY]] = [
        [(-reach, 0.7 * reach), (0.8 * reach, -0.9 * reach)],
        [(-0.7 * reach, reach), (reach, -0.5 * reach)],
    ]
    return [stroke(rail, style.track.colour, max(0.6, style.track.rail_mm)) for rail in ends]


def _burst(reach: float, style: Style, base: str, random: Random) -> str:
    points = [reach * random.uniform(0.85, 1.3) if index % 2 else 0.55 * reach for index in range(26)]
    star, inner = around(0, 0, points), around(0, 0, [0.62 * point for point in points], start_degrees=4)
    bits = (
        stroke([(x, y), (1.15 * x, 1.15 * y + 1)], style.line, 0.8)
        for x, y in around(0, 0, [random.uniform(0.9, 1.3) * reach for _ in range(9)], start_degrees=11)
    )
    return group(polygon(star, style.alarm, stroke=style.line, stroke_width=0.5), polygon(inner, base), *bits)


def _whirl(reach: float, style: Style, base: str, random: Random) -> str:
    turns, start = random.uniform(2.5, 4.5), random.uniform(0, 6)
    points = []
    for index in range(120):
        share = index / 119
        angle = start + 2 * math.pi * turns * share
        points.append((1.1 * reach * share * math.cos(angle), 1.1 * reach * share * math.sin(angle)))
    return stroke(points, style.line, 1.4, "round") + stroke(points[60:], style.alarm, 0.6)


def _tangle(reach: float, style: Style, base: str, random: Random) -> str:
    loops = []
    for _ in range(3):
        outline = smooth(around(0, 0.1 * reach, [reach * random.uniform(0.3, 1.2) for _ in range(7)]))
        loops.append(path(outline, stroke=style.track.colour, stroke_width=max(0.7, style.track.rail_mm)))
        loops.append(path(outline, stroke=style.alarm, stroke_width=0.35, stroke_dasharray="1 2"))
    return group(*loops)


def _crossed(reach: float, style: Style, base: str, random: Random) -> str:
    """A piece of track under a large cross."""
    rungs = "".join(
        polyline([(-0.35 * reach, y), (0.35 * reach, y)]) for y in (-0.8 * reach, -0.4 * reach, 0, 0.4 * reach)
    )
    rails = (stroke([(x, -reach), (x, 0.7 * reach)], style.track.colour, 1.0) for x in (-0.22 * reach, 0.22 * reach))
    arms = [[(-reach, -reach * lean), (reach, reach * lean)] for lean in (-1, 1)]
    ladder = group(path(rungs, stroke=style.line, stroke_width=0.9), *rails)
    return turned_by(ladder, random.uniform(-35, 35)) + group(*(stroke(arm, style.alarm, 2.6, "round") for arm in arms))


def _shards(reach: float, style: Style, base: str, random: Random) -> str:
    parts = []
    for index in range(random.randint(14, 26)):
        angle, away = random.uniform(0, 2 * math.pi), reach * math.sqrt(random.random())
        x, y = away * math.cos(angle), away * math.sin(angle)
        outline = around(
            x, y, [random.uniform(0.05, 0.28) * reach for _ in range(3)], start_degrees=random.uniform(0, 360)
        )
        parts.append(polygon(outline, style.alarm if index % 3 == 0 else style.line))
    return group(circle(0, 0, 0.3 * reach, mixed(base, style.line, 0.4)), *parts)


_KINDS: Final[dict[Chaos, Callable[[float, Style, str, Random], str]]] = {
    "boulders": _boulders,
    "burst": _burst,
    "whirl": _whirl,
    "tangle": _tangle,
    "crossed": _crossed,
    "shards": _shards,
}
