"""Where dots are seen, and the grid that they lie on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.networks.rendered_networks import RenderedNetwork, rendered_network
from vision.arrays import Floats, Picture
from vision.networks.grid.dots import find_dots
from vision.networks.grid.lattice import Found, find_lattice

SMALL = (984, 738)


def found_in(picture: Picture) -> Found | None:
    height, width = picture.shape[:2]
    return find_lattice(find_dots(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)), (width, height))


def off_cells(table: RenderedNetwork, found: Found) -> Floats:
    """How far off the middle of a cell each dot of a network is, as the grid has it, in cells."""
    cells = found.view.on_grid(table.dots_px())
    return np.asarray(np.abs(cells - np.round(cells)).max(axis=1))


@pytest.mark.parametrize(
    ("piece", "pieces", "seed", "difficulty", "make"),
    [
        ("D", 20, 2, "normal", "wood"),
        pytest.param("T", 20, 6, "normal", "folded", marks=pytest.mark.further),
        pytest.param("X", 45, 7, "normal", "wood", marks=pytest.mark.further),
    ],
)
def test_all_dots_lie_on_the_grid_that_is_found(piece: str, pieces: int, seed: int, difficulty: str, make: str) -> None:
    table = rendered_network(piece, pieces, seed, difficulty, make, SMALL)  # type: ignore[arg-type]
    found = found_in(table.photograph())
    assert found is not None
    assert off_cells(table, found).max() < 0.2
    assert len(set(map(tuple, np.round(found.view.on_grid(table.dots_px())).tolist()))) == len(table.network.dots)


def test_every_second_dot_is_no_grid() -> None:
    """The most distinct dots of this network were."""
    table = rendered_network("D", 20, 5088, "easy", size=(1640, 1230))
    found = found_in(table.photograph(vehicles=False))
    assert found is not None
    assert off_cells(table, found).max() < 0.2


def test_a_table_without_dots_has_no_grid() -> None:
    noise = np.random.default_rng(0).normal(128, 12, (300, 400, 3))
    found = found_in(np.asarray(np.clip(noise, 0, 255), np.uint8))
    assert found is None


@pytest.mark.further
def test_what_stands_above_the_table_is_seen_farther_from_below_the_camera() -> None:
    table = rendered_network("D", 20, 2, "normal", "wood", SMALL)
    found = found_in(table.photograph())
    assert found is not None
    below = found.view.below_camera
    cells = below + np.array([(3, 0), (0, -4)])
    away = np.linalg.norm(found.view.on_grid(found.view.in_picture(cells, 0.5)) - below, axis=1)
    high = found.view.viewpoint.height_mm
    assert away == pytest.approx([3 / (1 - 0.5 / high), 4 / (1 - 0.5 / high)], rel=0.01)
