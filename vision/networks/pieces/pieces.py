"""Which pieces lie on a grid, by what each of its cells looks like."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Flags, FloatPicture, Floats, Floats32, Indices
from vision.networks.grid.grid_picture import CELL_PX, Extent
from vision.networks.pieces.packing import Candidate, Packed, packed
from vision.networks.pieces.piece_look import REACH_PX, SHIFTS, PieceLook, Placement, normalized, patterns_of
from vision.watching.network_reading import Cell

_MOST: Final = 1.2
"""A cell explains no more than so much, where most that lie there explain 1."""
_LEAST: Final = 0.2
"""A piece explains so much at least, in cells; and in each of its cells, if none of them is seen but for a vehicle."""
_SEEN: Final = 0.4
"""A cell of a piece is seen that looks at least so much like it."""
_COVERED: Final = 0.3
"""What a cell is worth of which nothing is seen as something stands on all of it."""
_AGAINST: Final = 2.0
_EXPECTED: Final = 0.5
"""By how much a piece is likelier to lie where it was last, or where people have been told to lay it, a cell."""
_FIRM: Final = 0.7
"""With what is known of it, each cell of a piece that looks so much like it explains as much as any can."""
_TURNED: Final = 0.3
"""By how much more like a piece turned by half a cell looks that tells both apart, where it lies so. (Of 355 printed
pieces in any light, whose telling cells were bare, each looked by .35 at least more like what it was.)"""
_LEAST_APART: Final = 0.1
"""By how much more alike cells and pieces are where one lies, at least, half of it: else nobody sees the difference."""
_ROUNDS: Final = 5
_UNSEEN: Final = -0.6
"""What speaks at most against a cell of a piece that is known to lie there: what stands on it may be anything. Where
all of its cells look like the table it has been taken."""
_KEPT: Final = 0.5
"""So many of the pieces of a part are among those of the whole network: a few may have seemed to lie one cell off."""
SURE: Final = 0.15
"""By how much less anything else has to explain, in cells, for a piece to be sure. (Measured by network_tables.py.)"""


class CellLooks(NamedTuple):
    """How much each cell of an extent looks like each of a piece (n × headings × cells).

    1: like most that lie there, -1: like most of the table. ``shifts`` (the same): the shift at which each does.
    """

    likeness: Floats32
    shifts: Indices

    @property
    def best(self) -> Floats32:
        """How much each looks like that which it looks like most."""
        return np.asarray(self.likeness.max(axis=(1, 2)))


class Covered(NamedTuple):
    """How much of each cell (n) something stands on, 0 to 1: for sure, and perhaps: it may be the table as well."""

    for_sure: Floats
    perhaps: Floats


class LyingPiece(NamedTuple):
    """A piece that lies there; sure where nothing else would explain nearly as much."""

    placement: Placement
    is_sure: bool


def own_look(cells: FloatPicture, on_dots: Flags, look: PieceLook) -> FloatPicture:
    """How cells look that have a dot, by what is seen of them: prints of a piece of which no picture is known."""
    side = CELL_PX + 2 * REACH_PX
    seen = cells[on_dots]
    middle = np.median(seen, axis=0)
    alike = (middle + np.rot90(middle) + np.rot90(middle, 2) + np.rot90(middle, 3)) / 4
    wide = np.pad(alike, ((REACH_PX,) * 2, (REACH_PX,) * 2, (0, 0)), mode="edge")
    return np.broadcast_to(wide, (len(look.headings), len(look.cells), side, side, 3)).astype(np.float32)


def cell_looks(cells: FloatPicture, on_dots: Flags, look: PieceLook) -> CellLooks:
    """What each cell (n × side × side × 3) looks like; on some of them (n) there are dots.

    Raises ValueError where there are none.
    """
    if not on_dots.any():
        raise ValueError("No cell has a dot.")
    patterns = look.patterns if look.has_print else patterns_of(own_look(cells, on_dots, look))
    alike = (normalized(cells) @ patterns.T).reshape(len(cells), len(look.headings), len(look.cells), SHIFTS)
    shifts = alike.argmax(axis=3)
    likeness = np.take_along_axis(alike, shifts[..., None], 3)[..., 0]
    best = likeness.max(axis=(1, 2))
    there, table = _two_kinds(best, on_dots)
    middle = (there + table) / 2
    scaled = (likeness - middle) / max(there - middle, _LEAST_APART)
    return CellLooks(np.asarray(np.clip(scaled, -1, _MOST), np.float32), shifts)


def _two_kinds(best: Floats32, on_dots: Flags) -> tuple[float, float]:
    """How much cells look like a piece's where one lies, and where none does."""
    there, table = float(np.percentile(best[on_dots], 95)), float(np.median(best))
    for _ in range(_ROUNDS):
        middle = (there + table) / 2
        is_there = best > middle
        if is_there.all() or not (is_there & on_dots).any():
            break
        there, table = float(np.median(best[is_there & on_dots])), float(np.median(best[~is_there]))
    return there, table


