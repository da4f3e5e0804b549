"""Tracks as vectors: ballast, sleepers and rails through square cells. All lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from companion.games.drawing.svg import XY, stroke
from companion.games.locomotion.rules.sides import Dot, Passage, Side

CELL_MM: Final = 20.0
BAND_MM: Final = 10.4
"""Width of the ballast."""
GAUGE_MM: Final = 5.6
"""From the middle of one rail to the middle of the other."""
RAIL_MM: Final = 1.1
BALLAST: Final = "#e6dfd1"
SLEEPER: Final = "#a87c57"
SLEEPER_MM: Final = (8.6, 1.7)
RAIL: Final = "#20262d"
OUT: Final = {Side.E: (1, 0), Side.S: (0, 1), Side.W: (-1, 0), Side.N: (0, -1)}
"""The direction across a side."""


def tracks(ways: Sequence[tuple[Dot, Passage]]) -> Iterator[str]:
    """Ballast of all, then sleepers of all, then rails of all: so that turnouts are whole."""
    for dot, way in ways:
        yield stroke(line(dot, way, 0), BALLAST, BAND_MM)
    for dot, way in ways:
        yield from _sleepers(dot, way)
    for dot, way in ways:
        for side in (-GAUGE_MM / 2, GAUGE_MM / 2):
            yield stroke(line(dot, way, side), RAIL, RAIL_MM)


def line(dot: tuple[int, int], way: Passage, aside: float) -> list[XY]:
    """Points along a track through a dot, so far aside of its middle; an arc has many."""
    x, y = middle(dot)
    (first_x, first_y), (last_x, last_y) = (OUT[side] for side in way)
    half = CELL_MM / 2
    if way[0].opposite is way[1]:
        shift_x, shift_y = -last_y * aside, last_x * aside
        ends = ((first_x, first_y), (last_x, last_y))
        return [(x + end_x * half + shift_x, y + end_y * half + shift_y) for end_x, end_y in ends]
    corner = x + (first_x + last_x) * half, y + (first_y + last_y) * half
    radius = half + aside
    steps = 12
    points = []
    for step in range(steps + 1):
        angle = math.pi / 2 * step / steps
        back = -math.cos(angle) * radius, -math.sin(angle) * radius
        points.append(
            (corner[0] + last_x * back[0] + first_x * back[1], corner[1] + last_y * back[0] + first_y * back[1])
        )
    return points


def middle(dot: Dot) -> XY:
    """The middle of a dot's cell, from the corner of the cell (0, 0)."""
    return (dot[0] + 0.5) * CELL_MM, (dot[1] + 0.5) * CELL_MM


def _sleepers(dot: tuple[int, int], way: Passage) -> Iterator[str]:
    length, deep = SLEEPER_MM
    outer, inner = line(dot, way, length / 2), line(dot, way, -length / 2)
    count = 5 if way[0].opposite is way[1] else 4
    for index in range(count):
        share = (index + 0.5) / count * (len(outer) - 1)
        low = min(int(share), len(outer) - 2)
        ends = [_between(edge[low], edge[low + 1], share - low) for edge in (outer, inner)]
        yield stroke(ends, SLEEPER, deep)


def _between(first: XY, second: XY, share: float) -> XY:
    return first[0] + (second[0] - first[0]) * share, first[1] + (second[1] - first[1]) * share
