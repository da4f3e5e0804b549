"""Reads a network of dots from pictures: where its grid lies, which pieces lie on it, and what stands on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Floats32, Outlines, Picture
from vision.networks.grid.grid_picture import CELL_PX, Extent, cell_dots, grid_picture, linear
from vision.networks.grid.grid_view import GridView, Lattice, is_beyond
from vision.networks.grid.lattice import Grid
from vision.networks.pieces.piece_look import PieceLook, Placement, learnt_print, shift_px
from vision.networks.pieces.pieces import CellLooks, Covered, LyingPiece, as_turned, cell_looks, lying_pieces
from vision.networks.told import Lay, Told, how_it_lies
from vision.networks.vehicles.paints import (
    Colour,
    Paints,
    SeenPlace,
    lamp_by_paints,
    lamps_by_print,
    noise_of,
    paints_seen,
    unlike_all,
    unlikeness,
    usual_lamp,
)
from vision.networks.vehicles.standing_room import cells_of_picture, rooms, untouched
from vision.networks.vehicles.vehicle_shapes import Kind, VehicleShapes, own_shapes
from vision.networks.vehicles.vehicles import (
    BARE,
    EMPTY,
    Dot,
    DotLook,
    LitScene,
    VehicleNames,
    as_told,
    counted,
    occupied,
)
from vision.rendering.scene import VehicleLook
from vision.watching.network_reading import Cell, SeenPaint, SeenVehicle

_FINE: Final = 1.5
"""Of a picture with so many px more than are needed half as many a side are looked at."""
_PRINTED: Final = 0.5
"""A cell that looks so much like a piece's is one, and tells of the light."""
_ROUNDS: Final = 6
"""So often a grid is fitted anew at most; each time about a piece more is seen at its rim."""
_FEWEST: Final = 5
"""Cells say where a grid lies."""
_SHARE: Final = 0.1
"""Where less of a cell is of a vehicle's paint nothing stands there; a locomotive is half of it."""
_MARGIN: Final = 1
"""So many cells beyond a piece's length around the network are looked at."""
_ROOM: Final = 0.42
"""How far from the middle of its dot a vehicle reaches, in cells: half its length."""
_UNLIKE: Final = 1.5
"""Px that are off a paint by fewer deviations look like it."""
_CORE: Final = 0.3
"""So far from its middle most is of a vehicle, in cells."""
_USUAL_HEIGHT: Final = 0.5
"""About how high a vehicle is, in cells, where nobody knows."""
_SAMPLE: Final = 6
_MIDDLE: Final = np.array([(x, y) for x in (-3, -1, 1, 3) for y in (-3, -1, 1, 3)])
"""Px around the middle of what stands on a dot."""


class NetworkSight(NamedTuple):
    """What is seen of a network: its pieces and vehicles, where its cells are seen, how what was told lies there."""

    grid: Grid
    seen: Lattice
    pieces: tuple[LyingPiece, ...] = ()
    vehicles: tuple[SeenVehicle, ...] = ()
    hidden: tuple[Cell, ...] = ()
    lay: Lay | None = None
    paints: tuple[SeenPaint, ...] = ()

    def fitted_grid(self, picture: Picture, *, least: int = _FEWEST) -> Grid:
        """Its grid where its cells are seen in the picture (h × w × 3) that it was read from, or one like it.

        As it is where fewer than the ``least`` lie beside one another.
        """
        part = self.seen.largest_part()
        return self.grid if len(part.cells) < least else self.grid.fitted(part, picture)


class _Evidence(NamedTuple):
    """What a picture says of the cells of an extent: its light, how they look, their dots, and which it misses.

    ``noise`` is that of a px of the light.
    """

    extent: Extent
    light: Floats32
    noise: float
    looks: CellLooks
    dots: Floats
    beyond: Flags


