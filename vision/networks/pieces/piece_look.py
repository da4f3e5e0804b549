"""What a piece is like, handed in by the game, and what each of its cells looks like from above."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats, Floats32, Picture, Points
from vision.networks.grid.grid_picture import CELL_PX, GAMMA, Extent, linear
from vision.watching.network_reading import Cell

REACH_PX: Final = 3
"""So far off a cell's middle its print may be: pieces lie 1 mm and 1 degree off, the grid 2 mm at its rim."""
RIM_PX: Final = 2
SHIFTS: Final = (2 * REACH_PX + 1) ** 2
HEADINGS: Final = "ESWN"
_ENOUGH: Final = 2
"""Of so many pieces at least each cell has to be bare for its print to be learnt, in each half of them."""
_TELLS: Final = 4.0
"""So many standard errors more than by chance pieces have to be alike for their print to tell how they lie."""
_ROUNDS: Final = 2
USUAL_LIGHT: Final = 0.35
"""What a piece of which nothing is known sends back of the light, about as wood and paper board do."""
_BLUR_PX: Final = 0.6
"""About how blurred a camera sees a print, at this size."""


class Placement(NamedTuple):
    """A piece that lies there: its first cell, and its heading as an index of HEADINGS."""

    cell: Cell
    heading: int


class PieceLook:
    """A piece: its cells as it heads east, and its print seen from above in each of four headings."""

    def __init__(
        self,
        cells: tuple[Cell, ...],
        picture: Picture | None,
        *,
        is_same_turned: bool = False,
        is_learnt: bool = False,
    ) -> None:
        """``picture`` shows the rectangle around all cells (h × w × 3), None where nothing is known of it.

        ``is_same_turned``: turned by half it is the same piece, and nobody has to tell a heading from its opposite.
        ``is_learnt``: it is what a camera has seen, in a light of which nobody knows the colour.
        """
        self.cells = cells
        self.is_same_turned = is_same_turned
        self.is_learnt = is_learnt
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
        back = self.turned_by_half
        if self.is_same_turned or self._picture is None or back is None:
            return frozenset()
        pairs = [(self.prints[0, own], self.prints[2, other]) for own, other in enumerate(back)]
        unlike = [float(np.abs(normalized(here[None]) - normalized(there[None])).max()) for here, there in pairs]
        return frozenset(own for own, much in enumerate(unlike) if much > max(unlike) / 2)

    @cached_property
    def turned_by_half(self) -> tuple[int, ...] | None:
        """Which cell of it lies where each does, if it is turned by half on the same cells; None where it cannot be."""
        here, there = self.turned(0), self.turned(2)
        corner, other = min(here), min(there)
        places = {(x + corner[0] - other[0], y + corner[1] - other[1]): own for own, (x, y) in enumerate(there)}
        return tuple(places[cell] for cell in here) if set(places) == set(here) else None

    def _cells_of(self, heading: int) -> FloatPicture:
        (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*self.cells, strict=True))
        size = (right - left + 1) * CELL_PX, (bottom - top + 1) * CELL_PX
        shrunk = cv2.resize(np.asarray(self._picture), size, interpolation=cv2.INTER_AREA).astype(np.float32)
        lying = np.ascontiguousarray(np.rot90(shrunk, -heading))
        if not self.is_learnt:
            # What a camera has seen is blurred already.
            cv2.GaussianBlur(lying, (0, 0), _BLUR_PX, dst=lying)
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


def learnt_print(
    light: Floats32, extent: Extent, look: PieceLook, lying: Sequence[Placement], taken: Collection[Cell]
) -> Picture | None:
    """What a piece looks like, as a picture for a ``PieceLook``, by those of which it is known how they lie.

    ``light`` (rows · side × columns · side × 3) is that of a grid picture; something stands on the ``taken`` cells.
    None where too few cells are bare, and where no print tells how the pieces lie, as far as they look alike.
    """
    seen = [_upright(light, extent, look, placement, taken) for placement in lying]
    seen = [cells for cells in seen if any(cell is not None for cell in cells)]
    halves = [_usual(seen[first::2]) for first in (0, 1)]
    whole = _usual(seen)
    if whole is None or None in halves:
        return None
    margins = []
    for first, half in enumerate(halves):
        known = PieceLook(look.cells, _picture_of(half or [], look), is_learnt=True)
        margins += [_margin(cells, known) for cells in seen[1 - first :: 2]]
    sure = float(np.mean(margins) / max(np.std(margins, ddof=1) / np.sqrt(len(margins)), 1e-6))
    return _picture_of(whole, look) if sure > _TELLS else None


