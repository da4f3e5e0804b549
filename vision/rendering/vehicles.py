"""Small locomotives and wagons, of folded paper or of wood. All lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from vision.rendering.scene import Vehicle, VehicleLook
from vision.rendering.shapes import Polygon, box, moved, printed, prism, tube

_INK: Final = (28, 33, 38)
_LIGHT: Final = (255, 253, 244)
_BOILER: Final = (74, 83, 92)
_BRASS: Final = (255, 200, 30)
_CHASSIS: Final = 0.24
"""Of a wagon's height, and of a boiler's: a dark band along the foot of what is folded."""
_CAB: Final = 0.47
"""Of a locomotive's length."""
_SMOKEBOX: Final = 0.2
"""So much of a wooden locomotive's length is black."""
_BOILER_HIGH: Final = 0.69
"""Of a locomotive's height."""
_NOSE: Final = 0.53
"""Of a locomotive's width: its boiler tapers to so much."""
_SPOTS: Final = {
    0: (),
    1: ((0.0, 0.0),),
    2: ((0.0, -0.15), (0.0, 0.15)),
    3: ((0.0, -0.21), (0.0, 0.0), (0.0, 0.21)),
    4: ((-0.19, -0.15), (0.19, -0.15), (-0.19, 0.15), (0.19, 0.15)),
}
"""Where a wagon's spots are on its roof, across and along, as shares of its width and length."""
_SPOT: Final = 0.13
"""Its radius, as a share of the width."""
_BAR: Final = (0.28, 0.05)
"""Half of what a locomotive's bar has across and along, as shares of the width."""
_BAR_AWAY: Final = 0.1
"""From bar to bar, as a share of the length."""
_OUTLINE_MM: Final = 0.25
"""So wide are spots and bars outlined in ink."""
_ON_BOILER: Final = ((0.35, 0.19, _INK, 1), (0.35, 0.1, _LIGHT, 2), (0.72, 0.1, _BRASS, 1))
"""A chimney and a dome: how far along the boiler, the radius as a share of the width, the colour, and the layer."""
_SIDES: Final = 12
"""Of what is nearly a circle."""


def vehicle_solid(vehicle: Vehicle, ground_mm: float = 0.3) -> list[Polygon]:
    """A locomotive or a wagon that stands so high above the table, its front towards the top of its pose."""
    look = vehicle.look
    if look.make == "wood":
        parts = _wooden_locomotive(look) if look.is_locomotive else _wooden_wagon(look)
    else:
        parts = _folded_locomotive(look) if look.is_locomotive else _folded_wagon(look)
    return list(moved(parts, vehicle.pose, ground_mm))


def _wooden_wagon(look: VehicleLook) -> Iterator[Polygon]:
    """A block, painted once."""
    length, width, height = look.size_mm
    yield from box((0, 0, height / 2), (width, length, height), look.colour)


def _wooden_locomotive(look: VehicleLook) -> Iterator[Polygon]:
    """A low block, and a higher one at its back. Front and chimney are black: from above nobody sees heights."""
    length, width, height = look.size_mm
    low, cab, front = height * _BOILER_HIGH, length * _CAB, length * _SMOKEBOX
    yield from box((0, (front - cab) / 2, low / 2), (width, length - cab - front, low), look.colour)
    yield from box((0, (front - length) / 2, low / 2), (width, front, low), _INK)
    yield from box((0, (length - cab) / 2, height / 2), (width, cab, height), look.colour)
    at = -length / 2 + (length - cab) * 0.4
    yield from tube((0, at, low), (0, at, height), width * 0.17, width * 0.17, _INK, sides=_SIDES)


def _folded_wagon(look: VehicleLook) -> Iterator[Polygon]:
    """A box with a dark foot, and spots on its roof."""
    length, width, height = look.size_mm
    foot = height * _CHASSIS
    yield from box((0, 0, foot / 2), (width, length, foot), _INK)
    *walls, roof = box((0, 0, (foot + height) / 2), (width, length, height - foot), look.colour)
    yield from (*walls, roof)
    for across, along in _SPOTS[min(look.sign, 4)]:
        for grown, colour, layer in ((_OUTLINE_MM, _INK, 1), (0.0, _LIGHT, 2)):
            corners = _round((across * width, along * length, height), _SPOT * width + grown)
            yield printed(roof, corners, colour, layer)


def _folded_locomotive(look: VehicleLook) -> Iterator[Polygon]:
    """A high cab with bars on its roof, and before it a dark boiler that tapers, its chimney and dome printed on it."""
    length, width, height = look.size_mm
    cab, high = length * _CAB, height * _BOILER_HIGH
    front, middle, foot = -length / 2, (length - cab) / 2, high * _CHASSIS
    nose, foremost = width * _NOSE / 2, length / 2 - cab
    outline = [(-width / 2, foremost), (-nose, front), (nose, front), (width / 2, foremost)]
    yield from prism(outline, 0, foot, _INK)
    *sides, top = prism(outline, foot, high, _BOILER)
    yield from (*sides, top)
    for along, radius, colour, layer in _ON_BOILER:
        yield printed(top, _round((0, front + along * (length - cab), high), radius * width), colour, layer)
    yield from box((0, middle, foot / 2), (width, cab, foot), _INK)
    *walls, roof = box((0, middle, (foot + height) / 2), (width, cab, height - foot), look.colour)
    yield from (*walls, roof)
    for bar in range(look.sign):
        at = (0.0, middle + _BAR_AWAY * length * (bar - (look.sign - 1) / 2), height)
        for grown, colour, layer in ((_OUTLINE_MM, _INK, 1), (0.0, _LIGHT, 2)):
            yield printed(roof, _bar(at, _BAR[0] * width + grown, _BAR[1] * width + grown), colour, layer)


def _round(centre: tuple[float, float, float], radius: float) -> list[tuple[float, float, float]]:
    """The corners of what is nearly a circle."""
    x, y, z = centre
    angles = (math.tau * step / _SIDES for step in range(_SIDES))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle), z) for angle in angles]


def _bar(centre: tuple[float, float, float], across: float, along: float) -> list[tuple[float, float, float]]:
    """The corners of a rectangle, of which half the sides are told."""
    x, y, z = centre
    return [(x + a * across, y + b * along, z) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
