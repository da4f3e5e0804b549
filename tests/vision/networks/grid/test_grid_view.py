"""Where a camera sees a grid, as told by a few of its dots."""

from __future__ import annotations

import numpy as np
import pytest

from vision.networks.grid.grid_view import GridView, Lattice, fit_grid, fit_grid_well
from vision.outlines.viewpoint import Viewpoint, upright_turns

SIZE = (1640, 1230)
SOME = [(0, y) for y in (-1, 0, 1, 2)] + [(x, -1) for x in range(-5, 9)] + [(x, -3) for x in range(-6, 4)]
SOME += [(3, -2), (3, -4), (3, -5), (8, 0), (8, -2)]


def camera(tilts: tuple[float, float]) -> GridView:
    upright = upright_turns(np.array([tilts]))[0]
    viewpoint = Viewpoint(upright, 1630.0, 0.05, np.array(SIZE) / 2, 53.0)
    return GridView(viewpoint, np.array([0.4, -10.6]), np.array([0.99, 0.14]))


@pytest.mark.parametrize("tilts", [(0.0, -0.35), (0.3, 0.1)])
def test_the_rest_of_a_grid_is_where_some_rows_of_it_say(tilts: tuple[float, float]) -> None:
    true, random = camera(tilts), np.random.default_rng(3)
    cells = np.array(SOME)
    seen = true.in_picture(cells + random.normal(0, 0.025, cells.shape)) + random.normal(0, 0.4, cells.shape)
    lattice = Lattice(cells, seen)
    view = fit_grid_well(lattice, SIZE, fit_grid(lattice, SIZE))
    far = np.array([(0, -9), (3, -12)])
    assert np.abs(view.on_grid(true.in_picture(far)) - far).max() < 0.2


def test_cells_that_lie_beside_one_another_are_a_part() -> None:
    cells = np.array([(0, 0), (5, 5), (1, 0), (1, 1), (5, 6)])
    part = Lattice(cells, cells * 10.0).largest_part()
    assert sorted(map(tuple, part.cells.tolist())) == [(0, 0), (1, 0), (1, 1)]
    assert np.array_equal(part.points_px, part.cells * 10.0)
