"""The part of the table that the camera sees, in the axes of the game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from vision.cards import Motion, Pose
from vision.cards.area import Area, Box, turned


def shifted_area(area: Area, shift: Motion) -> Area:
    """An upright rectangle within an area that is seen by other axes, around the same middle."""
    x, y = shift.point((area.x_mm + area.width_mm / 2, area.y_mm + area.height_mm / 2))
    askew = math.radians(shift.turn_deg)
    width, height = area.width_mm, area.height_mm
    along, across = abs(math.cos(askew)), abs(math.sin(askew))
    if across > along:
        width, height, along, across = height, width, across, along
    share = min(width / (width * along + height * across), height / (width * across + height * along))
    width, height = share * width, share * height
    return Area(x - width / 2, y - height / 2, width, height)


class Outline(NamedTuple):
    """Its corners (x, y) in mm, in order; they need not make a rectangle."""

    corners: tuple[tuple[float, float], ...]

    def holds(self, box: Box, angle_deg: float = 0.0) -> bool:
        """Whether a rectangle of a railway's frame that is turned by this angle is seen whole."""
        return all(
            _is_inside(
                self.corners, *turned((box.x + across * box.half_width, box.y + down * box.half_height), angle_deg)
            )
            for across in (-1, 1)
            for down in (-1, 1)
        )

    def holds_card(self, pose: Pose, size_mm: tuple[float, float]) -> bool:
        """Whether a card that lies so is seen whole."""
        x, y = turned((pose.x_mm, pose.y_mm), -pose.rotation_deg)
        return self.holds(Box(x, y, size_mm[0] / 2, size_mm[1] / 2), pose.rotation_deg)


def _is_inside(corners: Sequence[tuple[float, float]], x: float, y: float) -> bool:
    """Whether a ray from the point to the right leaves the outline an odd number of times."""
    inside = False
    for (x_one, y_one), (x_other, y_other) in pairwise((*corners, corners[0])):
        if (y_one > y) != (y_other > y) and x < x_one + (y - y_one) / (y_other - y_one) * (x_other - x_one):
            inside = not inside
    return inside
