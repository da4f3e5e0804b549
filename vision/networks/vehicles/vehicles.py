"""What stands on the dots of a network: nothing, or a vehicle of one of several colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Floats32, Points
from vision.networks.grid.grid_picture import CELL_PX
from vision.networks.vehicles.paints import Paints, is_bare, unlikeness
from vision.networks.vehicles.standing_room import Room
from vision.networks.vehicles.vehicle_shapes import WINDOW_PX, Kind, Seen, VehicleShapes
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
_PERHAPS: Final = 0.6
"""Where it is so little likelier that a dot is empty, what stands there may look much like an empty one."""
_FIT, _FITS = 3.3, 0.3
"""How far off a vehicle is at most, in variances a px, and how much each less speaks for it. (Of 12 tables those that
stood there were off by 2.7 at most, and on empty dots they were so by 4.1 at least.)"""
_RIVAL: Final = 0.6
"""A paint with so many of the likeliest one's px may be it as well."""
_NEARLY: Final = 0.15
"""And one of which so little less is seen: all of a locomotive's roof may be its sign, its dome of another paint."""
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


class Dot(NamedTuple):
    """How a dot looks, the px that are its own, their paints, and how likely something stands there (above 0: does)."""

    look: DotLook
    room: Room
    counted: Counted
    worth: float


class LitScene(NamedTuple):
    """A grid picture's light (h × w × 3), its first cell, its noise, the place (2) below the camera and its height."""

    light: Floats32
    corner: Cell
    noise: float
    below: Points
    height: float


class Named(NamedTuple):
    """A vehicle, and how badly it explains what is seen, in variances a px."""

    vehicle: SeenVehicle
    off: float


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
    if not looks:
        return np.zeros(0)
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

    def standing(self, dots: Sequence[Dot], scene: LitScene) -> list[SeenVehicle]:
        """What stands on dots."""
        found: list[SeenVehicle] = []
        shapes = None
        while shapes is not self.shapes:
            # Of what make all are may come to light with the last one.
            shapes = self.shapes
            named = [(dot, self.named(dot, scene)) for dot in dots if dot.worth > -_PERHAPS]
            found = [vehicle for dot, (vehicle, off) in named if dot.worth + _FITS * (_FIT - off) > 0]
        return found

    def named(self, dot: Dot, scene: LitScene) -> Named:
        """What stands on this dot, if anything does."""
        look, room, count, _ = dot
        most = count.amounts.max()
        colours = [
            number
            for number, amount in zip(self._paints.numbers, count.amounts, strict=True)
            if amount >= min(_RIVAL * most, most - _NEARLY)
        ]
        kinds = [Kind(colour, is_locomotive) for colour in colours for is_locomotive in (False, True)]
        x, y = (part - first - 1 for part, first in zip(look.cell, scene.corner, strict=True))
        window = _window(scene.light, x * CELL_PX, y * CELL_PX)
        rows, columns = room.rows - y * CELL_PX, room.columns - x * CELL_PX
        is_inside = (rows >= 0) & (rows < WINDOW_PX) & (columns >= 0) & (columns < WINDOW_PX)
        offs: list[dict[Kind, float]] = [{} for _ in self._shapes]
        for kind in kinds:
            paint = np.zeros((WINDOW_PX, WINDOW_PX), np.float32)
            own = is_inside & (count.paint == self._paints.numbers.index(kind.colour))
            paint[rows[own], columns[own]] = 1
            seen = Seen(window, paint, look.lamp, scene.noise)
            for shapes, off in zip(self._shapes, offs, strict=True):
                if kind in shapes.looks:
                    off[kind] = shapes.cost(kind, scene.below - look.cell, scene.height, seen)
        for make, off in enumerate(offs):
            self._off[make] += min(off.values())
        costs = offs[self._shapes.index(self.shapes)]
        first, *others = sorted(costs, key=lambda kind: costs[kind])
        alike = [kind for kind in others if costs[kind] - costs[first] < _ALIKE]
        vehicle = SeenVehicle(look.cell, *first, tuple((kind.colour, kind.is_locomotive) for kind in alike))
        return Named(vehicle, costs[first])


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
