"""Trees, houses, rocks and ornaments beside the railway. All lengths in mm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import numpy as np

from companion.games.drawing.svg import (
    around,
    circle,
    ellipse,
    group,
    path,
    placed,
    polygon,
    rectangle,
    smooth,
    stroke,
    turned,
)
from companion.games.loknroll.artwork.centre_line import CentreLine
from tests.vision.random_decks.colours import mixed
from tests.vision.random_decks.style import Scenery, Style

Disc = tuple[float, float, float]
"""Something round that nothing may lie on: its middle and its radius."""


def scenery(style: Style, line: CentreLine | None, taken: Sequence[Disc], random: Random) -> str:
    """Things strewn over a card, off its track and off its marks."""
    if style.scenery == "none":
        return ""
    width, height = style.card_mm
    margin = 3.5 if style.frame is None else style.frame.inset_mm + style.frame.width_mm + 3
    track = [] if line is None else [(spot.x, spot.y, style.track.width_mm / 2) for spot in line.spots]
    if line is not None and len(track) == 2:  # straight: only its ends are told
        track = [(*line.at(line.length * step / 40).beside(0), style.track.width_mm / 2) for step in range(41)]
    kept = np.array([*track, *taken] or [(-99.0, -99.0, 0.0)])
    drawn = []
    for _ in range(style.crowd):
        size = random.uniform(0.6, 1.35)
        x, y = random.uniform(margin, width - margin), random.uniform(margin, height - margin)
        drawing = _THINGS[style.scenery](style.scenery_colours, random)
        if (np.hypot(kept[:, 0] - x, kept[:, 1] - y) - kept[:, 2] < 2.6 * size).any():
            continue
        kept = np.vstack([kept, (x, y, 1.6 * size)])
        drawn.append((y, placed(drawing, x, y, scale=size)))
    return group(*(drawing for _, drawing in sorted(drawn)))


def _tree(colours: tuple[str, str], random: Random) -> str:
    crown = smooth(around(0, 0, [random.uniform(2.0, 2.9) for _ in range(8)]))
    return path(crown, colours[0]) + circle(-0.7, -0.8, 1.1, mixed(colours[0], colours[1], 0.5))


def _fir(colours: tuple[str, str], random: Random) -> str:
    tiers = (polygon([(-1.8 + 0.3 * row, 1.6 - 1.5 * row), (0, -1.4 - 1.5 * row), (1.8 - 0.3 * row, 1.6 - 1.5 * row)],
                     colours[0]) for row in range(3))  # fmt: skip
    return rectangle(-0.35, 1.4, 0.7, 1.3, colours[1]) + group(*tiers)


def _house(colours: tuple[str, str], random: Random) -> str:
    wide = random.uniform(1.6, 2.6)
    walls = rectangle(-wide, -0.8, 2 * wide, 2.8, colours[1])
    roof = polygon([(-wide - 0.5, -0.8), (0, -2.7), (wide + 0.5, -0.8)], colours[0])
    return walls + roof + rectangle(-0.5, 0.4, 1.0, 1.6, colours[0])


def _rock(colours: tuple[str, str], random: Random) -> str:
    outline = around(0, 0, [random.uniform(1.1, 2.4) for _ in range(6)], flat=0.7)
    return polygon(outline, colours[1], stroke=colours[0], stroke_width=0.35)


def _flower(colours: tuple[str, str], random: Random) -> str:
    petals = (circle(x, y, 0.75, colours[0]) for x, y in around(0, 0, [1.15] * 5, start_degrees=random.uniform(0, 72)))
    return group(*petals, circle(0, 0, 0.7, colours[1]))


def _star(colours: tuple[str, str], random: Random) -> str:
    points = random.choice((4, 5, 6))
    return polygon(around(0, 0, [1.6, 0.6] * points, start_degrees=-90), random.choice(colours))


def _cloud(colours: tuple[str, str], random: Random) -> str:
    puffs = (
        circle(x, -0.5 * (index % 2), random.uniform(0.9, 1.5), colours[1])
        for index, x in enumerate((-1.8, -0.5, 0.8, 1.9))
    )
    return ellipse(0, 0.4, 3, 0.9, colours[1]) + group(*puffs)


def _sprig(colours: tuple[str, str], random: Random) -> str:
    """A twig with leaves, in thin lines."""
    leaves = (
        stroke([(0, 1.5 - 1.3 * row), (side * 1.2, 0.6 - 1.3 * row)], colours[0], 0.35)
        for row in range(3)
        for side in (-1, 1)
    )
    return turned(group(stroke([(0, 2.2), (0, -2.4)], colours[0], 0.35), *leaves), random.uniform(-60, 60))


_THINGS: Final[dict[Scenery, Callable[[tuple[str, str], Random], str]]] = {
    "trees": _tree,
    "firs": _fir,
    "houses": _house,
    "rocks": _rock,
    "flowers": _flower,
    "stars": _star,
    "clouds": _cloud,
    "sprigs": _sprig,
}
