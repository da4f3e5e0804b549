"""What people say that lies and stands there, over what the eye reads; all in the axes of the eye.

They are believed for as long as the eye reads at that place what it read when they said so: after that something has
changed there, and it looks anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.locomotion.rules import BadNetwork, Dot, Piece, PlacedPiece, Side, lay
from companion.games.locomotion.rules.network import cells_of
from companion.games.locomotion.rules.piece import PIECES
from companion.games.locomotion.rules.sides import beyond, turned_cell
from companion.games.locomotion.table.looks import Look, looks_in, other_headings
from companion.games.locomotion.wording import Kind
from vision.watching.network_reading import Cell, NetworkReading, SeenPiece, SeenVehicle

NOTHING: Final = NetworkReading()

_FARTHEST: Final = 2 * PIECES
"""Cells from a piece to the next one that is laid: a slip of the finger is no network over half the world."""


class _Said(NamedTuple):
    """On these cells, where the eye reads pieces that look so, lie others."""

    cells: frozenset[Dot]
    seen: frozenset[Look]
    pieces: tuple[PlacedPiece, ...]


class Put(NamedTuple):
    """What was put right: pieces, and by dots what the eye reads there and what stands there."""

    pieces: tuple[_Said, ...] = ()
    vehicles: tuple[tuple[Cell, Kind | None, Kind | None], ...] = ()


class PutRight:
    """The pieces and vehicles that people have put right."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.seen = NOTHING
        """What the eye reads."""
        self._pieces: tuple[_Said, ...] = ()
        self._vehicles: Mapping[Cell, tuple[Kind | None, Kind | None]] = {}
        """By dots: what the eye reads there, and what stands there."""
        self._told: tuple[object, Put] | None = None
        self.reading = NOTHING
        """What lies and stands there, as far as anybody knows."""

    def __bool__(self) -> bool:
        """Whether anything was put right that still counts."""
        return bool(self._pieces or self._vehicles)

    @property
    def is_of_people_alone(self) -> bool:
        """Whether people have told all of it, and the eye nothing."""
        return bool(self) and self.seen is NOTHING

    @property
    def put(self) -> Put:
        """All that was put right and still counts, to be taken up again; the same object as long as it is the same."""
        if self._told is None or self._told[0] is not self._vehicles or self._told[1].pieces is not self._pieces:
            vehicles = tuple((dot, *said) for dot, said in self._vehicles.items())
            self._told = self._vehicles, Put(self._pieces, vehicles)
        return self._told[1]

    def take_up(self, put: Put) -> None:
        """People have said this before; as long as the eye has seen nothing all of it counts."""
        self._pieces = put.pieces
        self._vehicles = {dot: (seen, kind) for dot, seen, kind in put.vehicles}
        self._read()

    def look(self, seen: NetworkReading) -> None:
        """The eye reads this now."""
        if seen == self.seen:
            return
        self.seen = seen
        self._pieces = tuple(said for said in self._pieces if self._seen_on(said.cells) == said.seen)
        standing = _standing(seen)
        self._vehicles = {dot: said for dot, said in self._vehicles.items() if standing.get(dot) == said[0]}
        self._read()

    def lay(self, start: Cell, to: Cell) -> bool:
        """A piece lies from its first cell on, towards another cell; without one it lies where it fits best there.

        What was read on its cells does not lie there; a piece there of which it was not sure how it lies is right as it
        was read. Says whether it can be.
        """
        meant = [placed for placed in self._unsure() if start == to and start in cells_of(self.piece, placed)]
        if meant:
            self.confirm(meant)
            return True
        placed = self._fitting(start) if start == to else _heading(self.piece, start, to)
        if placed is None or not self._is_near(start):
            return False
        self._put([placed], self._on(cells_of(self.piece, placed)))
        return True

    def confirm(self, pieces: Iterable[PlacedPiece] | None = None) -> None:
        """Pieces lie as they were read, though it was not sure; all of these where none are named."""
        for placed in self._unsure() if pieces is None else pieces:
            self._put([placed], [placed])

    @property
    def placed(self) -> list[PlacedPiece]:
        """The pieces of ``reading``, in their order."""
        return [PlacedPiece(seen.cell, seen.heading) for seen in self.reading.pieces]

    def _unsure(self) -> list[PlacedPiece]:
        return [placed for placed, seen in zip(self.placed, self.reading.pieces, strict=True) if not seen.is_sure]

    def turn(self, cell: Cell) -> bool:
        """The piece on a cell lies on its cells in the next way; if there is no other one it is turned about it."""
        old = next(self._on([cell]), None)
        if old is None:
            return False
        others = other_headings(self.piece, old)
        if others:
            # By heading they come round.
            turned = min(others, key=lambda other: (Side[other.heading] - Side[old.heading]) % 4)
        else:
            own = self.piece.cells[cells_of(self.piece, old).index(cell)]
            turned = _placed(own, cell, Side[old.heading].turned(Side.S))
        self._put([turned], {old, *self._on(cells_of(self.piece, turned))})
        return True

    def take(self, cell: Cell) -> bool:
        """What stands on a cell is not there; if nothing does, the piece that lies there."""
        if any(vehicle.dot == cell for vehicle in self.reading.vehicles):
            return self.stand(cell, None)
        old = next(self._on([cell]), None)
        if old is None:
            return False
        self._put([], [old])
        return True

    def stand(self, cell: Cell, kind: Kind | None) -> bool:
        """A vehicle of this kind stands on a dot, or none; says whether there is a dot."""
        if not any(self._on([cell])):
            return False
        self._vehicles = {**self._vehicles, cell: (_standing(self.seen).get(cell), kind)}
        self._read()
        return True

    def _on(self, cells: Collection[Cell]) -> Iterator[PlacedPiece]:
        """The pieces that lie on any of these cells."""
        for placed in self.placed:
            if not {*cells_of(self.piece, placed)}.isdisjoint(cells):
                yield placed

    def _is_near(self, cell: Cell) -> bool:
        """Whether it is where a network may be laid."""
        cells = [seen.cell for seen in self.reading.pieces] or [(0, 0)]
        return any(max(abs(cell[0] - x), abs(cell[1] - y)) <= _FARTHEST for x, y in cells)

    def _seen_on(self, cells: Collection[Cell]) -> frozenset[Look]:
        return frozenset(look for look in looks_in(self.seen, self.piece) if not look.cells.isdisjoint(cells))

    def _put(self, new: Iterable[PlacedPiece], old: Iterable[PlacedPiece]) -> None:
        """Lays some, takes others away. What is said of one place is one thing, so that all of it stays or goes."""
        new, old = tuple(new), tuple(old)
        cells = {cell for placed in (*new, *old) for cell in cells_of(self.piece, placed)}
        while True:
            touched = [said for said in self._pieces if not said.cells.isdisjoint(cells)]
            wider = cells.union(*(said.cells for said in touched), *(look.cells for look in self._seen_on(cells)))
            if wider == cells:
                break
            cells = wider
        kept = [placed for placed in self._on(cells) if placed not in old and placed not in new]
        said = _Said(frozenset(cells), self._seen_on(cells), (*kept, *new))
        self._pieces = (*(other for other in self._pieces if other not in touched), said)
        self._read()

    def _read(self) -> None:
        told = frozenset[Cell]().union(*(said.cells for said in self._pieces))
        pieces = [
            seen
            for seen, look in zip(self.seen.pieces, looks_in(self.seen, self.piece), strict=True)
            if look.cells.isdisjoint(told)
        ]
        pieces += [SeenPiece(placed.cell, placed.heading) for said in self._pieces for placed in said.pieces]
        vehicles = [seen for seen in self.seen.vehicles if seen.dot not in self._vehicles]
        for dot, (_, kind) in self._vehicles.items():
            if kind is not None:
                vehicles.append(SeenVehicle(dot, kind.colour, kind.is_locomotive))
        hidden = tuple(dot for dot in self.seen.hidden if dot not in self._vehicles)
        self.reading = replace(self.seen, pieces=tuple(pieces), vehicles=tuple(vehicles), hidden=hidden)

    def _fitting(self, cell: Cell) -> PlacedPiece | None:
        """Where a piece on a free cell is joined to the most others, and may be."""
        lying = self.placed
        taken = {other for placed in lying for other in cells_of(self.piece, placed)}
        ends = {end for placed in lying for end in _ends(self.piece, placed)}
        if cell in taken:
            return None
        ways = [_placed(own, cell, heading) for heading in Side for own in self.piece.cells]
        free = [placed for placed in ways if taken.isdisjoint(cells_of(self.piece, placed))]

        def joints(placed: PlacedPiece) -> int:
            return sum((beyond(*end), end[1].opposite) in ends for end in _ends(self.piece, placed))

        most = max(map(joints, free), default=0)
        best = [placed for placed in free if joints(placed) == most]
        return next((placed for placed in best if _may_lie(self.piece, [*lying, placed])), best[0] if best else None)


