"""A vehicle alone, from straight above: for pages that show it."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Picture
from vision.cards import Pose
from vision.rendering.camera import camera_above
from vision.rendering.exposure import GAMMA
from vision.rendering.scene import Vehicle, VehicleLook
from vision.rendering.shapes import Polygon
from vision.rendering.solids import draw_solids
from vision.rendering.vehicles import vehicle_solid

PX_PER_MM: Final = 12.0
_HEIGHT_MM: Final = 3_000.0
"""So far away nothing but the roof is seen of a vehicle."""
_LAMP_MM: Final = np.array([-800.0, -1_200.0, -1_600.0])
_AMBIENT: Final = 0.6
_DARKER: Final = 0.6
"""By so much at the foot."""


def portrait(look: VehicleLook) -> Picture:
    """Width by length of the vehicle, its front upwards (h × w × 4, B, G, R and how much of a pixel it fills)."""
    length, width, height = look.size_mm
    columns, rows = round(width * PX_PER_MM), round(length * PX_PER_MM)
    camera = camera_above((0, 0), _HEIGHT_MM, (columns, rows), field_of_view_deg=_field_of_view(width))
    seen = np.zeros((rows, columns, 4), np.float32)
    solid = [_in_its_depth(polygon, height) for polygon in vehicle_solid(Vehicle(Pose(0, 0), look), 0.0)]
    drawn = draw_solids(solid, camera, _LAMP_MM, _AMBIENT)
    if drawn is not None:
        high, wide = drawn.cover.shape
        part = seen[drawn.top : drawn.top + high, drawn.left : drawn.left + wide]
        part[..., 3] = drawn.cover
        part[..., :3] = drawn.colour / np.maximum(drawn.cover, 1e-6)[..., None]
    seen[..., :3] **= np.float32(1 / GAMMA)
    return np.asarray(np.round(255 * np.clip(seen, 0, 1)), np.uint8)


def _in_its_depth(polygon: Polygon, height_mm: float) -> Polygon:
    """Darker where it lies lower: else nothing would tell a roof from what is painted alike below it."""
    low = 1 - float(-polygon.corners[:, 2].mean()) / height_mm
    red, green, blue = (round(part * (1 - _DARKER * low)) for part in polygon.colour)
    return polygon._replace(colour=(red, green, blue))


def _field_of_view(width_mm: float) -> float:
    """Degrees under which so much is seen from there."""
    return float(2 * np.degrees(np.arctan(width_mm / 2 / _HEIGHT_MM)))
