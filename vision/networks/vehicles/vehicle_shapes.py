"""What a vehicle on a dot looks like in a grid picture, drawn as it is made, and how well that is what is seen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace

from vision.arrays import Floats, Floats32, Indices, Numbers, Points
from vision.cards import Pose
from vision.networks.grid.grid_picture import CELL_PX
from vision.rendering.camera import Camera
from vision.rendering.scene import MAKES, Vehicle, VehicleLook
from vision.rendering.solids import draw_solids
from vision.rendering.vehicles import vehicle_solid

WINDOW_PX: Final = 3 * CELL_PX
"""The side of a window around a dot: the highest vehicle leans no farther than to the next one."""
_TURNS: Final = (0, 45, 90, 135, 180, 225, 270, 315)
"""Which way a vehicle's front may point, in degrees clockwise from up: along a track, or along an arc."""
_LIKELY: Final = 2
"""So many ways are tried more finely aside of the middle of the dot."""
_STEPS: Final = np.array([(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)])
"""How far off that is, in px."""
_AMBIENT: Final = 0.6
"""How much light comes from everywhere; nobody knows where the lamp is, so it is taken to be above."""
_UNLIKE: Final = 0.12
"""How far off paint is seen, as a share of its light."""
_DARK: Final = 0.012
"""As a share of the lamp's light: how far off anything is seen, as what is around is mirrored in it."""
_MOST: Final = 9.0
"""A px that is quite different, in variances: a sign, a shadow, a neighbour."""
_SHADES: Final = (0.4, 1.5)
_BLUR_PX: Final = 0.7
_COVERED: Final = 0.6
_AROUND: Final = np.ones((3, 3), np.uint8)
_LEANS: Final = 0.5
"""Leans that differ by less, in px, are drawn alike."""


class Drawing(NamedTuple):
    """What a vehicle covers of the window around its dot: rows and columns (n), and its light there (n × 3).

    ``slope`` (the same) is by how much the light differs half a px away.
    """

    rows: Indices
    columns: Indices
    light: Floats32
    slope: Floats32


class Seen(NamedTuple):
    """The light of a window (h × w × 3) around a dot, in this ``lamp`` (3), and the noise of a px.

    ``paint`` (h × w) is 1 where it looks like the vehicle's, which speaks against what does not cover it.
    """

    light: Floats32
    paint: Floats32
    lamp: Floats
    noise: float


class Kind(NamedTuple):
    """What a vehicle is: the number of its colour, and whether it is a locomotive."""

    colour: int
    is_locomotive: bool


def kinds(figures: Mapping[str, VehicleLook]) -> dict[Kind, VehicleLook]:
    """The vehicles among figures, whose names are like "wagon-3"."""
    found = {}
    for name, look in figures.items():
        kind, _, colour = name.partition("-")
        if kind in {"locomotive", "wagon"} and colour.isdigit():
            found[Kind(int(colour), kind == "locomotive")] = look
    return found


class VehicleShapes:
    """Draws vehicles as a camera sees them on any dot."""

    def __init__(self, looks: Mapping[Kind, VehicleLook], cell_mm: float) -> None:
        """``cell_mm`` is a cell's side."""
        self.looks = looks
        self._cell_mm = cell_mm
        self._drawn = lru_cache(maxsize=512)(self._drawings)

    def cost(self, kind: Kind, below: Points, height: float, seen: Seen) -> float:
        """How badly a vehicle on the dot explains a window around it, in variances a px.

        ``below`` (2) is the place below the camera from the dot, ``height`` that of the camera, in cells.
        """
        lean = np.round(below / height / _LEANS * CELL_PX).astype(int)
        drawings = self._drawn(kind, int(lean[0]), int(lean[1]), round(height))
        coarse = [_cost(drawing, seen, np.zeros(2, int)) for drawing in drawings]
        likely = sorted(range(len(drawings)), key=lambda turn: coarse[turn][0])[:_LIKELY]
        return min(_cost(drawings[turn], seen, coarse[turn][1], 1)[0] for turn in likely)

    def _drawings(self, kind: Kind, right: int, down: int, height: int) -> list[Drawing]:
        """For each way that its front may point; fewer where they look alike."""
        below = np.array([right, down]) * _LEANS / CELL_PX * height
        camera = self._camera(below, height)
        turns = _TURNS if kind.is_locomotive else _TURNS[:4]
        return [_drawing(self.looks[kind], turn, camera) for turn in turns]

    def _camera(self, below: Points, height: float) -> Camera:
        """A camera that sees the window around a dot as a grid picture shows it."""
        middle, focal = (WINDOW_PX - 1) / 2, height * CELL_PX
        x, y = (float(part) for part in below)
        return Camera(
            (WINDOW_PX, WINDOW_PX),
            ((focal, 0.0, middle + CELL_PX * x), (0.0, focal, middle + CELL_PX * y), (0.0, 0.0, 1.0)),
            (0.0, 0.0, 0.0, 0.0, 0.0),
            ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
            (-x * self._cell_mm, -y * self._cell_mm, height * self._cell_mm),
        )


