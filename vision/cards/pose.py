"""Where something lies on the table."""

import math

import msgspec


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
