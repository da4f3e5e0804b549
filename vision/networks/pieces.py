"""Which pieces lie on a grid, by what each of its cells looks like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Flags, FloatPicture, Floats32, Indices
from vision.networks.grid_picture import Extent
from vision.networks.packing import Candidate, packed
from vision.networks.piece_look import (
    CELL_PX,
    HEADINGS,
    REACH_PX,
    SHIFTS,
    PieceLook,
    Placement,
    normalized,
    patterns_of,
)
from vision.watching.network_reading import Cell

_MOST: Final = 1.2
"""A cell explains no more than so much, where most that lie there explain 1."""
_LEAST: Final = 0.35
"""Of a piece's cells so much must be seen at least, where all of them are 1."""
_COVERED: Final = 0.05
"""What a cell is worth of which nothing is seen as something stands on it."""
_EXPECTED: Final = 0.5
"""By how much a piece is likelier to lie where it was last, or where people have been told to lay it, a cell."""
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
    there, table = float(np.median(best[on_dots])), float(np.median(best[~on_dots])) if not on_dots.all() else 0.0
    middle = (there + table) / 2
    scaled = (likeness - middle) / max(there - middle, 0.05)
    return CellLooks(np.asarray(np.clip(scaled, -1, _MOST), np.float32), shifts)


def lying_pieces(
    looks: CellLooks,
    extent: Extent,
    look: PieceLook,
    covered: Flags | None = None,
    expected: Sequence[Placement] = (),
) -> list[LyingPiece]:
    """The pieces that explain best what the cells look like.

    ``covered`` (n) are cells on which something stands; ``expected`` are pieces that probably lie there.
    """
    turned = {heading: look.turned(heading) for heading in look.headings}
    likeness = looks.likeness
    if covered is not None:
        likeness = np.where(covered[:, None, None], np.maximum(likeness, _COVERED), likeness)
    known = set(expected)
    candidates = []
    for heading in look.headings:
        for first in extent.cells().tolist():
            placement = Placement((first[0], first[1]), heading)
            cells = [(first[0] + x, first[1] + y) for x, y in turned[heading]]
            places = [extent.place(*cell) for cell in cells]
            worth = sum(-1.0 if at is None else float(likeness[at, heading, own]) for own, at in enumerate(places))
            if placement in known:
                worth += _EXPECTED * len(cells)
            if worth > _LEAST * (1 if placement in known else len(cells)) / 1:
                candidates.append(Candidate(placement, frozenset(cells), worth))
    pieces = packed(candidates)
    is_told = look.has_print or look.is_same_turned
    return [
        LyingPiece(piece.placement, piece.margin > SURE and (is_told or piece.placement in known)) for piece in pieces
    ]


def headings_of(pieces: Sequence[LyingPiece]) -> Mapping[Cell, str]:
    """The headings of pieces by their first cells."""
    return {piece.placement.cell: HEADINGS[piece.placement.heading] for piece in pieces}
