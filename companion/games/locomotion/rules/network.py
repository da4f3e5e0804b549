"""The network of rail pieces: its dots, the ways through them, and what joins them (LSET1 to LSET3)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import msgspec

from companion.games.locomotion.rules.errors import BadNetwork
from companion.games.locomotion.rules.piece import PIECES, Piece
from companion.games.locomotion.rules.sides import Dot, Passage, Side, beyond, turned_cell

MOST_COORDINATE = 1000
"""Of a piece's first cell. It keeps a hostile file small."""


class PlacedPiece(msgspec.Struct, frozen=True, array_like=True):
    """Where a piece lies: its first cell, and its heading."""

    cell: tuple[int, int]
    heading: str


class Network(msgspec.Struct, frozen=True):
    """A network as the rules see it. Dots are known by their number: their index in ``dots``.

    ``passages[dot]`` are the tracks through a dot, ``neighbours[dot][side]`` is the number of the dot joined there,
    None where none is.
    """

    piece: Piece
    pieces: tuple[PlacedPiece, ...]
    dots: tuple[Dot, ...]
    passages: tuple[tuple[Passage, ...], ...]
    neighbours: tuple[tuple[int | None, ...], ...]

    def number(self, dot: Dot) -> int | None:
        """The number of the dot at a place; None where there is none."""
        return self.dots.index(dot) if dot in self.dots else None

    def side_towards(self, dot: int, other: int) -> Side | None:
        """The side of a dot at which another is joined; None if it is not."""
        joined = self.neighbours[dot]
        return Side(joined.index(other)) if other in joined else None


def lay(piece: Piece, pieces: Sequence[PlacedPiece]) -> Network:
    """The network of these pieces; raises BadNetwork with the clause and the pieces that offend."""
    if not 1 <= len(pieces) <= PIECES:
        raise BadNetwork("LSET1", "piece-count", count=len(pieces), most=PIECES)
    lost = [number for number, placed in enumerate(pieces) if not _is_on_the_table(placed)]
    if lost:
        raise BadNetwork("LMAT2", "off-the-table", lost, most=MOST_COORDINATE)
    owners = _owners(piece, pieces)
    network = joined(piece, pieces)
    _check_joined(network, owners)
    _check_parallel(network, owners)
    _check_reached(network, owners)
    return network


def cells_of(piece: Piece, placed: PlacedPiece) -> tuple[Dot, ...]:
    """The cells on which a piece lies, in the order of the piece's data."""
    x, y = placed.cell
    turned = (turned_cell(cell, Side[placed.heading]) for cell in piece.cells)
    return tuple((x + across, y + down) for across, down in turned)


def _is_on_the_table(placed: PlacedPiece) -> bool:
    return placed.heading in Side.__members__ and all(abs(length) <= MOST_COORDINATE for length in placed.cell)


def _owners(piece: Piece, pieces: Sequence[PlacedPiece]) -> dict[Dot, int]:
    owners: dict[Dot, int] = {}
    for number, placed in enumerate(pieces):
        for cell in cells_of(piece, placed):
            if cell in owners:
                raise BadNetwork("LSET1", "overlap", [owners[cell], number], dot=cell)
            owners[cell] = number
    return owners


def joined(piece: Piece, pieces: Sequence[PlacedPiece]) -> Network:
    """These pieces as they lie, also where no network may be laid so: while it is being laid, as an example."""
    passages: dict[Dot, list[Passage]] = {}
    for placed in pieces:
        heading = Side[placed.heading]
        cells = dict(zip(piece.cells, cells_of(piece, placed), strict=True))
        for track in piece.passages:
            first, second = sorted(side.turned(heading) for side in track.passage)
            passages.setdefault(cells[track.cell], []).append((first, second))
    dots = tuple(sorted(passages))
    numbers = {dot: number for number, dot in enumerate(dots)}
    ends = {dot: {side for passage in ways for side in passage} for dot, ways in passages.items()}

    def joined_to(dot: Dot, side: Side) -> int | None:
        other = beyond(dot, side)
        return numbers[other] if side in ends[dot] and side.opposite in ends.get(other, ()) else None

    neighbours = tuple(tuple(joined_to(dot, side) for side in Side) for dot in dots)
    return Network(piece, tuple(pieces), dots, tuple(tuple(sorted(passages[dot])) for dot in dots), neighbours)


def _check_joined(network: Network, owners: dict[Dot, int]) -> None:
    joined = {owner for pair in _joined_owners(network, owners) for owner in pair}
    alone = [number for number in range(len(network.pieces)) if number not in joined]
    if alone and len(network.pieces) > 1:
        raise BadNetwork("LSET1", "apart", alone)


def _joined_owners(network: Network, owners: dict[Dot, int]) -> Iterable[tuple[int, int]]:
    for dot, joined in zip(network.dots, network.neighbours, strict=True):
        for other in joined:
            if other is not None and owners[dot] != owners[network.dots[other]]:
                yield owners[dot], owners[network.dots[other]]


def _check_parallel(network: Network, owners: dict[Dot, int]) -> None:
    # Pieces that only lie side by side, with no track from the one to the other, are not joined.
    for dot, joined in zip(network.dots, network.neighbours, strict=True):
        for side, other in enumerate(joined):
            if other is None:
                continue
            here, there = owners[dot], owners[network.dots[other]]
            is_along = side in _long_sides(network, here) and Side(side).opposite in _long_sides(network, there)
            if here != there and is_along:
                raise BadNetwork("LSET2", "parallel", sorted([here, there]))


def _long_sides(network: Network, number: int) -> set[Side]:
    """Towards which sides a piece has its long ones, as it lies."""
    heading = Side[network.pieces[number].heading]
    return {Side[side].turned(heading) for side in network.piece.long_sides}


def _check_reached(network: Network, owners: dict[Dot, int]) -> None:
    # From each of them: a way on need not lead on from where another one ends.
    everywhere = frozenset(range(len(network.dots)))
    parts = parts_of(network)
    reached = {frozenset().union(*(part for part in parts if start in part)) for start in everywhere}
    missed = {owners[network.dots[dot]] for dots in reached for dot in everywhere - dots}
    if missed:
        raise BadNetwork("LSET3", "out-of-reach", sorted(missed))


def parts_of(network: Network) -> list[frozenset[int]]:
    """The dots that a locomotive alone can reach along one passage after another (LRUN2); several may share a dot.

    Each way can be gone back, so from a dot it reaches the parts that the dot is in, and no others.
    """
    left = {(dot, way) for dot, ways in enumerate(network.passages) for way in ways}
    parts = []
    while left:
        part, waiting = set(), deque([left.pop()])
        while waiting:
            dot, passage = waiting.popleft()
            part.add(dot)
            for side in passage:
                other = network.neighbours[dot][side]
                if other is None:
                    continue
                entered = {(other, way) for way in network.passages[other] if side.opposite in way} & left
                waiting.extend(entered)
                left -= entered
        parts.append(frozenset(part))
    return parts
