"""Whether two seen cards are one and the same."""

from __future__ import annotations

import math
from typing import Final

from vision.cards import Pose
from vision.watching.table_reading import SeenCard

NEAR_MM: Final = 20.0
"""A card that is so near to the place of another one of its face is that card, pushed a little."""
_UNMOVED_MM: Final = 4.0
_UNMOVED_DEG: Final = 4.0


def distance(one: Pose | None, other: Pose) -> float:
    """How far two centres are apart, in mm; infinite where the one is unknown."""
    return math.inf if one is None else one.distance_mm(other)


def is_same_card(one: SeenCard, other: SeenCard, room_mm: float = NEAR_MM) -> bool:
    """Whether these are one card that lies where it lay."""
    return (one.may_be(other.face) or other.may_be(one.face)) and distance(one.pose, other.pose) <= room_mm


def is_unmoved(one: SeenCard, other: SeenCard) -> bool:
    """Whether these are one card that nobody has moved."""
    is_there = one.serial == other.serial and is_same_card(one, other, _UNMOVED_MM)
    return is_there and _turned_deg(one, other) <= _UNMOVED_DEG


def _turned_deg(one: SeenCard, other: SeenCard) -> float:
    """By how many degrees (0 to 180) two cards are turned against each other."""
    return abs((one.pose.rotation_deg - other.pose.rotation_deg + 180) % 360 - 180)
