"""Rectangles of the table, and points turned about its origin."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle along the axes: its centre and half of its sides, in mm."""

    x: float
    y: float
    half_width: float
    half_height: float


class Area(NamedTuple):
    """The part of the table that can be used: its corner with the smallest x and y, and its size, in mm."""

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float

    def holds(self, box: Box, angle_deg: float = 0.0) -> bool:
        """Whether a rectangle of a railway's frame that is turned by this angle lies within the area."""
        sine, cosine = _sine_and_cosine(angle_deg)
        x, y = cosine * box.x - sine * box.y, sine * box.x + cosine * box.y
        # How far its corners reach: games of the automaton ask this thousands of times.
        across = abs(cosine) * box.half_width + abs(sine) * box.half_height
        down = abs(sine) * box.half_width + abs(cosine) * box.half_height
        return (
            self.x_mm <= x - across
            and x + across <= self.x_mm + self.width_mm
            and self.y_mm <= y - down
            and y + down <= self.y_mm + self.height_mm
        )


def turned(point: tuple[float, float], degrees: float) -> tuple[float, float]:
    """A point in mm turned clockwise around the origin."""
    sine, cosine = _sine_and_cosine(degrees)
    return cosine * point[0] - sine * point[1], sine * point[0] + cosine * point[1]


@lru_cache(maxsize=8)  # a railway lies askew by one angle, which is asked thousands of times
def _sine_and_cosine(degrees: float) -> tuple[float, float]:
    return math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
