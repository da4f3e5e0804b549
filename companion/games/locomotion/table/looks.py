"""How pieces lie: in the axes of the eye and those of a network, and what they look like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from companion.games.locomotion.rules import Dot, Network, Passage, Piece, PlacedPiece, Side
from companion.games.locomotion.rules.network import cells_of
from companion.games.locomotion.rules.sides import turned_cell
from vision.watching.network_reading import Cell, NetworkReading


class Axes(NamedTuple):
    """What takes cells of the eye into those of a network: quarter turns clockwise, then a shift."""

    turn: Side = Side.E
    shift: Cell = (0, 0)

    def cell(self, cell: Cell) -> Dot:
        """The cell of the network."""
        x, y = turned_cell(cell, self.turn)
        return x + self.shift[0], y + self.shift[1]

    def then(self, other: Axes) -> Axes:
        """The axes that take a cell as these do, and on as the others do."""
        return Axes(self.turn.turned(other.turn), other.cell(self.shift))

    def reading(self, reading: NetworkReading) -> NetworkReading:
        """The same reading in the axes of the network."""
        pieces = (
            replace(piece, cell=self.cell(piece.cell), heading=Side[piece.heading].turned(self.turn).name)
            for piece in reading.pieces
        )
        vehicles = (replace(vehicle, dot=self.cell(vehicle.dot)) for vehicle in reading.vehicles)
        hidden = tuple(map(self.cell, reading.hidden))
        paints = tuple(replace(paint, dot=self.cell(paint.dot)) for paint in reading.paints)
        return replace(reading, pieces=tuple(pieces), vehicles=tuple(vehicles), hidden=hidden, paints=paints)


class Look(NamedTuple):
    """What a piece that lies somewhere looks like: its cells; its tracks, None where its heading is not sure."""

    cells: frozenset[Dot]
    tracks: frozenset[tuple[Dot, Passage]] | None

    @property
    def corner(self) -> Dot:
        """The least x and y of its cells."""
        return min(x for x, _ in self.cells), min(y for _, y in self.cells)

    def moved(self, axes: Axes) -> Look:
        """The same piece in other axes."""
        cells = frozenset(map(axes.cell, self.cells))
        if self.tracks is None:
            return Look(cells, None)
        return Look(cells, frozenset((axes.cell(cell), _turned(way, axes.turn)) for cell, way in self.tracks))

    def is_like(self, other: Look) -> bool:
        """Whether both may be one piece."""
        return self.cells == other.cells and (None in {self.tracks, other.tracks} or self.tracks == other.tracks)


def _turned(passage: Passage, turn: Side) -> Passage:
    first, second = sorted(side.turned(turn) for side in passage)
    return first, second


def look_of(piece: Piece, placed: PlacedPiece, *, is_sure: bool = True) -> Look:
    """What a piece looks like; if it is not sure how it lies only where."""
    cells = cells_of(piece, placed)
    places, heading = dict(zip(piece.cells, cells, strict=True)), Side[placed.heading]
    tracks = frozenset((places[track.cell], _turned(track.passage, heading)) for track in piece.passages)
    return Look(frozenset(cells), tracks if is_sure else None)


def looks_in(reading: NetworkReading, piece: Piece) -> Sequence[Look]:
    """What the pieces look like that are seen."""
    return [look_of(piece, PlacedPiece(seen.cell, seen.heading), is_sure=seen.is_sure) for seen in reading.pieces]


@lru_cache(maxsize=2)
def looks_of(network: Network) -> Mapping[frozenset[Dot], Look]:
    """What its pieces look like, by their cells."""
    looks = (look_of(network.piece, placed) for placed in network.pieces)
    return {look.cells: look for look in looks}


def other_headings(piece: Piece, placed: PlacedPiece) -> Sequence[PlacedPiece]:
    """How else a piece may lie on the same cells, so that it looks otherwise."""
    here = look_of(piece, placed)
    ways = [PlacedPiece(cell, heading.name) for heading in Side for cell in here.cells]
    looks = {way: look_of(piece, way) for way in ways}
    return [way for way, look in looks.items() if look.cells == here.cells and look.tracks != here.tracks]
