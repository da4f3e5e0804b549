"""What stands on the dots of a network: nothing, or a vehicle of one of several colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Floats32, Points
from vision.networks.grid_picture import CELL_PX
from vision.networks.paints import Paints, is_bare, unlikeness
from vision.networks.standing_room import Room
from vision.networks.vehicle_shapes import WINDOW_PX, Kind, Seen, VehicleShapes
from vision.watching.network_reading import Cell, SeenVehicle

_LIKE: Final = 1.5
"""Px that are off a paint by fewer deviations look like it."""
_BARE: Final = 0.38
"""How much of an empty dot may be missing. (This and the next ones: what parts them best on tables that were rendered
for building, see tests/benchmarks/network_tables.py.)"""
_PAINT: Final = 1.5
"""How much paint counts, where 1 is what a wagon shows, beside the dot and the print, of which 1 each is all."""
BARE: Final = 1.0
"""Of a dot on which something stands, whatever it is, less is seen, of 2. (On 12 tables with vehicles of any colours it
was 0.7 at most on all but one of 140, and 1.4 at least on all but one of 600 empty dots.)"""
EMPTY: Final = 1.6
"""Of a dot that is empty for sure so much is seen, of 2."""
_RIVAL: Final = 0.6
"""A paint with so many of the likeliest one's px may be it as well."""
_ALIKE: Final = 0.5
"""A locomotive and a wagon that explain a place so nearly as well, in variances a px, cannot be told apart."""
_LENGTH_MM, _WIDTH_MM = 15.0, 9.4
"""Of a wagon, about."""


class DotLook(NamedTuple):
    """How a dot looks.

    ``dot`` is how much of its dot is seen (1: as on most empty ones), ``likeness`` how much it looks like the piece,
    from -1 to 1.2; ``lamp`` (3) is the light there, of white in parts of white, B, G, R.
    """

    cell: Cell
    dot: float
    likeness: float
    lamp: Floats

    @property
    def bare(self) -> float:
        """How much of the empty dot is seen: 2 where all is, of the dot and of the print around it."""
        return self.dot + min(self.likeness, 1.0)


class Counted(NamedTuple):
    """How much of each paint is seen on a dot (k; 1: as of a wagon), and which paint each of its px shows (n)."""

    amounts: Floats
    paint: Floats


class LitScene(NamedTuple):
    """A grid picture's light (h × w × 3), its first cell, its noise, the place (2) below the camera and its height."""

    light: Floats32
    corner: Cell
    noise: float
    below: Points
    height: float


def counted(
    light: Floats32, looks: Sequence[DotLook], rooms: Sequence[Room], paints: Paints, *, cell_mm: float, noise: float
) -> list[Counted]:
    """How much of each paint is seen on each dot of a grid picture's light (h × w × 3), whose px have this noise."""
    found = []
    empty = [light[room.rows, room.columns] for look, room in zip(looks, rooms, strict=True) if look.bare > EMPTY]
    bare = np.median(np.concatenate(empty), axis=0) if empty else None
    for look, room in zip(looks, rooms, strict=True):
        px = light[room.rows, room.columns]
        off = unlikeness(px, paints.light, look.lamp, noise)
        is_like = off.min(axis=1) < _LIKE
        if bare is not None:
            # What looks more like the pieces than like any paint is a piece.
            is_like &= (off.min(axis=1) < unlikeness(px, bare[None], np.ones(3), noise)[:, 0]) | ~is_bare(
                px, bare, noise
            )
        nearest = off.argmin(axis=1)
        paint = np.where(is_like, nearest, -1)
        side = CELL_PX / cell_mm
        whole = (
            side**2 * _LENGTH_MM * _WIDTH_MM
            + CELL_PX * float(np.hypot(*room.lean)) * side * (_LENGTH_MM + _WIDTH_MM) / 2
        )
        amounts = np.bincount(paint[paint >= 0], minlength=len(paints.numbers)) / whole
        found.append(Counted(amounts, paint))
    return found


def occupied(looks: Sequence[DotLook], counts: Sequence[Counted]) -> Floats:
    """How likely it is that something stands on each dot (n): above 0 where it is likelier than not."""
    amounts = np.array([count.amounts for count in counts])
    bare = np.array([look.bare for look in looks])
    # What all pieces are made of is no vehicle's paint.
    is_empty = bare > EMPTY
    usual = np.median(amounts[is_empty], axis=0) if is_empty.any() else np.zeros(amounts.shape[1])
    own = np.clip(amounts - usual, 0, 1).max(axis=1, initial=0.0)
    return np.asarray(_PAINT * own - bare + _BARE)


