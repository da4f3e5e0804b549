"""Cards, figures, where they are and who holds them."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final

import msgspec

from vision.cards import Motion, Pose
from vision.rendering.places import TABLE_MM

EMMA: Final = 0
"""The number by which Emma is held; cards count from 1, and figures down from here."""
EMMAS_LOOK: Final = "emma"


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


class Figure(msgspec.Struct, frozen=True):
    """A figure that stands on cards, as Emma does; its number is 0 or less.

    ``look`` says what it is like, ``pose`` where it stands on the table; None while it is beside it.
    """

    number: int
    look: str
    pose: Pose | None = None


ONLY_EMMA: Final = (Figure(EMMA, EMMAS_LOOK),)
"""The figures of a game that says nothing else: she stands beside the table."""


def middle_of(poses: Collection[Pose]) -> Pose:
    """The middle of things that lie there; there is at least one."""
    x, y = (sum(side) / len(poses) for side in zip(*((pose.x_mm, pose.y_mm) for pose in poses), strict=True))
    return Pose(x, y)


def within(pose: Pose, beyond_mm: float) -> Pose | None:
    """The pose if it is over the table, or not farther beside it than this."""
    width, height = TABLE_MM
    near = -beyond_mm <= pose.x_mm <= width + beyond_mm and -beyond_mm <= pose.y_mm <= height + beyond_mm
    return pose if near else None