def _upright(
    light: Floats32, extent: Extent, look: PieceLook, placement: Placement, taken: Collection[Cell]
) -> list[Floats32 | None]:
    """Each cell of a piece that is bare, with a margin, as if it headed east, in parts of the light of all of them."""
    found: list[Floats32 | None] = []
    for x, y in look.turned(placement.heading):
        cell = placement.cell[0] + x, placement.cell[1] + y
        left, top = (
            (at - first) * CELL_PX - REACH_PX for at, first in zip(cell, (extent.left, extent.top), strict=True)
        )
        side = CELL_PX + 2 * REACH_PX
        is_whole = 0 <= left <= light.shape[1] - side and 0 <= top <= light.shape[0] - side
        part = np.rot90(light[top : top + side, left : left + side], placement.heading) if is_whole else None
        found.append(None if cell in taken else part)
    bright = max(float(np.mean([part.mean() for part in found if part is not None] or [1.0])), 1e-6)
    return [None if part is None else np.asarray(part / bright, np.float32) for part in found]


def _usual(seen: Sequence[Sequence[Floats32 | None]]) -> list[Floats32] | None:
    """How each cell of most pieces looks (side × side × 3), each laid over the others; None where too few are bare."""
    inner = slice(REACH_PX, REACH_PX + CELL_PX)
    found = []
    for own in range(len(seen[0]) if seen else 0):
        parts = [part for cells in seen if (part := cells[own]) is not None]
        if len(parts) < _ENOUGH:
            return None
        usual = np.median([part[inner, inner] for part in parts], axis=0)
        for _ in range(_ROUNDS):
            shifts = [int((patterns_of(part[None]) @ normalized(usual[None])[0]).argmax()) for part in parts]
            moved = [_moved(part, shift) for part, shift in zip(parts, shifts, strict=True)]
            usual = np.median(moved, axis=0)
        found.append(np.asarray(usual, np.float32))
    return found or None


def _moved(part: Floats32, shift: int) -> Floats32:
    down, right = divmod(SHIFTS - 1 - shift, 2 * REACH_PX + 1)
    return part[down : down + CELL_PX, right : right + CELL_PX]


def _picture_of(cells: Sequence[Floats32], look: PieceLook) -> Picture:
    """The rectangle around all cells, by the light of each in parts of their mean."""
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*look.cells, strict=True))
    whole = np.ones(((bottom - top + 1) * CELL_PX, (right - left + 1) * CELL_PX, 3), np.float32)
    for (x, y), cell in zip(look.cells, cells, strict=True):
        whole[(y - top) * CELL_PX :, (x - left) * CELL_PX :][:CELL_PX, :CELL_PX] = cell / np.mean(cells)
    return np.asarray(np.clip(255 * (USUAL_LIGHT * whole) ** (1 / GAMMA), 0, 255).round(), np.uint8)


def _margin(cells: Sequence[Floats32 | None], known: PieceLook) -> float:
    """By how much more a piece looks like one that is known than like the same turned by half."""
    patterns = known.patterns.reshape(len(known.headings), len(known.cells), SHIFTS, -1)
    inner, back = slice(REACH_PX, REACH_PX + CELL_PX), known.turned_by_half
    offs = []
    for own, part in enumerate(cells):
        if part is not None:
            pattern = normalized(255 * part[None, inner, inner] ** (1 / GAMMA))[0]
            here = float((patterns[0, own] @ pattern).max())
            offs.append(here - (0.0 if back is None else float((patterns[2, back[own]] @ pattern).max())))
    return float(np.mean(offs))


def _turned(cell: Cell, heading: int) -> Cell:
    x, y = cell
    return ((x, y), (-y, x), (-x, -y), (y, -x))[heading]
