"""Pieces being laid: what fits where, and what that does to loops and spurs, without looking at all of them again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from companion.games.locomotion.networks.shape import NetworkShape, meeting_sides
from companion.games.locomotion.rules import Passage, Piece, PlacedPiece, Side
from companion.games.locomotion.rules.sides import Dot, beyond, turned_cell


class _Outline(NamedTuple):
    """A piece with a heading, its first cell on (0, 0).

    ``ends`` are the sides of its cells where tracks end, ``ports`` those that lead out of it. ``beside`` are the cells
    along its long sides. ``places`` and ``joints`` count as in ``shape_of``.
    """

    cells: tuple[Dot, ...]
    ends: tuple[tuple[Dot, Side], ...]
    ports: tuple[tuple[Dot, Side], ...]
    beside: tuple[tuple[Dot, int], ...]
    places: int
    joints: int


class Ground:
    """Where pieces are laid. More strictly than LSET2 asks, no two parallel ones touch along their long sides."""

    def __init__(self, piece: Piece) -> None:
        """Empty ground for pieces of this shape."""
        self._outlines = {heading: _outline(piece, heading) for heading in Side.__members__}
        self.pieces: list[PlacedPiece] = []
        self._owners: dict[Dot, PlacedPiece] = {}
        self._ends: set[tuple[Dot, Side]] = set()
        self._joined: dict[Dot, int] = {}
        self._surplus = 0
        self._spurs = 0

    @property
    def shape(self) -> NetworkShape:
        """Of what lies here, once it hangs together."""
        return NetworkShape(self._surplus + 1, self._spurs)

    def fits(self, placed: PlacedPiece) -> bool:
        """Whether its cells are free, and no parallel piece lies along its long sides."""
        outline = self._outlines[placed.heading]
        if any(_moved(cell, placed.cell) in self._owners for cell in outline.cells):
            return False
        for cell, axis in outline.beside:
            other = self._owners.get(_moved(cell, placed.cell))
            if other is not None and axis in self._long_axes(other):
                return False
        return True

    def lay(self, placed: PlacedPiece) -> None:
        """Lays a piece that fits."""
        outline = self._outlines[placed.heading]
        self.pieces.append(placed)
        self._owners |= {_moved(cell, placed.cell): placed for cell in outline.cells}
        self._ends |= {(_moved(cell, placed.cell), side) for cell, side in outline.ends}
        self._joined |= {_moved(cell, placed.cell): 0 for cell in outline.cells}
        self._surplus += outline.joints - outline.places
        for dot, side in self._joints(placed):
            self._join(dot, 1)
            if self._owners[beyond(dot, side)] is not placed:
                self._surplus += 1
                self._join(beyond(dot, side), 1)

    def take(self, placed: PlacedPiece) -> None:
        """Takes a piece away again."""
        outline = self._outlines[placed.heading]
        for dot, side in self._joints(placed):
            self._join(dot, -1)
            if self._owners[beyond(dot, side)] is not placed:
                self._surplus -= 1
                self._join(beyond(dot, side), -1)
        self._surplus -= outline.joints - outline.places
        self.pieces.remove(placed)
        for cell in outline.cells:
            del self._owners[_moved(cell, placed.cell)]
            del self._joined[_moved(cell, placed.cell)]
        self._ends -= {(_moved(cell, placed.cell), side) for cell, side in outline.ends}

    def open_ends(self) -> list[tuple[Dot, Side]]:
        """Where tracks lead out onto free ground: dot and side."""
        return [end for placed in self.pieces for end in self.open_ends_of(placed)]

    def open_ends_of(self, placed: PlacedPiece) -> list[tuple[Dot, Side]]:
        """Those of a piece that lies here."""
        ports = ((_moved(cell, placed.cell), side) for cell, side in self._outlines[placed.heading].ports)
        return [(dot, side) for dot, side in ports if beyond(dot, side) not in self._owners]

    def places_at(self, dot: Dot, side: Side) -> list[PlacedPiece]:
        """Where a piece can be laid so that a track joins it to this open end."""
        return [placed for placed in self._reaching(beyond(dot, side), side.opposite) if self.fits(placed)]

    def places_beside(self) -> list[PlacedPiece]:
        """Where a piece can be laid so that a track joins it to one that lies here, in their order."""
        return list(dict.fromkeys(placed for end in self.open_ends() for placed in self.places_at(*end)))

    def hangs_together(self) -> bool:
        """Whether tracks lead from every piece to every other."""
        waiting = deque(self.pieces[:1])
        seen = set(waiting)
        while waiting:
            placed = waiting.popleft()
            others = {self._owners[beyond(dot, side)] for dot, side in self._joints(placed)} - seen
            seen |= others
            waiting.extend(others)
        return len(seen) == len(self.pieces)

    def _reaching(self, dot: Dot, side: Side) -> Iterator[PlacedPiece]:
        """A piece wherever one of its ports would be this side of this dot."""
        for heading, outline in self._outlines.items():
            for (x, y), port in outline.ports:
                if port is side:
                    yield PlacedPiece((dot[0] - x, dot[1] - y), heading)

    def _joints(self, placed: PlacedPiece) -> list[tuple[Dot, Side]]:
        """The ends of a piece that lies here at which another end lies, of its own or of another piece."""
        ends = ((_moved(cell, placed.cell), side) for cell, side in self._outlines[placed.heading].ends)
        return [(dot, side) for dot, side in ends if (beyond(dot, side), side.opposite) in self._ends]

    def _join(self, dot: Dot, change: int) -> None:
        before = self._joined[dot]
        self._joined[dot] = before + change
        self._spurs += (before + change == 1) - (before == 1)

    def _long_axes(self, placed: PlacedPiece) -> set[int]:
        return {axis for _, axis in self._outlines[placed.heading].beside}


@cache
def _outline(piece: Piece, heading: str) -> _Outline:
    turn = Side[heading]
    cells = tuple(turned_cell(cell, turn) for cell in piece.cells)
    passages: dict[Dot, list[Passage]] = {}
    for track in piece.passages:
        first, second = sorted(side.turned(turn) for side in track.passage)
        passages.setdefault(turned_cell(track.cell, turn), []).append((first, second))
    ends = sorted({(cell, side) for cell, ways in passages.items() for way in ways for side in way})
    inside = [(cell, side) for cell, side in ends if (beyond(cell, side), side.opposite) in ends]
    long_sides = {Side[side].turned(turn) for side in piece.long_sides}
    beside = {(beyond(cell, side), side % 2) for cell in cells for side in long_sides}
    return _Outline(
        cells,
        tuple(ends),
        tuple((cell, side) for cell, side in ends if beyond(cell, side) not in cells),
        tuple(sorted((cell, axis) for cell, axis in beside if cell not in cells)),
        sum(len(meeting_sides(tuple(ways))) for ways in passages.values()),
        len(inside) // 2,
    )


def _moved(cell: Dot, by: Dot) -> Dot:
    return cell[0] + by[0], cell[1] + by[1]
