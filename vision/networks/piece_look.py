"""What a piece is like, handed in by the game, and what each of its cells looks like from above."""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats, Floats32, Picture, Points
from vision.networks.grid_picture import CELL_PX, linear
from vision.watching.network_reading import Cell

REACH_PX: Final = 3
"""So far off a cell's middle its print may be: pieces lie 1 mm and 1 degree off, the grid 2 mm at its rim."""
RIM_PX: Final = 2
SHIFTS: Final = (2 * REACH_PX + 1) ** 2
HEADINGS: Final = "ESWN"
_BLUR_PX: Final = 0.6
"""About how blurred a camera sees a print, at this size."""


class Placement(NamedTuple):
    """A piece that lies there: its first cell, and its heading as an index of HEADINGS."""

    cell: Cell
    heading: int


class PieceLook:
    """A piece: its cells as it heads east, and its print seen from above in each of four headings."""

    def __init__(self, cells: tuple[Cell, ...], picture: Picture | None, *, is_same_turned: bool = False) -> None:
        """``picture`` shows the rectangle around all cells (h × w × 3), None where nothing is known of it.

        ``is_same_turned``: turned by half it is the same piece, and nobody has to tell a heading from its opposite.
        """
        self.cells = cells
        self.is_same_turned = is_same_turned
        self._picture = picture

    @property
    def has_print(self) -> bool:
        """Whether its picture is known."""
        return self._picture is not None

    @cached_property
    def headings(self) -> range:
        """The headings that have to be told apart."""
        return range(2 if self.is_same_turned else 4)

    def turned(self, heading: int) -> tuple[Cell, ...]:
        """Its cells where it lies with this heading, the first at (0, 0)."""
        (first_x, first_y), *_ = self.cells
        return tuple(_turned((x - first_x, y - first_y), heading) for x, y in self.cells)

    def told_apart(self, placement: Placement) -> Placement:
        """The same piece with a heading of those that have to be told apart."""
        if placement.heading in self.headings:
            return placement
        (x, y), heading = placement
        corner, other = (min(self.turned(way)) for way in (heading, heading - 2))
        return Placement((x + corner[0] - other[0], y + corner[1] - other[1]), heading - 2)

    @cached_property
    def prints(self) -> FloatPicture:
        """What each cell looks like: headings × cells × side × side × 3, with a margin of REACH_PX around each.

        Raises ValueError where nothing is known of it.
        """
        if self._picture is None:
            raise ValueError("Nothing is known of what the piece looks like.")
        return np.array([self._cells_of(heading) for heading in self.headings])

    @cached_property
    def light(self) -> Floats:
        """The light that each cell sends back of white light (headings · cells × 3), in parts of white."""
        inner = slice(REACH_PX, REACH_PX + CELL_PX)
        return np.asarray(linear(self.prints[:, :, inner, inner]).mean(axis=(2, 3)).reshape(-1, 3), np.float64)

    @cached_property
    def patterns(self) -> Floats32:
        """The same as patterns, for each of SHIFTS shifts: headings · cells · shifts × px."""
        return patterns_of(self.prints)

    @cached_property
    def telling(self) -> frozenset[int]:
        """The indices of the cells that tell a piece from the same turned by half, of which the others look alike."""
        if self.is_same_turned or self._picture is None:
            return frozenset()
        here, there = (dict(zip(self.turned(heading), self.prints[heading], strict=True)) for heading in (0, 2))
        corner, other = min(here), min(there)
        aside = (corner[0] - other[0], corner[1] - other[1])
        back = {(x + aside[0], y + aside[1]): seen for (x, y), seen in there.items()}
        if set(back) != set(here):
            return frozenset()  # no other heading covers the same cells
        unlike = [float(np.abs(normalized(here[cell][None]) - normalized(back[cell][None])).max()) for cell in here]
        return frozenset(own for own, much in enumerate(unlike) if much > max(unlike) / 2)

    def _cells_of(self, heading: int) -> FloatPicture:
        (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*self.cells, strict=True))
        size = (right - left + 1) * CELL_PX, (bottom - top + 1) * CELL_PX
        shrunk = cv2.resize(np.asarray(self._picture), size, interpolation=cv2.INTER_AREA).astype(np.float32)
        lying = cv2.GaussianBlur(np.ascontiguousarray(np.rot90(shrunk, -heading)), (0, 0), _BLUR_PX)
        wide = cv2.copyMakeBorder(lying, *(REACH_PX,) * 4, cv2.BORDER_REPLICATE)
        cells = [_turned(cell, heading) for cell in self.cells]
        x0, y0 = (min(side) for side in zip(*cells, strict=True))
        side = CELL_PX + 2 * REACH_PX
        return np.array([wide[(y - y0) * CELL_PX :, (x - x0) * CELL_PX :][:side, :side] for x, y in cells], np.float32)


def patterns_of(prints: FloatPicture) -> Floats32:
    """What is compared of prints with a margin: for each shift, left and up first; without its mean, of length 1."""
    cells = prints.reshape(-1, *prints.shape[-3:])
    # Shown farther right, what is seen at a place lay farther left.
    steps = range(2 * REACH_PX, -1, -1)
    shifted = [cells[:, down : down + CELL_PX, right : right + CELL_PX] for down in steps for right in steps]
    return normalized(np.stack(shifted, axis=1).reshape(-1, CELL_PX, CELL_PX, 3))


def shift_px(shift: int) -> Points:
    """How far right and down (2,) that is, in px."""
    down, right = divmod(shift, 2 * REACH_PX + 1)
    return np.array([right - REACH_PX, down - REACH_PX], np.float64)


def normalized(cells: FloatPicture) -> Floats32:
    """Cells (n × side × side × 3) as patterns (n × px): without their mean colour, and of length 1.

    Their rims are left out: where a piece lies a little aside they show the table.
    """
    cells = cells[:, RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    plain = cells - cells.mean(axis=(1, 2), keepdims=True)
    rows = plain.reshape(len(cells), -1)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-3), np.float32)


def _turned(cell: Cell, heading: int) -> Cell:
    x, y = cell
    return ((x, y), (-y, x), (-x, -y), (y, -x))[heading]
