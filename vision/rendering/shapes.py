"""Flat polygons, and the shapes that things on a table are built of. All lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Points
from vision.cards import Pose

Colour = tuple[int, int, int]
_BEFORE_MM: Final = 0.05
"""A print is drawn as if it lay so far before what it is printed on."""


class Polygon(NamedTuple):
    """A flat polygon: its corners (n × 3, mm, z into the table), its outward normal, and its colour (R, G, B).

    ``bearer`` is a point just before the middle of what it is printed on, if it is: so it is drawn after that.
    """

    corners: Points
    normal: Points
    colour: Colour
    bearer: Points | None = None


def moved(polygons: Iterable[Polygon], pose: Pose, ground_mm: float) -> Iterator[Polygon]:
    """Polygons built around the origin with heights upwards, put onto the table."""
    angle = math.radians(pose.rotation_deg)
    turn = np.array([[math.cos(angle), math.sin(angle), 0], [-math.sin(angle), math.cos(angle), 0], [0, 0, -1]])
    there = (pose.x_mm, pose.y_mm, -ground_mm)
    for polygon in polygons:
        bearer = None if polygon.bearer is None else polygon.bearer @ turn + there
        yield Polygon(polygon.corners @ turn + there, polygon.normal @ turn, polygon.colour, bearer)


def darker(colour: Colour) -> Colour:
    """The same in a shade."""
    red, green, blue = colour
    return red * 4 // 5, green * 4 // 5, blue * 4 // 5


def panel(corners: ArrayLike, outward: ArrayLike, colour: Colour) -> Polygon:
    """A polygon whose outer side faces this way, of any length."""
    normal = np.asarray(outward, dtype=float)
    return Polygon(np.asarray(corners, dtype=float), normal / np.linalg.norm(normal), colour)


def printed(on: Polygon, corners: ArrayLike, colour: Colour, layer: int = 1) -> Polygon:
    """Something flat, printed on a polygon, whose corners lie in its plane; higher layers cover lower ones."""
    bearer = on.corners.mean(axis=0) + _BEFORE_MM * layer * on.normal
    return Polygon(np.asarray(corners, dtype=float), on.normal, colour, bearer)


def box(centre: Sequence[float], size: Sequence[float], colour: Colour) -> Iterator[Polygon]:
    """A cuboid around a point."""
    middle, half = np.asarray(centre, dtype=float), np.asarray(size, dtype=float) / 2
    for axis in range(3):
        one, two = (other for other in range(3) if other != axis)
        for sign in (-1, 1):
            outward = np.zeros(3)
            outward[axis] = sign
            corners = []
            for first, second in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner = middle + outward * half
                corner[one] += first * half[one]
                corner[two] += second * half[two]
                corners.append(corner)
            yield Polygon(np.array(corners), outward, colour)


def prism(outline: Sequence[tuple[float, float]], low: float, high: float, colour: Colour) -> Iterator[Polygon]:
    """What stands on an outline (x and y, clockwise as x runs to the right and y down): its walls, then its top."""
    for (x, y), (next_x, next_y) in zip(outline, (*outline[1:], outline[0]), strict=True):
        corners = [(x, y, low), (next_x, next_y, low), (next_x, next_y, high), (x, y, high)]
        yield panel(corners, (next_y - y, x - next_x, 0), colour)
    yield panel([(x, y, high) for x, y in outline], (0, 0, 1), colour)


def tube(
    start: Sequence[float],
    end: Sequence[float],
    start_radius: float,
    end_radius: float,
    colour: Colour,
    *,
    sides: int = 18,
    closed: bool = True,
) -> Iterator[Polygon]:
    """A cylinder or cone between two points, with lids if it is closed."""
    first, last = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    axis = (last - first) / np.linalg.norm(last - first)
    across = np.cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 1.0, 0.0))
    across /= np.linalg.norm(across)
    upright = np.cross(axis, across)
    angles = np.linspace(0, 2 * np.pi, sides + 1)
    outward = np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * upright
    near, far = first + start_radius * outward, last + end_radius * outward
    for index in range(sides):
        corners = [near[index], near[index + 1], far[index + 1], far[index]]
        yield panel(corners, outward[index] + outward[index + 1], colour)
    if closed:
        yield Polygon(near[:-1], -axis, colour)
        yield Polygon(far[:-1], axis, colour)


def ball(centre: Sequence[float], radius: float, colour: Colour) -> Iterator[Polygon]:
    """A ball, nearly."""
    middle = np.asarray(centre, dtype=float)
    heights, turns = np.linspace(-np.pi / 2, np.pi / 2, 8), np.linspace(0, 2 * np.pi, 15)
    for low, high in pairwise(heights):
        for one, two in pairwise(turns):
            directions = np.array(
                [
                    (math.cos(height) * math.cos(turn), math.cos(height) * math.sin(turn), math.sin(height))
                    for height, turn in ((low, one), (low, two), (high, two), (high, one))
                ]
            )
            yield panel(middle + radius * directions, directions.sum(axis=0), colour)


def disc(height: float, radius: float, colour: Colour) -> Iterator[Polygon]:
    """What is seen of a round thing from above, around the axis."""
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    corners = np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(40, height)])
    yield Polygon(corners, np.array([0.0, 0.0, 1.0]), colour)


def ring(height: float, outer: float, inner: float, colour: Colour) -> Iterator[Polygon]:
    """A rim between two radii, seen from above."""
    angles = np.linspace(0, 2 * np.pi, 41)
    rim = np.column_stack([np.cos(angles), np.sin(angles)])
    for one, two in pairwise(rim):
        corners = [
            (*(radius * point), height) for radius, point in ((outer, one), (outer, two), (inner, two), (inner, one))
        ]
        yield panel(corners, (0, 0, 1), colour)