def _ends(piece: Piece, placed: PlacedPiece) -> Iterator[tuple[Dot, Side]]:
    """Where tracks leave a piece: cell and side."""
    places, heading = dict(zip(piece.cells, cells_of(piece, placed), strict=True)), Side[placed.heading]
    for cell, side in piece.ports():
        yield places[cell], side.turned(heading)


def _may_lie(piece: Piece, lying: list[PlacedPiece]) -> bool:
    try:
        lay(piece, lying)
    except BadNetwork:
        return False
    return True


def _heading(piece: Piece, start: Cell, to: Cell) -> PlacedPiece:
    """A piece from its first cell on so that the farthest of its cells lies as much in that direction as can be."""
    first = piece.cells[0]
    far = max(piece.cells, key=lambda cell: (cell[0] - first[0]) ** 2 + (cell[1] - first[1]) ** 2)
    length = (far[0] - first[0], far[1] - first[1]) if far != first else (1, 0)

    def ahead(heading: Side) -> int:
        x, y = turned_cell(length, heading)
        return x * (to[0] - start[0]) + y * (to[1] - start[1])

    return _placed(first, start, max(Side, key=ahead))


def _placed(own: Cell, cell: Cell, heading: Side) -> PlacedPiece:
    """A piece of which one of its own cells is to lie on a cell."""
    across, down = turned_cell(own, heading)
    return PlacedPiece((cell[0] - across, cell[1] - down), heading.name)


def _standing(reading: NetworkReading) -> Mapping[Cell, Kind]:
    return {vehicle.dot: Kind(vehicle.colour, vehicle.is_locomotive) for vehicle in reading.vehicles}
