"""A camera above the table: where a point of the world appears, and what part of the table a pixel sees."""

from __future__ import annotations

import math
from functools import cached_property

import cv2
import msgspec
import numpy as np

from vision.arrays import Floats, Floats32, Points

_GRID_STEP = 8


class Camera(msgspec.Struct, frozen=True, dict=True):
    """A camera as OpenCV describes it.

    The world is measured in mm: x to the right and y down the table, z into it, so heights above the table are
    negative z. A world point p lies at ``rotation @ p + translation`` before the camera, which looks along its z axis.
    ``distortion`` is k1, k2, p1, p2, k3. ``size`` is the picture's width and height in px.
    """

    size: tuple[int, int]
    matrix: tuple[tuple[float, float, float], ...]
    distortion: tuple[float, float, float, float, float]
    rotation: tuple[tuple[float, float, float], ...]
    translation: tuple[float, float, float]

    @cached_property
    def position(self) -> Floats:
        """Where the camera is, in mm; its z is negative."""
        return np.asarray(-np.array(self.rotation).T @ np.array(self.translation))

    def project(self, points: object) -> Points:
        """Where points of the world (n × 3, mm) appear in the picture (n × 2, px)."""
        seen = np.atleast_2d(np.asarray(points, dtype=float)) @ np.array(self.rotation).T + np.array(self.translation)
        x, y = seen[:, 0] / seen[:, 2], seen[:, 1] / seen[:, 2]
        k1, k2, p1, p2, k3 = self.distortion
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        bent_x = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        bent_y = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        (fx, _, cx), (_, fy, cy), _ = self.matrix
        return np.stack([fx * bent_x + cx, fy * bent_y + cy], axis=1)

    def on_table(self, pixels: object) -> Points:
        """Which points of the table (n × 2, mm) these pixels (n × 2) see."""
        points = np.ascontiguousarray(np.asarray(pixels, dtype=float).reshape(-1, 1, 2))
        straight = cv2.undistortPoints(points, np.array(self.matrix), np.array(self.distortion)).reshape(-1, 2)
        rays = np.column_stack([straight, np.ones(len(straight))]) @ np.array(self.rotation)
        reach = -self.position[2] / rays[:, 2:]
        return np.asarray((self.position + reach * rays)[:, :2])

    def larger(self, times: int) -> Camera:
        """The same view in so many times the pixels a side."""
        (fx, skew, cx), (_, fy, cy), last = self.matrix
        # The middle of the first pixel is at 0.
        middle = (times - 1) / 2
        matrix = ((times * fx, times * skew, times * cx + middle), (0.0, times * fy, times * cy + middle), last)
        return msgspec.structs.replace(self, size=(times * self.size[0], times * self.size[1]), matrix=matrix)

    @cached_property
    def table_map(self) -> Floats32:
        """The point of the table that each pixel sees: height × width × 2, mm."""
        width, height = self.size
        # The lens is smooth: a coarse grid, interpolated, is right to a hundredth of a millimetre.
        across = np.arange(0, width // _GRID_STEP + 2) * _GRID_STEP
        down = np.arange(0, height // _GRID_STEP + 2) * _GRID_STEP
        nodes = np.stack(np.meshgrid(across, down), axis=-1)
        grid = self.on_table(nodes).reshape(*nodes.shape).astype(np.float32)
        columns, rows = np.meshgrid(
            np.arange(width, dtype=np.float32) / _GRID_STEP, np.arange(height, dtype=np.float32) / _GRID_STEP
        )
        return np.asarray(cv2.remap(grid, columns, rows, cv2.INTER_LINEAR), dtype=np.float32)


def camera_above(
    target_mm: tuple[float, float],
    height_mm: float,
    size: tuple[int, int] = (1640, 1232),
    *,
    field_of_view_deg: float = 62.0,
    tilt_deg: float = 0.0,
    heading_deg: float = 0.0,
    roll_deg: float = 0.0,
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0),
) -> Camera:
    """A camera at this height that looks at a point of the table.

    ``tilt_deg`` is how far it looks away from straight down, ``heading_deg`` from which side (0: from the players'
    side, y positive, turning clockwise as seen from above); ``roll_deg`` turns the picture.
    ``field_of_view_deg`` is measured across the picture's width.
    """
    width, height = size
    focal = width / 2 / math.tan(math.radians(field_of_view_deg) / 2)
    rotation = _about_z(roll_deg) @ _about_x(-tilt_deg) @ _about_z(heading_deg)
    distance = height_mm / math.cos(math.radians(tilt_deg))
    translation = np.array([0.0, 0.0, distance]) - rotation @ np.array([*target_mm, 0.0])
    return Camera(
        size=size,
        matrix=((focal, 0.0, width / 2), (0.0, focal, height / 2), (0.0, 0.0, 1.0)),
        distortion=distortion,
        rotation=tuple(map(tuple, rotation.tolist())),
        translation=tuple(translation.tolist()),
    )


def _about_z(degrees: float) -> Floats:
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def _about_x(degrees: float) -> Floats:
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return np.array([[1.0, 0.0, 0.0], [0.0, cosine, -sine], [0.0, sine, cosine]])
