"""What of a picture belongs to which dot: to what stands there, as a camera sees it lean away from below it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Flags, FloatPicture, Floats, Indices
from vision.networks.grid.grid_picture import CELL_PX, Extent
from vision.networks.grid.grid_view import GridView
from vision.watching.network_reading import Cell

_AROUND: Final = 1
"""So many cells around a dot are seen of what leans over from it."""


class Room(NamedTuple):
    """The px of a grid picture that are nearer to what stands on one dot than on any other.

    ``rows`` and ``columns`` (n) are the px, ``lean`` (2) is how far from the dot the top of a wagon is seen, in cells.
    """

    rows: Indices
    columns: Indices
    lean: Floats


def rooms(dots: list[Cell], view: GridView, extent: Extent, height: float, reach: float) -> list[Room]:
    """The room of each dot: what is nearer than ``reach``, in cells, to the line from it up to this ``height``."""
    lines = [_line(dot, view, height) for dot in dots]
    shape = extent.rows * CELL_PX, extent.columns * CELL_PX
    nearest = np.full(shape, reach)
    owner = np.full(shape, -1)
    for number, (dot, lean) in enumerate(zip(dots, lines, strict=True)):
        part, away = _around(dot, lean, extent)
        is_nearer = away < nearest[part]
        nearest[part][is_nearer] = away[is_nearer]
        owner[part][is_nearer] = number
    order = np.argsort(owner, axis=None, kind="stable")
    bounds = np.searchsorted(owner.ravel()[order], np.arange(len(dots) + 1))
    found = []
    for number, lean in enumerate(lines):
        rows, columns = np.divmod(order[bounds[number] : bounds[number + 1]], shape[1])
        found.append(Room(rows, columns, lean))
    return found


def _line(dot: Cell, view: GridView, height: float) -> Floats:
    away = np.array(dot) - view.below_camera
    return np.asarray(away * (height / max(view.viewpoint.height_mm - height, height)))


def _around(dot: Cell, lean: Floats, extent: Extent) -> tuple[tuple[slice, slice], Floats]:
    """A part of a grid picture, and how far each of its px is from the line from a dot to its lean."""
    x, y = dot[0] - extent.left, dot[1] - extent.top
    left, top = max(x - _AROUND, 0), max(y - _AROUND, 0)
    right, bottom = min(x + _AROUND + 1, extent.columns), min(y + _AROUND + 1, extent.rows)
    part = slice(top * CELL_PX, bottom * CELL_PX), slice(left * CELL_PX, right * CELL_PX)
    across = (np.arange(part[1].start, part[1].stop) + 0.5) / CELL_PX - 0.5 - x
    down = (np.arange(part[0].start, part[0].stop) + 0.5) / CELL_PX - 0.5 - y
    length = float(lean @ lean)
    along = np.clip((across[None] * lean[0] + down[:, None] * lean[1]) / max(length, 1e-9), 0, 1)
    return part, np.hypot(across[None] - along * lean[0], down[:, None] - along * lean[1])


def untouched(cells: list[Cell], view: GridView, changed: Flags) -> list[Cell]:
    """The cells around whose dots nothing else is seen, where ``changed`` (h × w, at a quarter) says so."""
    reach = view.cell_px / 4
    lows, highs = (np.round(view.in_picture(np.array(cells)) / 4 + far).astype(int) for far in (-reach, reach))
    parts = [
        changed[max(0, top) : max(0, bottom + 1), max(0, left) : max(0, right + 1)]
        for (left, top), (right, bottom) in zip(lows.tolist(), highs.tolist(), strict=True)
    ]
    return [cell for cell, part in zip(cells, parts, strict=True) if not part.any()]


def cells_of_picture(picture: FloatPicture, extent: Extent) -> FloatPicture:
    """A grid picture as its cells (n × side × side × 3)."""
    parts = picture.reshape(extent.rows, CELL_PX, extent.columns, CELL_PX, 3).transpose(0, 2, 1, 3, 4)
    return parts.reshape(-1, CELL_PX, CELL_PX, 3)