def lying_pieces(
    looks: CellLooks,
    extent: Extent,
    look: PieceLook,
    covered: Covered | None = None,
    *,
    known: Collection[LyingPiece] = (),
    told: Collection[Placement] = (),
) -> list[LyingPiece]:
    """The pieces that explain best what the cells look like.

    ``known`` are pieces that lay there before, ``told`` those that people have been told to lay.
    """
    # Of a print that was doubtful before, the next picture says anew how it lies: else a guess would make itself sure.
    expected = [*(piece.placement for piece in known if piece.is_sure or not look.has_print), *told]
    # A cell that looks like the table speaks more against a piece than one that looks like it speaks for it.
    likeness = np.where(looks.likeness < 0, _AGAINST * looks.likeness, looks.likeness)
    for_sure, perhaps = (_maps(likeness, part, extent) for part in covered or (None, None))
    candidates = {one.placement: one for one in _by_looks(for_sure, extent, look)}
    for placement in (*(piece.placement for piece in known), *told):
        candidates.pop(placement, None)
        bonus = _EXPECTED if placement in expected else 0.0
        candidates |= {one.placement: one for one in _as_known(placement, perhaps, extent, look, bonus)}
    is_told = look.has_print or look.is_same_turned
    chosen = _packed_around(candidates, expected, perhaps, extent, look)
    cells = [candidates[piece.placement].cells for piece in chosen]
    seen = [
        len(look.cells) if piece.placement in told else _cells_seen(looks.likeness, piece.placement, extent, look)
        for piece in chosen
    ]
    return [
        LyingPiece(piece.placement, piece.margin > SURE and (is_told or piece.placement in told))
        for piece, is_joined in zip(chosen, _joined(cells, seen), strict=True)
        if is_joined
    ]


def shows_more(found: Collection[LyingPiece], before: Collection[LyingPiece]) -> bool:
    """Whether pieces were found of which some lay there ``before``, as a part of the network.

    On a cloth that is a grid itself any number may seem to lie, but most of those that lay there do not.
    """
    known = {piece.placement for piece in before}
    return len(found) > len(before) and len(known.intersection(piece.placement for piece in found)) > _KEPT * len(known)


def as_turned(
    pieces: Sequence[LyingPiece], looks: CellLooks, extent: Extent, look: PieceLook, before: Collection[Placement]
) -> list[LyingPiece]:
    """The pieces, turned by half where they clearly look so, whatever they were before or people were told to lay.

    Nothing but its print says so: who lays a piece the wrong way round covers the same cells. What lay so ``before``
    does so as long as nothing shows that it does not.
    """
    back = look.turned_by_half
    if back is None or not look.telling:
        return list(pieces)
    turned = []
    for piece in pieces:
        (x, y), heading = piece.placement
        cells = [(x + own_x, y + own_y) for own_x, own_y in look.turned(heading)]
        other = Placement(cells[back.index(0)], (heading + 2) % 4)
        more = []
        for own in look.telling:
            place = extent.place(*cells[own])
            if place is not None:
                there, here = looks.likeness[place, other.heading, back[own]], looks.likeness[place, heading, own]
                more += [float(there - here)] if max(there, here) > _SEEN else []
        is_turned = len(more) == len(look.telling) and min(more) > _TURNED
        is_kept = other in before and not (more and max(more) < -_TURNED)
        turned.append(LyingPiece(other, is_sure=True) if is_turned or is_kept else piece)
    return turned


def _packed_around(
    candidates: Mapping[Placement, Candidate],
    expected: Sequence[Placement],
    maps: Floats32,
    extent: Extent,
    look: PieceLook,
) -> list[Packed]:
    """The pieces that explain most. Known ones of which all cells look much like them stay: nothing explains more."""
    firm = [
        candidates[placement]
        for placement in expected
        if placement in candidates and min(_values(placement, maps, extent, look)) > _FIRM
    ]
    taken = frozenset[Cell]().union(*(candidate.cells for candidate in firm))
    free = [one for one in candidates.values() if not one.cells & taken]
    return [*(Packed(one.placement, one.worth) for one in firm), *packed(free)]


