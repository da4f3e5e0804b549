"""Where a table has changed."""

import numpy as np
import pytest

from vision.arrays import Picture
from vision.watching.table_changes import Spot

EMMA = np.array([(100, 80), (160, 80), (160, 120), (100, 120)], float)
"""In px of the whole picture."""


def dark_table(seed: int, *, emma: float = 0.0, brighter: float = 0.0, noise: float = 2.0) -> Picture:
    """A dark table at a quarter of its size with noise, where Emma is by so many levels brighter, or everything."""
    picture = 20 + brighter + np.random.default_rng(seed).normal(0, noise, (60, 80, 3))
    picture[20:30, 25:40] += emma
    return np.asarray(picture.round().clip(0, 255), np.uint8)


def test_what_has_left_a_dark_place_stands_out_of_the_noise_around_it() -> None:
    gone = [Spot(dark_table(seed + 50), EMMA).stands_out(dark_table(seed, emma=6)) for seed in range(20)]
    there = [Spot(dark_table(seed + 50), EMMA).stands_out(dark_table(seed)) for seed in range(20)]
    darker = [Spot(dark_table(seed + 50), EMMA).stands_out(dark_table(seed, brighter=-8)) for seed in range(20)]
    assert min(gone) > 5
    assert max(there) < 5
    assert max(darker) < 5


def test_a_card_that_comes_beside_it_is_no_noise() -> None:
    for seed in range(20):
        laid = dark_table(seed)
        laid[16:34, 43:52] = 150
        assert Spot(dark_table(seed + 50, emma=6), EMMA).stands_out(laid) > 5


@pytest.mark.parametrize("beyond", [(1000, 0), (0, 1000), (-1000, 0), (0, -1000)])
def test_nothing_stands_out_beyond_the_picture(beyond: tuple[int, int]) -> None:
    assert Spot(dark_table(2), EMMA + beyond).stands_out(dark_table(1, emma=90)) == 0.0


def test_less_than_a_rounding_stands_out_by_nothing() -> None:
    still = dark_table(1, noise=0)
    assert Spot(still, EMMA).stands_out(still + np.eye(60, 80, dtype=np.uint8)[..., None]) < 1
