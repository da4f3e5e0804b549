"""Where something lies on the table, and how it is moved over it."""

from __future__ import annotations

import math

import msgspec

from vision.cards.area import turned


class Pose(msgspec.Struct, frozen=True, array_like=True):
    """Where a card's centre lies and how it is turned; written as ``[x, y, rotation]``.

    The table's axes are those of its picture: x to the right, y downwards, both in mm. ``rotation_deg`` counts
    clockwise as seen from above; at 0 the card's upright face has its top towards smaller y.
    """

    x_mm: float
    y_mm: float
    rotation_deg: float = 0.0

    @property
    def is_finite(self) -> bool:
        """Whether it is a place at all: no coordinate is infinite or not a number."""
        return math.isfinite(self.x_mm) and math.isfinite(self.y_mm) and math.isfinite(self.rotation_deg)

    def moved(self, right_mm: float, down_mm: float, turn_deg: float = 0.0) -> Pose:
        """Moved along the table's axes, and turned about its own centre."""
        return Pose(self.x_mm + right_mm, self.y_mm + down_mm, (self.rotation_deg + turn_deg) % 360)

    def towards(self, other: Pose, share: float) -> Pose:
        """So far (0 to 1) on the way to another pose, turned the shorter way round."""
        turn = (other.rotation_deg - self.rotation_deg + 180) % 360 - 180
        return self.moved(share * (other.x_mm - self.x_mm), share * (other.y_mm - self.y_mm), share * turn)

    def distance_mm(self, other: Pose) -> float:
        """How far the two centres are apart."""
        return math.dist((self.x_mm, self.y_mm), (other.x_mm, other.y_mm))

    def rounded(self) -> Pose:
        """To hundredths of a millimetre and of a degree."""
        return Pose(round(self.x_mm, 2), round(self.y_mm, 2), round(self.rotation_deg, 2))


class Motion(msgspec.Struct, frozen=True):
    """How things are moved over the table as one: first turned about its origin, clockwise, then moved.

    Tells as well how one pair of axes lies against another: the motion takes what is said in the one into the other.
    """

    right_mm: float = 0.0
    down_mm: float = 0.0
    turn_deg: float = 0.0

    @classmethod
    def onto(cls, here: Pose, there: Pose) -> Motion:
        """The one that takes what lies here there."""
        turn = cls(turn_deg=there.rotation_deg - here.rotation_deg)
        x, y = turn.point((here.x_mm, here.y_mm))
        return cls(there.x_mm - x, there.y_mm - y, turn.turn_deg)

    def __call__(self, pose: Pose) -> Pose:
        """Where something comes to lie that lay so."""
        x, y = self.point((pose.x_mm, pose.y_mm))
        return Pose(x, y, (pose.rotation_deg + self.turn_deg) % 360)

    def point(self, place: tuple[float, float]) -> tuple[float, float]:
        """Where a point (x, y, mm) comes to lie."""
        x, y = turned(place, self.turn_deg)
        return x + self.right_mm, y + self.down_mm

    def after(self, first: Motion) -> Motion:
        """Both motions as one."""
        return Motion(*self.point((first.right_mm, first.down_mm)), first.turn_deg + self.turn_deg)

    def inverse(self) -> Motion:
        """The way back."""
        return Motion(*turned((-self.right_mm, -self.down_mm), -self.turn_deg), -self.turn_deg)
