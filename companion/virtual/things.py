"""Cards, Emma, where they are and who holds them."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final

import msgspec

from companion.virtual.disturbances import Disturbances
from vision.cards import Motion, Pose

EMMA: Final = 0
"""The number by which Emma is held; cards count from 1."""


class Place(StrEnum):
    """Where a card is, apart from being held."""

    PILE = "pile"
    HAND = "hand"
    TABLE = "table"
    AWAY = "away"
    """Beside the table: discard piles and what is set aside. The companion keeps count of them."""
    BOX = "box"


class HandsError(Exception):
    """Hands cannot do that; ``reason`` is a key of the page's texts."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Hold(msgspec.Struct, frozen=True):
    """Something in somebody's hand: whose, since when (seconds) nothing moved, and where above the table it is."""

    holder: str
    at_seconds: float
    pose: Pose | None = None


class Card(msgspec.Struct, frozen=True):
    """A card of the deck. ``owner`` is the number of the person whose hand it is in."""

    number: int
    face: str
    place: Place = Place.PILE
    owner: int = 0
    pose: Pose = Pose(0.0, 0.0)
    curl_mm: float = 0.0

    def is_under(self, pose: Pose, card_mm: tuple[float, float]) -> bool:
        """Whether something that stands there stands on it; a card's width and height are in mm."""
        across, down = Motion.onto(self.pose, Pose(0, 0)).point((pose.x_mm, pose.y_mm))
        return abs(across) <= card_mm[0] / 2 and abs(down) <= card_mm[1] / 2


class Scenery(msgspec.Struct, frozen=True):
    """What the camera can see: cards that lie, from the oldest to the newest, what is held above, Emma, and hands.

    ``fingertips`` are those of hands that hold something, ``reach`` is where a hand has just done something, in mm.
    """

    lying: tuple[Card, ...]
    held: tuple[Card, ...]
    emma: Pose | None
    fingertips: tuple[tuple[float, float], ...]
    reach: tuple[float, float] | None
    has_pile: bool
    disturbances: Disturbances
    revision: int


def middle_of(poses: Collection[Pose]) -> Pose:
    """The middle of things that lie there; there is at least one."""
    x, y = (sum(side) / len(poses) for side in zip(*((pose.x_mm, pose.y_mm) for pose in poses), strict=True))
    return Pose(x, y)
