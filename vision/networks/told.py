"""What people have been told to lay, or have laid: which pieces, in axes of their own, and which vehicles there are."""

from __future__ import annotations

import base64
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Picture
from vision.networks.grid.grid_picture import Extent
from vision.networks.pieces.piece_look import HEADINGS, PieceLook, Placement
from vision.networks.vehicles.paints import Colour
from vision.networks.vehicles.vehicle_shapes import Kind
from vision.watching.network_reading import Cell

_AGREES: Final = 0.3
"""So much a cell at least has to look like what was told, on average, where 1 is like most that lie there."""
_SAME: Final = 0.02
"""Where two ways to lie explain all nearly as well, by this share, it is the one that it was before."""


class Told(NamedTuple):
    """Pieces with their first cells and headings, and how many vehicles of each kind there are.

    ``colours`` are the people's own (R, G, B), by their numbers; there are none where those of the pictures count.
    ``asks_paints``: somebody wants to know what colour everything has that stands there; ``asks_print``: what a piece
    looks like, of which nobody knows more than its cells. ``own_print`` is that, once it is known, in the words of
    ``picture_in_words``.
    """

    pieces: tuple[Placement, ...] = ()
    vehicles: tuple[tuple[Kind, int], ...] = ()
    colours: tuple[tuple[int, Colour], ...] = ()
    asks_paints: bool = False
    asks_print: bool = False
    own_print: str = ""

    @classmethod
    def of(cls, expected: Collection[str]) -> Told:
        """From lines like "piece 2 -1 E" and "vehicle 3 wagon 4", "colour 3 200 90 10" and "print iVBO".

        What is asked for has a line of its own, "paints" or "print". Raises ValueError for others.
        """
        pieces, vehicles, colours, own_print = [], [], [], ""
        for line in sorted(expected):
            match line.split():
                case ["piece", x, y, heading] if heading in HEADINGS:
                    pieces.append(Placement((int(x), int(y)), HEADINGS.index(heading)))
                case ["vehicle", colour, ("locomotive" | "wagon") as kind, count]:
                    vehicles.append((Kind(int(colour), kind == "locomotive"), int(count)))
                case ["colour", number, red, green, blue]:
                    colours.append((int(number), (int(red), int(green), int(blue))))
                case ["print", own_print]:
                    pass
                case ["paints" | "print"]:
                    pass
                case _:
                    raise ValueError(f"{line!r} tells neither a piece nor vehicles.")
        asked = "paints" in expected, "print" in expected
        return cls(tuple(pieces), tuple(vehicles), tuple(colours), *asked, own_print)


def picture_in_words(picture: Picture) -> str:
    """A picture (h × w × 3) in letters and digits, without a loss."""
    return base64.b64encode(cv2.imencode(".png", picture)[1].tobytes()).decode()


def picture_of_words(words: str) -> Picture:
    """The picture; raises ValueError where it is none."""
    told = np.frombuffer(base64.b64decode(words, validate=True), np.uint8)
    picture = cv2.imdecode(told, cv2.IMREAD_COLOR) if len(told) else None
    if picture is None:
        raise ValueError("That is no picture.")
    return np.asarray(picture, np.uint8)


class Lay(NamedTuple):
    """How what was told lies on the grid: turned clockwise so many times, then moved."""

    turns: int = 0
    shift: Cell = (0, 0)

    def laid(self, placement: Placement, look: PieceLook) -> Placement:
        """A piece in the axes of the grid, with a heading that has to be told apart."""
        return look.told_apart(Placement(self.cell(placement.cell), (placement.heading + self.turns) % 4))

    def cell(self, cell: Cell) -> Cell:
        """A cell in the axes of the grid."""
        x, y = turned(cell, self.turns)
        return x + self.shift[0], y + self.shift[1]

    def told(self, cell: Cell) -> Cell:
        """A cell of the grid in the axes of what was told."""
        return turned((cell[0] - self.shift[0], cell[1] - self.shift[1]), -self.turns)


def counted_anew(cells: Sequence[Cell], lay: Lay | None, other: Lay | None) -> Sequence[Cell]:
    """Cells of a grid in the axes of another one, as far as it is known how what was told lies on both."""
    return cells if lay is None or other is None else [other.cell(lay.told(cell)) for cell in cells]


def turned(cell: Cell, turns: int) -> Cell:
    """A cell after so many quarter turns clockwise about (0, 0)."""
    x, y = cell
    return ((x, y), (-y, x), (-x, -y), (y, -x))[turns % 4]


def how_it_lies(
    told: Told, likeness: Floats32, extent: Extent, look: PieceLook, *, before: Lay | None, taken: Collection[Cell]
) -> Lay | None:
    """How most of what was told lies there; None where it does not.

    ``likeness`` (n × headings × cells) is how much each cell of the extent looks like each of the piece's. On cells
    that are ``taken`` something stood before: that they do not look like a piece tells nothing.
    """
    places = [place for cell in taken if (place := extent.place(*cell)) is not None]
    likeness = likeness.copy()
    likeness[places] = np.maximum(likeness[places], 0)
    ways = [_best_shift(told, likeness, extent, look, turns=turns, before=before) for turns in range(4)]
    worth, lay = max(ways, key=lambda way: way[0])
    known = [way for way in ways if way[1] == before]
    if known and known[0][0] >= (1 - _SAME) * worth:
        worth, lay = known[0]
    return lay if worth > _AGREES * (len(told.pieces) * len(look.cells) - len(places)) else None


def _best_shift(
    told: Told, likeness: Floats32, extent: Extent, look: PieceLook, *, turns: int, before: Lay | None
) -> tuple[float, Lay]:
    """How well all agrees with the best shift after some turns, or nearly so with the one before."""
    laid = [Lay(turns).laid(placement, look) for placement in told.pieces]
    cells = [
        ((piece.cell[0] + x, piece.cell[1] + y), piece.heading, own)
        for piece in laid
        for own, (x, y) in enumerate(look.turned(piece.heading))
    ]
    xs, ys = zip(*(cell for cell, *_ in cells), strict=True)
    left, top, width, height = min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    maps = likeness.reshape(extent.rows, extent.columns, *likeness.shape[1:])
    wide = np.pad(maps, ((height, height), (width, width), (0, 0), (0, 0)), constant_values=-1.0)
    # All places at which its rectangle touches the extent.
    rows, columns = extent.rows + height + 1, extent.columns + width + 1
    worth: Floats = np.zeros((rows, columns))
    for (x, y), heading, own in cells:
        worth += wide[y - top : y - top + rows, x - left : x - left + columns, heading, own]
    row, column = np.unravel_index(int(worth.argmax()), worth.shape)
    best = float(worth[row, column])
    if before is not None and before.turns == turns:
        column_before, row_before = (
            before.shift[0] + left - extent.left + width,
            before.shift[1] + top - extent.top + height,
        )
        if (
            0 <= row_before < rows
            and 0 <= column_before < columns
            and worth[row_before, column_before] >= (1 - _SAME) * best
        ):
            return float(worth[row_before, column_before]), before
    return best, Lay(turns, (int(column) - width - left + extent.left, int(row) - height - top + extent.top))