def _cells_seen(likeness: Floats32, placement: Placement, extent: Extent, look: PieceLook) -> int:
    """How many of a piece's cells look like it."""
    (x, y), heading = placement
    places = ((own, extent.place(x + own_x, y + own_y)) for own, (own_x, own_y) in enumerate(look.turned(heading)))
    return sum(float(likeness[place, heading, own]) > _SEEN for own, place in places if place is not None)


def _joined(pieces: Sequence[frozenset[Cell]], seen: Sequence[int]) -> list[bool]:
    """Which pieces, of which so many cells each are ``seen``, are of the network, or of a part that lies apart from it.

    What something stands on wherever it might be seen may be anything dark, or a coin: of a part that lies apart half
    of the cells are seen, or it is none.
    """
    parts = _parts(pieces)
    bare = [sum(seen[number] for number in part) for part in parts]
    most = max(bare, default=0)
    is_joined = [False] * len(pieces)
    for part, count in zip(parts, bare, strict=True):
        is_part = count == most or 2 * count >= sum(len(pieces[number]) for number in part)
        for number in part if count and is_part else ():
            is_joined[number] = True
    return is_joined


def _parts(pieces: Sequence[frozenset[Cell]]) -> list[list[int]]:
    """The numbers of pieces that lie beside one another, directly or by way of others."""
    of_cell = {cell: number for number, cells in enumerate(pieces) for cell in cells}
    left, parts = set(range(len(pieces))), []
    while left:
        part = [left.pop()]
        for number in part:
            sides = ((x + i, y + j) for x, y in pieces[number] for i, j in ((1, 0), (0, 1), (-1, 0), (0, -1)))
            beside = {of_cell[cell] for cell in sides if cell in of_cell} & left
            left -= beside
            part += beside
        parts.append(part)
    return parts


def _maps(likeness: Floats32, covered: Floats | None, extent: Extent) -> Floats32:
    """Likenesses (rows × columns × headings × cells) where what is covered is neither like a piece nor unlike it."""
    if covered is not None:
        standing = _COVERED * covered[:, None, None]
        likeness = np.where(standing > 0, np.maximum(likeness, standing), likeness)
    return np.asarray(likeness.reshape(extent.rows, extent.columns, *likeness.shape[1:]), np.float32)


def _by_looks(maps: Floats32, extent: Extent, look: PieceLook) -> Iterator[Candidate]:
    """The pieces that may lie there by what is seen; ``maps`` (rows × columns × headings × cells) are likenesses."""
    reach = max(abs(part) for cell in look.turned(0) for part in cell)
    wide = np.pad(maps, ((reach, reach), (reach, reach), (0, 0), (0, 0)), constant_values=-_AGAINST)
    for heading in look.headings:
        cells = look.turned(heading)
        seen = np.stack(
            [
                wide[reach + y : reach + y + extent.rows, reach + x : reach + x + extent.columns, heading, own]
                for own, (x, y) in enumerate(cells)
            ]
        )
        worth = seen.sum(axis=0)
        for row, column in np.argwhere(worth > _LEAST * np.where(seen.max(axis=0) > _SEEN, 1, len(cells))).tolist():
            x, y = column + extent.left, row + extent.top
            covered = frozenset((x + own_x, y + own_y) for own_x, own_y in cells)
            yield Candidate(Placement((x, y), heading), covered, float(worth[row, column]))


def _as_known(
    placement: Placement, maps: Floats32, extent: Extent, look: PieceLook, bonus: float
) -> Iterator[Candidate]:
    """A piece that lay there, if it may lie there still; by ``bonus`` a cell it is likelier to do so."""
    (x, y), heading = placement
    cells = [(x + own_x, y + own_y) for own_x, own_y in look.turned(heading)]
    worth = sum(_values(placement, maps, extent, look)) + bonus * len(cells)
    if worth > _LEAST:
        yield Candidate(placement, frozenset(cells), worth)


def _values(placement: Placement, maps: Floats32, extent: Extent, look: PieceLook) -> list[float]:
    """What each cell of a piece explains that is known to lie there."""
    (x, y), heading = placement
    values = []
    for own, (own_x, own_y) in enumerate(look.turned(heading)):
        column, row = x + own_x - extent.left, y + own_y - extent.top
        is_inside = 0 <= column < extent.columns and 0 <= row < extent.rows
        values.append(max(float(maps[row, column, heading, own]), _UNSEEN) if is_inside else _UNSEEN)
    return values
