"""The square grid that dots lie on: found among what may be dots, whatever lies about, and followed as it moves."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, GreyPicture, Homography, Indices, Picture, Points
from vision.networks.grid.dots import Dots, find_dots
from vision.networks.grid.grid_view import OFF_CELLS, OFF_PX, GridView, Lattice, fit_grid, fit_grid_well
from vision.watching.camera_motion import moved_points
from vision.watching.network_reading import Cell

_LEVELS: Final = (15, 45, 135, 400, 900)
"""So many of the most distinct dots are looked at, at first the fewest: what is no dot is often nearer than a dot."""
_SEEDS: Final = 24
"""So many dots of each level are tried as a beginning."""
_ENOUGH: Final = 0.6
"""With so many dots of a level on one grid no other one is looked for."""
_NEAREST: Final = 60
_NEIGHBOURS: Final = 6
"""The dots next to a network's dot are among its nearest so many; rails and sleepers may be nearer."""
_BASES: Final = 4
"""So many pairs of them are tried for each beginning."""
_MOST_CELLS: Final = 90
"""Side by side across the picture, at least: the longest network has 41, and its table is seen whole, from aslant."""
_LONGER: Final = 1.4
"""How much longer a side of a cell may look than the other: a camera tilted by 26 degrees makes 1.11 of it in the
middle, and up to 1.35 at the picture's border."""
_SLANT: Final = 0.45
"""The cosine of the angle between a cell's sides, at most, as such a camera sees it."""
_OFF: Final = 0.2
"""How far off its place a dot may lie, in cells: pieces lie about 1 mm off, 0.06 of a cell, and perspective turns and
stretches a cell by less than a tenth from one to the next."""
_ON: Final = 0.22
"""And how far once it is known where that is."""
_AS_DISTINCT: Final = 0.5
"""All dots of a network are alike: what has less than so much of their contrast is something else."""
_HALF: Final = 0.25
"""With so many dots between its cells, beside those on them, a grid may be half of another one: of those all lie so."""
_FAR: Final = 2
"""Over so many cells a gap is bridged: where vehicles stand no dot is seen."""
_FEWEST: Final = 5
_LEAST_LIKELIHOOD: Final = 16.0
"""What is less likely is no grid: of 83 rendered tables in any light the true one had 27 and more in the first picture
on 79, and what cloths and noise made where no network lay had up to 13.5."""
_ASKEW: Final = 1.5
"""So far off cells are seen, in variances of how people lay them and of how exactly it is seen, where the camera has
moved: of 36 tables under a camera that was pushed it was 2.4 and more, and 0.9 and less where the grid was fitted."""
_ROUNDS: Final = 8
_REACH: Final = 4
"""So many cells beyond those with dots there may be more."""


class Found(NamedTuple):
    """A grid: its view, its dots, how much likelier they lie so than by chance, as a logarithm, and their contrast."""

    view: GridView
    lattice: Lattice
    likelihood: float
    contrast: float


class Grid(NamedTuple):
    """Where a grid lies, cells that have dots for sure, and by how many cells it is known where it lies."""

    view: GridView
    cells: tuple[Cell, ...]
    known_by: int

    def counted_anew(self, cell: Cell, along_px: Points) -> Grid:
        """The same grid with x as nearly as can be along a line in the picture, whose start is nearest to this cell.

        ``along_px`` (2 × 2, px) are the ends of the line, which is about as long as a cell.
        """
        here, beside = self.view.on_grid(along_px)
        turns = round(float(np.degrees(np.arctan2(*(beside - here)[::-1]))) / 90) % 4
        x, y = np.round(here)
        view = self.view.counted_anew(turns, cell, (float(x), float(y)))
        seen = np.round(view.on_grid(self.view.in_picture(np.array(self.cells)))).astype(int)
        return self._replace(view=view, cells=tuple((int(x), int(y)) for x, y in seen))

    def counted_as(self, other: Grid) -> Grid:
        """The same grid with axes as those of another one, whose cells it shows nearly where that did."""
        x, y = cell = other.cells[0]
        return self.counted_anew(cell, other.view.in_picture(np.array([(x, y), (x + 1, y)])))

    def fitted(self, seen: Lattice, picture: Picture) -> Grid:
        """The same grid where these of its cells are seen in a picture."""
        height, width = picture.shape[:2]
        view = fit_grid_well(seen, (width, height), self.view)
        return self._replace(view=view, known_by=len(seen.cells))

    def refined(self, picture: Picture) -> Grid:
        """The same grid where its dots are seen in a picture, of a camera that has moved about as is known."""
        known = Lattice(np.array(self.cells), self.view.in_picture(np.array(self.cells)))
        on = on_lattice(find_dots(_grey(picture)), self.view, known, 0.0)
        is_known = [(x, y) in self.cells for x, y in on.cells.tolist()]
        seen = Lattice(on.cells[is_known], on.points_px[is_known])
        return self if 2 * len(seen.cells) < len(self.cells) else self.fitted(seen, picture)

    def is_askew(self, seen: Lattice, usual: float = 0.0) -> bool:
        """Whether these of its cells are seen beside where they should be: the camera has moved since it was fitted.

        ``usual`` is how far ``off`` they were then: some people leave gaps.
        """
        return self.off(seen) > _ASKEW * max(1.0, usual)

    def off(self, seen: Lattice) -> float:
        """How far beside where they should be these of its cells are seen, in variances; 0 where they are too few."""
        off = (self.view.in_picture(seen.cells) - seen.points_px) / (OFF_CELLS * self.view.cell_px + OFF_PX)
        return float((off**2).mean()) if len(off) >= _FEWEST else 0.0

    def pushed(self, seen: Lattice, picture: Picture) -> Grid:
        """The same grid after the camera was pushed a little, so that these of its cells are seen there."""
        return self.moved(similarity(self.view.in_picture(seen.cells), seen.points_px), picture)

    def moved(self, motion: Homography, picture: Picture) -> Grid:
        """The same grid once all of it has moved in the picture."""
        cells = np.array(self.cells)
        return self.fitted(Lattice(cells, moved_points(self.view.in_picture(cells), motion)), picture)