class NetworkReader:
    """Reads pictures of networks of one piece, with vehicles of some looks on them."""

    def __init__(self, look: PieceLook, vehicles: Mapping[Kind, VehicleLook], cell_mm: float) -> None:
        """``cell_mm`` is a cell's side. Without vehicles nobody can say what stands there."""
        self._look = self._given_look = look
        self._given, self._cell_mm = vehicles, cell_mm
        self._know([VehicleShapes(vehicles, cell_mm)])
        self._length = max(max(abs(x), abs(y)) for x, y in look.turned(0)) + 1
        heights = [vehicle.size_mm[2] for kind, vehicle in vehicles.items() if not kind.is_locomotive]
        self._height = (max(heights) if heights else 0.0) / cell_mm

    def use(self, colours: Mapping[int, Colour]) -> None:
        """The vehicles have these colours, whatever they are made of; those that it was given where there are none."""
        if not colours:
            self._know([VehicleShapes(self._given, self._cell_mm)])
            return
        self._know(own_shapes(self._given, colours, self._cell_mm))

    def use_print(self, picture: Picture | None) -> None:
        """A piece looks like this, as ``learn_print`` has found; None: as it was given."""
        look = self._given_look
        learnt = PieceLook(look.cells, picture, is_same_turned=look.is_same_turned, is_learnt=True)
        self._look = look if picture is None else learnt

    def learn_print(self, picture: Picture, sight: NetworkSight) -> Picture | None:
        """What a piece looks like of which nothing was known, where it is known how all lie; None where that fails."""
        if self._look.has_print or sight.lay is None:
            return None
        evidence = self._evidence(picture, sight.grid)
        taken = {*sight.hidden, *(vehicle.dot for vehicle in sight.vehicles)}
        lying = [piece.placement for piece in sight.pieces]
        return learnt_print(evidence.light, evidence.extent, self._look, lying, taken)

    def _know(self, shapes: Sequence[VehicleShapes]) -> None:
        looks = sorted(shapes[0].looks.items(), reverse=True)
        self._paints = Paints.of({kind.colour: look.colour for kind, look in looks})
        self._names = VehicleNames(shapes, self._paints)

    def whole(self, picture: Picture, grid: Grid, told: Told) -> NetworkSight:
        """What lies and stands on a grid of which a part is known well: fitted anew as more of it is seen."""
        sight = self.read(picture, grid, told)
        for _ in range(_ROUNDS):
            known = len(sight.seen.cells)
            fitted = self.read(picture, sight.fitted_grid(picture), told)
            if len(fitted.seen.cells) < known:
                break
            sight = fitted
            if len(fitted.seen.cells) == known:
                break
        return sight

    def read(
        self, picture: Picture, grid: Grid, told: Told, before: NetworkSight | None = None, changed: Flags | None = None
    ) -> NetworkSight:
        """What lies and stands on a grid.

        ``before`` is what was there in a picture before; ``changed`` (h × w, of the picture at a quarter of its size)
        where something else is seen since then: what stands elsewhere stays as it was.
        """
        evidence = self._evidence(picture, grid)
        lay = self._lay(told, evidence, before)
        known = before.pieces if before is not None and lay is None else ()
        laid = [] if lay is None else [lay.laid(placement, self._look) for placement in told.pieces]
        pieces, lamps = self._pieces(grid.view, evidence, known, laid)
        if laid:
            # Nothing is laid any more: what looks like another piece is the table, and would be looked for ever after.
            pieces = [piece for piece in pieces if piece.placement in laid]
        sure = set() if before is None else {piece.placement for piece in before.pieces if piece.is_sure}
        pieces = [piece._replace(is_sure=piece.is_sure or piece.placement in sure) for piece in pieces]
        pieces = as_turned(pieces, evidence.looks, evidence.extent, self._look, sure)
        vehicles, hidden, paints = self._standing(
            grid.view,
            evidence,
            pieces,
            lamps,
            size=(picture.shape[1], picture.shape[0]),
            told=told,
            before=before,
            changed=changed,
        )
        pieces = self._doubted(pieces, sure.union(laid), {*hidden, *(vehicle.dot for vehicle in vehicles)})
        cells = tuple(cell for piece in pieces for cell in self.cells_of(piece.placement))
        seen = self._cells_seen(grid.view, evidence, pieces)
        return NetworkSight(
            grid._replace(cells=cells or grid.cells), seen, tuple(pieces), vehicles, hidden, lay, paints
        )

    @property
    def vehicles(self) -> Mapping[Kind, VehicleLook]:
        """How the vehicles look."""
        return self._names.shapes.looks

    def outlines(self, sight: NetworkSight) -> Outlines:
        """The corners of the rectangle around each piece (n × 4 × 2, px)."""
        corners = []
        for piece in sight.pieces:
            xs, ys = zip(*self.cells_of(piece.placement), strict=True)
            left, top, right, bottom = min(xs) - 0.5, min(ys) - 0.5, max(xs) + 0.5, max(ys) + 0.5
            corners += [(left, top), (right, top), (right, bottom), (left, bottom)]
        return sight.grid.view.in_picture(np.array(corners).reshape(-1, 2)).reshape(-1, 4, 2)

    def cells_of(self, placement: Placement) -> tuple[Cell, ...]:
        """The cells that a piece covers."""
        x, y = placement.cell
        return tuple((x + own_x, y + own_y) for own_x, own_y in self._look.turned(placement.heading))

    def _doubted(
        self, pieces: Sequence[LyingPiece], known: Collection[Placement], hidden: Collection[Cell]
    ) -> list[LyingPiece]:
        """The pieces; one that was never seen bare is not sure where something stands on all that tells how it lies."""

        def is_hidden(placement: Placement) -> bool:
            telling = [cell for own, cell in enumerate(self.cells_of(placement)) if own in self._look.telling]
            return bool(telling) and all(cell in hidden for cell in telling)

        return [
            piece._replace(is_sure=False) if piece.placement not in known and is_hidden(piece.placement) else piece
            for piece in pieces
        ]

    def _cells_seen(self, view: GridView, evidence: _Evidence, pieces: Sequence[LyingPiece]) -> Lattice:
        """The cells of pieces on which nothing stands, and where their middles are seen, by how far off they lie."""
        cells, places = [], []
        for placement in (piece.placement for piece in pieces):
            for own, cell in enumerate(self.cells_of(placement)):
                place = evidence.extent.place(*cell)
                if place is not None and evidence.looks.likeness[place, placement.heading, own] > _PRINTED:
                    shift = int(evidence.looks.shifts[place, placement.heading, own])
                    cells.append(cell)
                    places.append(np.array(cell) + shift_px(shift) / CELL_PX)
        return Lattice(np.array(cells, int).reshape(-1, 2), view.in_picture(np.array(places).reshape(-1, 2)))

    def _evidence(self, picture: Picture, grid: Grid) -> _Evidence:
        xs, ys = zip(*grid.cells, strict=True)
        margin = self._length + _MARGIN
        left, top = min(xs) - margin, min(ys) - margin
        extent = Extent(left, top, max(xs) + margin + 1 - left, max(ys) + margin + 1 - top)
        size = picture.shape[1], picture.shape[0]
        scale = 0.5 if grid.view.cell_px > _FINE * CELL_PX else 1.0
        if scale < 1:
            picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        seen = grid_picture(picture, grid.view, extent, CELL_PX, scale=scale)
        dots = cell_dots(seen, extent)
        on = np.zeros(len(dots), bool)
        on[[place for cell in grid.cells if (place := extent.place(*cell)) is not None]] = True
        usual = float(np.percentile(dots[on], 70))
        dots = np.minimum(dots / max(usual, 1e-3), 1.0)
        on &= dots > _PRINTED
        looks = cell_looks(cells_of_picture(seen, extent), on, self._look)
        # Beyond the picture nothing is seen, but what is at its border.
        beyond = is_beyond(grid.view, extent.cells(), size)
        looks.likeness[beyond] = -1.0
        light = linear(seen)
        return _Evidence(extent, light, noise_of(light), looks, dots, beyond)

    def _lay(self, told: Told, evidence: _Evidence, before: NetworkSight | None) -> Lay | None:
        if not told.pieces:
            return None
        known = None if before is None else before.lay
        taken = [] if before is None else [vehicle.dot for vehicle in before.vehicles]
        return how_it_lies(told, evidence.looks.likeness, evidence.extent, self._look, before=known, taken=taken)

    def _pieces(
        self, view: GridView, evidence: _Evidence, known: Sequence[LyingPiece], told: Sequence[Placement]
    ) -> tuple[list[LyingPiece], Floats]:
        """The pieces, and the light in the middle of each cell (n × 3)."""
        extent, looks = evidence.extent, evidence.looks
        lamps = self._printed_lamps(evidence) if self._look.has_print else np.ones((len(evidence.dots), 3))
        if not self._look.has_print or self._look.is_learnt:
            pieces = lying_pieces(looks, extent, self._look, None, known=known, told=told)
            plain = self._plain_lamps(view, evidence, pieces)
            # A print that was learnt in some light tells where it is brighter now, but nothing of its colour.
            levels = lamps.mean(axis=1, keepdims=True)
            lamps = plain * levels / np.median(levels)
        laid = [*(piece.placement for piece in known), *told]
        covered = self._covered(view, evidence, lamps, [cell for piece in laid for cell in self.cells_of(piece)])
        return lying_pieces(looks, extent, self._look, covered, known=known, told=told), lamps

    def _printed_lamps(self, evidence: _Evidence) -> Floats:
        likeness = evidence.looks.likeness.reshape(len(evidence.dots), -1)
        known = np.flatnonzero(evidence.looks.best > _PRINTED)
        seen = cells_of_picture(evidence.light, evidence.extent)[known].mean(axis=(1, 2))
        cells = evidence.extent.cells().astype(np.float64)
        return lamps_by_print(cells[known], seen / self._look.light[likeness[known].argmax(axis=1)], cells)

    def _plain_lamps(self, view: GridView, evidence: _Evidence, pieces: Sequence[LyingPiece]) -> Floats:
        bare, taken = self._bare(evidence, pieces)
        around = rooms(taken, view, evidence.extent, self._height, _ROOM)
        lamp = lamp_by_paints(evidence.light, bare, around, self._paints, evidence.noise)
        return np.broadcast_to(lamp, (len(evidence.dots), 3))

    def _bare(self, evidence: _Evidence, pieces: Sequence[LyingPiece]) -> tuple[Floats, list[Cell]]:
        """What most of empty cells sends back of the light (3), and the cells that are not empty."""
        cells = [cell for piece in pieces for cell in self.cells_of(piece.placement)]
        places = np.array([place for cell in cells if (place := evidence.extent.place(*cell)) is not None], int)
        is_bare = evidence.dots[places] > _PRINTED
        bare = cells_of_picture(evidence.light, evidence.extent)[places[is_bare]]
        taken = [cell for cell, is_empty in zip(cells, is_bare, strict=False) if not is_empty]
        return np.median((bare if len(bare) else evidence.light).reshape(-1, 3), axis=0), taken

    def _covered(self, view: GridView, evidence: _Evidence, lamps: Floats, laid: Collection[Cell]) -> Covered:
        """How much of each cell something stands on, as far as its middle tells: what is of a vehicle's paint.

        On cells where pieces were ``laid`` it is perhaps all that does not look like the table.
        """
        extent, light = evidence.extent, evidence.light
        cells = extent.cells()
        if not len(self._paints.numbers):
            return Covered(np.zeros(len(cells)), np.zeros(len(cells)))
        away = cells - view.below_camera
        lean = away * (self._height / 2 / max(view.viewpoint.height_mm - self._height, 1.0))
        middles = (cells - (extent.left, extent.top) + 0.5 + lean) * CELL_PX
        px = np.round(middles[:, None] + _MIDDLE - 0.5).astype(int)
        rows, columns = (np.clip(px[..., axis], 0, light.shape[1 - axis] - 1) for axis in (1, 0))
        colours = light[rows, columns]
        # One lamp for all: most of these cells lie beside the network.
        off = unlikeness(colours.reshape(-1, 3), self._paints.light, np.median(lamps, axis=0), evidence.noise)
        share = (off < _UNLIKE).reshape(len(cells), len(_MIDDLE), -1).mean(axis=1)
        is_table = evidence.looks.best < 0
        # A table of a vehicle's colour tells nothing.
        usual = np.percentile(share[is_table], 85, axis=0) if is_table.any() else 0.0
        may_be = (evidence.looks.best < _PRINTED) & ~evidence.beyond
        for_sure, perhaps = np.clip(share - usual, 0, 1).max(axis=1), share.max(axis=1)
        at = [place for cell in laid if (place := extent.place(*cell)) is not None and may_be[place]]
        if at:
            beside = is_table.copy()
            beside[at] = False
            perhaps[at] = np.maximum(perhaps[at], unlike_all(colours[at], colours[beside]))
        return Covered(*(np.where((part > _SHARE) & may_be, part, 0.0) for part in (for_sure, perhaps)))

    def _standing(
        self,
        view: GridView,
        evidence: _Evidence,
        pieces: Sequence[LyingPiece],
        lamps: Floats,
        *,
        size: tuple[int, int],
        told: Told,
        before: NetworkSight | None,
        changed: Flags | None,
    ) -> tuple[tuple[SeenVehicle, ...], tuple[Cell, ...], tuple[SeenPaint, ...]]:
        looks = [look for piece in pieces for look in self._dot_looks(piece.placement, evidence, lamps)]
        if not looks or not len(self._paints.numbers):
            return (), (), ()
        out = is_beyond(view, np.array([look.cell for look in looks]), size)
        hidden = tuple(look.cell for look, is_out in zip(looks, out, strict=True) if is_out)
        # Of those that are empty for sure a few tell what pieces are made of.
        looks = [look for number, look in enumerate(looks) if look.bare < EMPTY or number % _SAMPLE == 0]
        around = rooms([look.cell for look in looks], view, evidence.extent, self._height, _ROOM)
        kept: dict[Cell, SeenVehicle | None] = {}
        if before is not None and changed is not None and not told.asks_paints:
            stood = {seen.dot: seen for seen in before.vehicles}
            kept = {cell: stood.get(cell) for cell in untouched([look.cell for look in looks], view, changed)}
        asked = [number for number, look in enumerate(looks) if look.bare > EMPTY or look.cell not in kept]
        looks, around = [looks[number] for number in asked], [around[number] for number in asked]
        counts = counted(evidence.light, looks, around, self._paints, cell_mm=self._cell_mm, noise=evidence.noise)
        worth = occupied(looks, counts)
        corner = evidence.extent.left, evidence.extent.top
        scene = LitScene(evidence.light, corner, evidence.noise, view.below_camera, view.viewpoint.height_mm)
        vehicles = self._names.standing(list(map(Dot, looks, around, counts, worth.tolist())), scene)
        vehicles += [
            seen for seen in kept.values() if seen is not None and seen.dot not in {look.cell for look in looks}
        ]
        paints: tuple[SeenPaint, ...] = ()
        if told.asks_paints:
            taken = [look for look, much in zip(looks, worth, strict=True) if much > 0 or look.bare < BARE]
            dots, lights = [look.cell for look in taken], [look.lamp for look in taken]
            cores = rooms(dots, view, evidence.extent, self._height or _USUAL_HEIGHT, _CORE)
            whites = lights
            if not self._look.has_print or self._look.is_learnt:
                # How bright the lamp is, and its colour, follow from paints that may be others than they are.
                white = usual_lamp(self._bare(evidence, pieces)[0]) / np.median(lamps.mean(axis=1))
                whites = [white * lamp.mean() for lamp in lights]
            places = [SeenPlace(*place) for place in zip(dots, cores, lights, whites, strict=True)]
            paints = paints_seen(evidence.light, places, self._paints)
        vehicles.sort(key=lambda seen: seen.dot)
        return as_told(vehicles, dict(told.vehicles)), hidden, paints

    def _dot_looks(self, placement: Placement, evidence: _Evidence, lamps: Floats) -> list[DotLook]:
        found = []
        for own, cell in enumerate(self.cells_of(placement)):
            place = evidence.extent.place(*cell)
            if place is not None:
                likeness = float(evidence.looks.likeness[place, placement.heading, own])
                found.append(DotLook(cell, float(evidence.dots[place]), likeness, lamps[place]))
        return found
