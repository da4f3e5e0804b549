"""How a camera sees a network's grid: from cells to pixels and back, also above the table."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Flags, Floats, Indices, Numbers, Points
from vision.outlines.viewpoint import USUAL_FOCAL, USUAL_SPREADS, Viewpoint, parameters_of, upright_turns

OFF_CELLS: Final = 0.04
"""How far off its place in the grid a dot lies, as a standard deviation: pieces are laid by hand, 0.7 mm off of 18."""
OFF_PX: Final = 0.4
"""How far off it is seen."""
_DOUBTFUL: Final = 2.5
"""What is farther off, in standard deviations, counts less."""
_MOST: Final = np.array([0.9, 0.9, 0.9, 0.3, 1, 1, 3, 3])
"""What is beyond that is no camera above a table."""
_FAR_PX: Final = 1e5
"""A bent lens shows nothing that is farther off than it is made for."""
_TILTS: Final = ((0.0, 0.0), (0.35, 0.0), (0.0, 0.35), (-0.35, 0.0), (0.0, -0.35))
"""To each side by one standard deviation, in radians."""
_ROUNDS: Final = 12
_STEP: Final = 1e-5


class Lattice(NamedTuple):
    """Cells of a grid (n × 2, whole numbers) and where their dots are seen (n × 2, px)."""

    cells: Indices
    points_px: Points

    def largest_part(self) -> Lattice:
        """Those of the most cells that lie beside one another.

        Where a grid is known from one part of a network, another part far away may seem to lie on it, but one cell off.
        """
        left = {(x, y): number for number, (x, y) in enumerate(self.cells.tolist())}
        largest: list[int] = []
        while left:
            waiting, part = [left.popitem()], []
            while waiting:
                (x, y), number = waiting.pop()
                part.append(number)
                beside = [cell for cell in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)) if cell in left]
                waiting += [(cell, left.pop(cell)) for cell in beside]
            largest = max(largest, part, key=len)
        return Lattice(self.cells[largest], self.points_px[largest])


class GridView(NamedTuple):
    """A camera above a grid. ``viewpoint`` measures the table in cells, from the point below the camera.

    ``origin`` (2,) is where the middle of the cell (0, 0) lies in these, ``right`` (2,) the side of a cell along x;
    its length is 1.
    """

    viewpoint: Viewpoint
    origin: Points
    right: Points

    def in_picture(self, cells: Numbers, height: float | Floats = 0.0) -> Points:
        """Where places of the grid (n × 2, cells; whole numbers are the middles) are seen (n × 2, px).

        ``height`` (one, or n) is how high above the table they are, in cells.
        """
        x, y = np.asarray(cells, np.float64).T
        (a, b) = self.right
        table = np.column_stack([a * x - b * y, b * x + a * y]) + self.origin
        # What is nearer to the camera is seen as if it lay farther away from below it.
        lifted = table / np.reshape(1 - np.asarray(height) / self.viewpoint.height_mm, (-1, 1))
        return np.clip(self.viewpoint.in_picture(lifted), -_FAR_PX, _FAR_PX)

    def on_grid(self, points_px: Points) -> Points:
        """Which places of the grid (n × 2, cells) these points of the picture (n × 2, px) show."""
        x, y = (self.viewpoint.on_table(points_px) - self.origin).T
        a, b = self.right
        return np.column_stack([a * x + b * y, -b * x + a * y])

    @property
    def cell_px(self) -> float:
        """How many px a cell's side has about below the camera."""
        return self.viewpoint.focal_px / self.viewpoint.height_mm

    def counted_anew(self, turns: int, cell: tuple[int, int], place: tuple[float, float]) -> GridView:
        """The same view of a grid whose axes are turned clockwise so many times, with a ``cell`` at this place."""
        a, b = self.right
        right = np.array(((a, b), (-b, a), (-a, -b), (b, -a))[turns % 4])
        table = np.array([a * place[0] - b * place[1], b * place[0] + a * place[1]]) + self.origin
        (right_a, right_b), (x, y) = right, cell
        away = np.array([right_a * x - right_b * y, right_b * x + right_a * y])
        return self._replace(origin=table - away, right=right)

    @property
    def below_camera(self) -> Points:
        """The place of the grid (2,) right below the camera."""
        (x, y), (a, b) = -self.origin, self.right
        return np.array([a * x + b * y, -b * x + a * y])