def similarity(here_px: Points, there_px: Points) -> Homography:
    """How points (n × 2, px) have moved, turned and stretched (3 × 3); not at all where these are too few.

    How a camera tilts too a small network does not tell for all of a picture.
    """
    motion = cv2.estimateAffinePartial2D(here_px, there_px, method=cv2.LMEDS)[0] if len(here_px) > 2 else None
    return np.eye(3) if motion is None else np.vstack([motion, (0.0, 0.0, 1.0)])


def found_grid(picture: Picture) -> Grid | None:
    """Where a network lies in a picture (h × w × 3), with x to the right of it; None where none is seen."""
    height, width = picture.shape[:2]
    found = find_lattice(find_dots(_grey(picture)), (width, height))
    if found is None:
        return None
    cells = tuple((x, y) for x, y in found.lattice.cells.tolist())
    grid = Grid(found.view, cells, len(cells))
    # People look at a map as the camera looks at the table: what lies to the right is to be there to the right.
    first = found.lattice.points_px[0]
    return grid.counted_anew((0, 0), np.array([first, first + np.array([found.view.cell_px, 0.0])]))


def _grey(picture: Picture) -> GreyPicture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def find_lattice(dots: Dots, size: tuple[int, int]) -> Found | None:
    """The grid on which dots lie that lie so least by chance; None where there is none.

    ``size`` is the picture's width and height in px. The grid's axes turn as those of the picture do.
    """
    # By chance a dot as distinct as this one would lie somewhere in the picture so often.
    rarity = np.log(size[0] * size[1] / (np.arange(len(dots.points_px)) + 1.0))
    best: Found | None = None
    for level in _LEVELS:
        search = _Search(Dots(dots.points_px[:level], dots.contrasts[:level]), rarity, size)
        best = search.best(best)
        is_enough = best is not None and len(best.lattice.cells) > _ENOUGH * level
        if level >= len(rarity) or (best is not None and is_enough and not _has_half(dots, best)):
            break
    return None if best is None or best.likelihood < _LEAST_LIKELIHOOD else _complete(dots, best, size)


def _has_half(dots: Dots, found: Found) -> bool:
    """Whether it may be every second dot of a finer grid, aslant to it: then others lie in the middle of its cells."""
    places = found.view.on_grid(dots.points_px)
    low, high = found.lattice.cells.min(axis=0) - 1, found.lattice.cells.max(axis=0) + 1
    is_near = ((places > low) & (places < high)).all(axis=1) & (dots.contrasts >= _AS_DISTINCT * found.contrast)
    between = np.abs(places - np.floor(places) - 0.5).max(axis=1) < _OFF
    return int((is_near & between).sum()) > _HALF * len(found.lattice.cells)


class _Search:
    """Looks for a grid among some dots."""

    def __init__(self, dots: Dots, rarity: Floats, size: tuple[int, int]) -> None:
        self._dots, self._rarity, self._size = dots, rarity, size
        self._points = np.asarray(dots.points_px[:, 0] + 1j * dots.points_px[:, 1])
        self._apart = np.abs(self._points[:, None] - self._points[None, :])

    def best(self, best: Found | None) -> Found | None:
        """A better grid than this one, if there is any."""
        tried: set[int] = set()
        seeds = 0
        for seed in range(len(self._points)):
            if seed in tried:
                continue
            seeds += 1
            if seeds > _SEEDS:
                break
            near = self._points[np.argsort(self._apart[seed])[:_NEAREST]] - self._points[seed]
            for basis in _bases(near, self._size[0] / _MOST_CELLS):
                grown = _grown(self._points, self._apart, seed, basis)
                if len(grown) < _FEWEST or self._worth(grown) < (best.likelihood if best else 0):
                    continue
                found = self._judged(grown)
                if best is None or found.likelihood > best.likelihood:
                    best = found
                    tried |= set(grown.values())
        return best

    def _worth(self, grown: dict[tuple[int, int], int]) -> float:
        chosen = list(grown.values())
        return float((self._dots.contrasts[chosen] * self._rarity[chosen]).sum())

    def _judged(self, grown: dict[tuple[int, int], int]) -> Found:
        cells, chosen = _coarsest(np.array(list(grown))), np.array(list(grown.values()))
        lattice = Lattice(cells, self._dots.points_px[chosen])
        view = fit_grid(lattice, self._size)
        off_px = np.linalg.norm(view.in_picture(cells) - lattice.points_px, axis=1)
        spread = OFF_CELLS * view.cell_px + OFF_PX
        worth = self._rarity[chosen] - np.log(2 * np.pi * spread**2) - (off_px / spread) ** 2 / 2
        # The weave of a cloth is a grid as well, but a faint one.
        contrasts = self._dots.contrasts[chosen]
        return Found(view, lattice, float((contrasts * worth).sum()), float(np.median(contrasts)))