class VehicleNames:
    """Says what stands on dots that are not empty."""

    def __init__(self, shapes: Sequence[VehicleShapes], paints: Paints) -> None:
        """``shapes`` are those of each make that they may have, all of them the same one."""
        self._shapes, self._paints = shapes, paints
        self._off = [0.0] * len(shapes)
        """How badly each make has explained all that was seen."""

    @property
    def shapes(self) -> VehicleShapes:
        """Those of the make that has explained all that was seen so far best."""
        return self._shapes[self._off.index(min(self._off))]

    def named(self, look: DotLook, room: Room, count: Counted, scene: LitScene) -> SeenVehicle:
        """What stands on this dot."""
        order = np.argsort(-count.amounts, kind="stable")
        colours = [
            self._paints.numbers[index] for index in order if count.amounts[index] >= _RIVAL * count.amounts[order[0]]
        ]
        is_locomotive, is_sure = self._is_locomotive(look, room, count, scene)
        kinds = [Kind(colour, is_locomotive) for colour in colours]
        if not is_sure:
            kinds += [Kind(kind.colour, not kind.is_locomotive) for kind in kinds]
        known = [kind for kind in kinds if kind in self.shapes.looks]
        first, *others = known or kinds
        return SeenVehicle(look.cell, *first, tuple((kind.colour, kind.is_locomotive) for kind in others))

    def _is_locomotive(self, look: DotLook, room: Room, count: Counted, scene: LitScene) -> tuple[bool, bool]:
        number = int(count.amounts.argmax())
        x, y = (part - first - 1 for part, first in zip(look.cell, scene.corner, strict=True))
        window = _window(scene.light, x * CELL_PX, y * CELL_PX)
        paint = np.zeros((WINDOW_PX, WINDOW_PX), np.float32)
        rows, columns = room.rows - y * CELL_PX, room.columns - x * CELL_PX
        own = (count.paint == number) & (rows >= 0) & (rows < WINDOW_PX) & (columns >= 0) & (columns < WINDOW_PX)
        paint[rows[own], columns[own]] = 1
        costs: dict[bool, float] = {}
        for make, shapes in enumerate(self._shapes):
            kinds = [Kind(self._paints.numbers[number], is_locomotive) for is_locomotive in (False, True)]
            offs = {
                kind.is_locomotive: shapes.cost(
                    kind, scene.below - look.cell, scene.height, Seen(window, paint, look.lamp, scene.noise)
                )
                for kind in kinds
                if kind in shapes.looks
            }
            self._off[make] += min(offs.values())
            costs = offs if shapes is self.shapes or not costs else costs
        if len(costs) < 2:
            return next(iter(costs)), True
        return costs[True] < costs[False], abs(costs[True] - costs[False]) > _ALIKE


def _window(light: Floats32, left: int, top: int) -> Floats32:
    """A window of a grid picture's light; what is beyond its border looks like the border."""
    rows = np.clip(np.arange(top, top + WINDOW_PX), 0, len(light) - 1)
    columns = np.clip(np.arange(left, left + WINDOW_PX), 0, light.shape[1] - 1)
    return np.asarray(light[rows][:, columns], np.float32)


def as_told(vehicles: Sequence[SeenVehicle], told: Mapping[Kind, int]) -> tuple[SeenVehicle, ...]:
    """The same where it is known how many there are of each kind: what may be two kinds is the one that is short."""
    counts = Counter(Kind(seen.colour, seen.is_locomotive) for seen in vehicles)
    left = []
    for seen in vehicles:
        kind = Kind(seen.colour, seen.is_locomotive)
        others = [Kind(*other) for other in seen.others if other in told or not told]
        short = [other for other in others if counts[other] < told.get(other, 0)]
        if told and counts[kind] > told.get(kind, 0) and short:
            counts[kind] -= 1
            counts[short[0]] += 1
            rest = [other for other in (kind, *others) if other != short[0] and other in told]
            left.append(SeenVehicle(seen.dot, *short[0], tuple((other.colour, other.is_locomotive) for other in rest)))
        else:
            left.append(seen)
    return tuple(left)