def fit_grid(lattice: Lattice, size: tuple[int, int], near: GridView | None = None) -> GridView:
    """The view that fits these dots best; ``size`` is the picture's width and height in px.

    ``near``: a view that it is near to.
    """
    centre, usual = np.array(size, float) / 2, USUAL_FOCAL * max(size)
    start = _beginning(lattice, centre, usual, (0.0, 0.0)) if near is None else _parameters(near, usual)
    return _view(_fitted(start, lattice, centre, usual), centre, usual)


def fit_grid_well(lattice: Lattice, size: tuple[int, int], near: GridView) -> GridView:
    """The same, sought from cameras that are tilted to any side as well.

    A few rows of dots look nearly alike from two sides, as a drawn cube does: from one to the other no way leads
    downhill, and only one of them is right for the rest of the network.
    """
    centre, usual = np.array(size, float) / 2, USUAL_FOCAL * max(size)
    starts = [_parameters(near, usual), *(_beginning(lattice, centre, usual, tilts) for tilts in _TILTS)]
    fits = [_fitted(start, lattice, centre, usual) for start in starts]
    return _view(min(fits, key=lambda fit: _badness(fit, lattice, centre, usual)), centre, usual)


def _fitted(parameters: Floats, lattice: Lattice, centre: Points, usual: float) -> Floats:
    for _ in range(_ROUNDS):
        now = _residuals(parameters, lattice, centre, usual)
        moved = np.array([_residuals(parameters + step, lattice, centre, usual) for step in np.eye(8) * _STEP])
        slopes = (moved - now).reshape(8, -1).T / _STEP
        off = np.hypot(*now.T)
        weights = np.repeat(np.sqrt(1 / np.maximum(1, off / _DOUBTFUL)), 2)
        prior = np.zeros((4, 8))
        prior[:, :4] = np.diag(1 / USUAL_SPREADS)
        rows = np.concatenate([slopes * weights[:, None], prior])
        left = np.concatenate([now.ravel() * weights, parameters[:4] / USUAL_SPREADS])
        change = np.linalg.lstsq(rows, -left, rcond=None)[0]
        change[:4] = np.clip(change[:4], -0.3, 0.3)
        parameters = np.clip(parameters + change, -_MOST, _MOST)
        if np.abs(change).max() < 1e-5:
            break
    return parameters


def _badness(parameters: Floats, lattice: Lattice, centre: Points, usual: float) -> float:
    """How unlikely dots and camera are, as variances; what is doubtful counts less (Huber's loss)."""
    off = np.hypot(*_residuals(parameters, lattice, centre, usual).T)
    squares = np.where(off < _DOUBTFUL, off**2, _DOUBTFUL * (2 * off - _DOUBTFUL))
    return float(squares.sum() + ((parameters[:4] / USUAL_SPREADS) ** 2).sum())


def _beginning(lattice: Lattice, centre: Points, usual: float, tilts: tuple[float, float]) -> Floats:
    """Parameters of a camera that is tilted so: the table as the similarity that fits best."""
    viewpoint = Viewpoint(upright_turns(np.array([tilts]))[0], usual, 0.0, centre, 1.0)
    cells, seen = lattice.cells @ (1, 1j), viewpoint.on_table(lattice.points_px) @ (1, 1j)
    around = cells - cells.mean()
    side = np.vdot(around, seen) / np.vdot(around, around).real
    origin = seen.mean() - side * cells.mean()
    return np.array([*tilts, 0, 0, side.real, side.imag, origin.real, origin.imag])


def _parameters(view: GridView, usual: float) -> Floats:
    place = np.concatenate([view.right, view.origin]) / view.viewpoint.height_mm
    return np.concatenate([parameters_of(view.viewpoint, usual), place])


def _view(parameters: Floats, centre: Points, usual: float) -> GridView:
    """The view of parameters: tilts, focal length, bend; in the camera's height the side of a cell, and the origin."""
    side = float(np.hypot(*parameters[4:6]))
    upright = upright_turns(parameters[None, :2])[0]
    viewpoint = Viewpoint(upright, usual * float(np.exp(parameters[2])), float(parameters[3]), centre, 1 / side)
    return GridView(viewpoint, parameters[6:] / side, parameters[4:6] / side)


def _residuals(parameters: Floats, lattice: Lattice, centre: Points, usual: float) -> Floats:
    """How far off each dot is seen (n × 2), in standard deviations."""
    view = _view(parameters, centre, usual)
    return (view.in_picture(lattice.cells) - lattice.points_px) / (OFF_CELLS * view.cell_px + OFF_PX)


def is_beyond(view: GridView, cells: Numbers, size: tuple[int, int]) -> Flags:
    """Which cells (n × 2) have their middles beyond a picture of this size (n)."""
    places = view.in_picture(cells)
    return np.asarray(((places < 0) | (places > size)).any(axis=1))
