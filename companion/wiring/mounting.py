"""How high a camera has to hang above the table, for which lens."""

from __future__ import annotations

from math import atan, degrees, radians, tan
from typing import Final, NamedTuple

from vision.cards import LEAST_PX_PER_MM


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


class View(NamedTuple):
    """What the picture of a camera shows of the table: in mm (width, depth), and in px."""

    mm: tuple[float, float]
    px: tuple[int, int]

    @property
    def px_per_mm(self) -> float:
        """How fine it is."""
        return self.px[0] / self.mm[0]

    @property
    def is_fine_enough(self) -> bool:
        """Whether cards can be read in it."""
        return self.px_per_mm >= LEAST_PX_PER_MM


def view_of(table_mm: tuple[float, float], picture_px: tuple[int, int]) -> View:
    """A whole table (width, depth) in a picture (width, height); the same for every lens at its own height."""
    width = max(table_mm[0], table_mm[1] * picture_px[0] / picture_px[1])
    return View((width, width * picture_px[1] / picture_px[0]), picture_px)


def height_mm(lens: Lens, view: View) -> float:
    """Where a lens sees this view, looking straight down.

    A picture of other proportions than the sensor is cut out of its middle.
    """
    angles = (lens.across_deg, lens.down_deg)
    return max(side / 2 / tan(radians(angle) / 2) for side, angle in zip(view.mm, angles, strict=True))