def on_lattice(dots: Dots, view: GridView, lattice: Lattice, least: float) -> Lattice:
    """The dots of such a contrast at least that lie on a grid whose view is known: near those known to lie on it."""
    places = view.on_grid(dots.points_px)
    cells = np.round(places)
    off = np.linalg.norm(places - cells, axis=1)
    low, high = lattice.cells.min(axis=0) - _REACH, lattice.cells.max(axis=0) + _REACH
    is_near = (off < _ON) & ((cells >= low) & (cells <= high)).all(axis=1) & (dots.contrasts >= least)
    nearest: dict[tuple[int, int], int] = {}
    for index in np.flatnonzero(is_near):
        x, y = cells[index].astype(int).tolist()
        other = nearest.get((x, y))
        if other is None or off[index] < off[other]:
            nearest[x, y] = int(index)
    return Lattice(np.array(list(nearest), np.intp).reshape(-1, 2), dots.points_px[list(nearest.values())])


def _complete(dots: Dots, found: Found, size: tuple[int, int]) -> Found:
    """The same grid with the dots that lie on it beyond gaps."""
    for _ in range(_ROUNDS):
        lattice = on_lattice(dots, found.view, found.lattice, _AS_DISTINCT * found.contrast)
        known = len(found.lattice.cells)
        if len(lattice.cells) < known:
            break
        found = found._replace(view=fit_grid(lattice, size, found.view), lattice=lattice)
        if len(lattice.cells) == known:
            break
    return found


def _bases(near: Floats, least_px: float) -> list[tuple[complex, complex]]:
    """Pairs of sides of a cell that may begin at a dot, the shortest first; ``near`` are others, as seen from it."""
    sides = [complex(side) for side in near if abs(side) >= least_px][:_NEIGHBOURS]
    pairs = [(first, second) for first in sides for second in sides if _may_be_cell(first, second)]
    # A straight row has but one direction: its other one is a guess.
    pairs += [(side, side * 1j) for side in sides[:2]]
    return sorted(pairs, key=lambda pair: abs(pair[0]) + abs(pair[1]))[:_BASES]


def _may_be_cell(first: complex, second: complex) -> bool:
    turned = first.conjugate() * second / (abs(first) * abs(second))
    longer = max(abs(first), abs(second)) / min(abs(first), abs(second))
    return turned.imag > 0 and abs(turned.real) < _SLANT and longer < _LONGER


def _grown(points: Floats, apart: Floats, seed: int, basis: tuple[complex, complex]) -> dict[tuple[int, int], int]:
    """The dots by their cells that follow from a first one, from cell to cell, as the sides of cells change slowly."""
    cells = {(0, 0): seed}
    used = {seed}
    waiting = deque([((0, 0), basis)])
    while waiting:
        (x, y), (right, down) = waiting.popleft()
        here = points[cells[x, y]]
        near = np.flatnonzero(apart[cells[x, y]] < (_FAR + 0.5) * max(abs(right), abs(down)))
        for step_x, step_y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            side = right * step_x + down * step_y
            for far in range(1, _FAR + 1):
                cell = (x + far * step_x, y + far * step_y)
                if cell in cells:
                    break
                found = _nearest(points, near, here + far * side, _OFF * abs(side))
                if found is None or found in used:
                    continue
                # Half of what has changed is the piece that lies a little askew.
                turn = 1 + ((points[found] - here) / far / side - 1) / 2
                cells[cell] = found
                used.add(found)
                waiting.append((cell, (right * turn, down * turn)))
                break
    return cells


def _nearest(points: Floats, near: Indices, place: complex, reach: float) -> int | None:
    off = np.abs(points[near] - place)
    first = int(off.argmin())
    return int(near[first]) if off[first] < reach else None


def _coarsest(cells: Indices) -> Indices:
    """The cells of a grid as large as they can be: where all places are even it is twice as coarse."""
    cells = cells - cells.min(axis=0)
    while cells.max() > 0 and not (cells % 2).any():
        cells //= 2
    return np.asarray(cells, np.intp)
