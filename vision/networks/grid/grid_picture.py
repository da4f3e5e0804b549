"""A network's grid seen straight from above: every cell a square of the same size."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats, Floats32, Indices, Picture
from vision.networks.grid.dots import dot_contrasts
from vision.networks.grid.grid_view import GridView

CELL_PX: Final = 16
"""A cell's side as it is looked at: about what the smallest picture has, and a px shows 1 mm of a small piece."""
GAMMA: Final = 2.2
"""How a camera's values follow from the light."""
_NODES: Final = 2
"""Places a cell, a side, that are calculated; those between are interpolated, right to a hundredth of a cell."""
_RINGS_PX: Final = (2.5, 3.5, 4.5)
"""Of a dot in a grid picture."""
_OFF_PX: Final = 4
"""How far off the middle of its cell a dot is looked for, in px of the grid picture."""


class Extent(NamedTuple):
    """A rectangle of cells: the first column and row, and how many."""

    left: int
    top: int
    columns: int
    rows: int

    def cells(self) -> Indices:
        """All cells (rows · columns × 2), row by row."""
        x, y = np.meshgrid(np.arange(self.columns) + self.left, np.arange(self.rows) + self.top)
        return np.column_stack([x.ravel(), y.ravel()])

    def place(self, x: int, y: int) -> int | None:
        """Where a cell is among all; None where it is not."""
        column, row = x - self.left, y - self.top
        return row * self.columns + column if 0 <= column < self.columns and 0 <= row < self.rows else None


def grid_picture(
    picture: Picture, view: GridView, extent: Extent, cell: int, *, scale: float = 1.0, height: float = 0.0
) -> FloatPicture:
    """The cells of an extent from above, each ``cell`` px a side (rows · cell × columns · cell × 3).

    ``picture`` may have been made smaller to this ``scale``. ``height``: what is seen there is so high, in cells.
    """
    columns, rows = extent.columns * _NODES + 2, extent.rows * _NODES + 2
    x, y = np.meshgrid(np.arange(columns) / _NODES, np.arange(rows) / _NODES)
    nodes = np.column_stack([x.ravel() + extent.left, y.ravel() + extent.top]) - 0.5
    seen = (view.in_picture(nodes, height) + 0.5) * scale - 0.5
    across = ((np.arange(extent.columns * cell) + 0.5) / cell * _NODES).astype(np.float32)
    down = ((np.arange(extent.rows * cell) + 0.5) / cell * _NODES).astype(np.float32)
    where = cv2.remap(
        seen.reshape(rows, columns, 2).astype(np.float32),
        np.repeat(across[None], len(down), 0),
        np.repeat(down[:, None], len(across), 1),
        cv2.INTER_LINEAR,
    )
    seen_x, seen_y = cv2.split(where)
    return np.asarray(cv2.remap(picture, seen_x, seen_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def linear(picture: FloatPicture) -> Floats32:
    """The light of a picture's values (0 to 255), in parts of white."""
    return np.asarray(np.power(np.maximum(picture, 0) / np.float32(255), np.float32(GAMMA)), np.float32)


def cell_dots(seen: Floats32, extent: Extent) -> Floats:
    """How distinct a dot each cell of a grid picture has in its middle (n)."""
    grey = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.float32)
    contrasts = dot_contrasts(grey, _RINGS_PX).reshape(extent.rows, CELL_PX, extent.columns, CELL_PX)
    middle = slice(CELL_PX // 2 - _OFF_PX, CELL_PX // 2 + _OFF_PX)
    return np.asarray(contrasts[:, middle][..., middle].max(axis=(1, 3)).ravel(), np.float64)