def own_shapes(
    given: Mapping[Kind, VehicleLook], colours: Mapping[int, tuple[int, int, int]], cell_mm: float
) -> list[VehicleShapes]:
    """Vehicles of other colours (R, G, B), by their numbers, in every make; else they are like those that are given."""
    usual = {kind.is_locomotive: look for kind, look in given.items()}
    looks = [
        {
            Kind(number, is_locomotive): replace(look, colour=colour, sign=number, make=make)
            for number, colour in colours.items()
            for is_locomotive, look in usual.items()
        }
        for make in MAKES
    ]
    return [VehicleShapes(each, cell_mm) for each in looks]


def _drawing(look: VehicleLook, turn: int, camera: Camera) -> Drawing:
    solid = vehicle_solid(Vehicle(Pose(0.0, 0.0, turn), look), 0.0)
    light, cover = np.zeros((WINDOW_PX, WINDOW_PX, 3), np.float32), np.zeros((WINDOW_PX, WINDOW_PX), np.float32)
    drawn = draw_solids(solid, camera, np.array((0.0, 0.0, -1000.0)), _AMBIENT)
    if drawn is not None:
        rows, columns = drawn.cover.shape
        part = slice(drawn.top, drawn.top + rows), slice(drawn.left, drawn.left + columns)
        light[part], cover[part] = drawn.colour, drawn.cover
    light, cover = (np.asarray(cv2.GaussianBlur(one, (0, 0), _BLUR_PX), np.float32) for one in (light, cover))
    rows_covered, columns_covered = np.nonzero(cover > _COVERED)
    own = np.asarray(light / np.maximum(cover, _COVERED)[..., None], np.float32)
    slope = (cv2.dilate(own, _AROUND) - cv2.erode(own, _AROUND)) / 4
    at = rows_covered, columns_covered
    return Drawing(*at, own[at], np.asarray(slope, np.float32)[at])


def _cost(drawing: Drawing, seen: Seen, middle: Numbers, far: int = 2) -> tuple[float, Numbers]:
    """The least for all steps, so ``far`` aside of a middle (down and right, px), and the best place."""
    steps = middle + far * _STEPS
    places = np.clip(drawing.rows + steps[:, :1], 0, WINDOW_PX - 1) * WINDOW_PX
    places += np.clip(drawing.columns + steps[:, 1:], 0, WINDOW_PX - 1)
    lamp = seen.lamp.astype(np.float32)
    own, light = seen.light.reshape(-1, 3)[places], drawing.light * lamp
    strength = np.clip((own * light).sum(axis=(1, 2)) / max(float((light**2).sum()), 1e-9), *_SHADES)[:, None, None]
    spread = (strength * (_UNLIKE / 2 * (light + light.max(axis=1, keepdims=True)))) ** 2
    spread += (strength * drawing.slope * lamp) ** 2 + seen.noise**2 + (_DARK * lamp.max()) ** 2
    off = np.minimum(((own - strength * light) ** 2 / spread).mean(axis=2), _MOST).sum(axis=1)
    left = np.maximum(seen.paint.sum() - seen.paint.ravel()[places].sum(axis=1), 0.0)
    costs = (off + _MOST * left) / max(len(drawing.rows), 1)
    best = int(costs.argmin())
    return float(costs[best]), steps[best]
