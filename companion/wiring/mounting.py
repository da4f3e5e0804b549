"""How high a camera has to hang above the table, for which lens."""

from __future__ import annotations

from math import atan, degrees, radians, tan
from typing import Final, NamedTuple

LEAST_PX_PER_MM: Final = 1.2
"""The eye has read tables with as few pixels as this."""


class Lens(NamedTuple):
    """A camera by its angles of view in degrees, along its whole sensor."""

    name: str
    across_deg: float
    down_deg: float


LENSES: Final = (
    Lens("Camera Module 2", 62.2, 48.8),
    Lens("Camera Module 3", 66.0, 41.0),
    Lens("Camera Module 3 Wide", 102.0, 67.0),
    Lens("HQ Camera, 6 mm", 2 * degrees(atan(6.287 / 12)), 2 * degrees(atan(4.712 / 12))),
    Lens("USB, 78° diagonal, 16:9", 70.4, 43.3),
)
"""By their makers' data sheets."""


class Mounting(NamedTuple):
    """Where a camera hangs: its height in mm above the table, what it sees there in mm, and how finely."""

    lens: Lens
    height_mm: float
    sees_mm: tuple[float, float]
    px_per_mm: float

    @property
    def is_fine_enough(self) -> bool:
        """Whether cards can be read from there."""
        return self.px_per_mm >= LEAST_PX_PER_MM


def mounting(lens: Lens, table_mm: tuple[float, float], picture_px: tuple[int, int]) -> Mounting:
    """The lowest height from which a lens sees a whole table (width, depth), looking straight down.

    A picture (width, height) of other proportions than the sensor is cut out of its middle.
    """
    across, down = (tan(radians(angle) / 2) for angle in (lens.across_deg, lens.down_deg))
    proportion = picture_px[0] / picture_px[1]
    across, down = min(across, down * proportion), min(down, across / proportion)
    height = max(table_mm[0] / 2 / across, table_mm[1] / 2 / down)
    sees = (2 * height * across, 2 * height * down)
    return Mounting(lens, height, sees, picture_px[0] / sees[0])
