"""The probability of a face is told by the odds of all that it may be."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from vision.reading.card_names import probability


def of(*behind: float) -> float:
    return probability(np.array(behind))


@pytest.mark.parametrize(
    ("behind", "low", "high"),
    [
        ([0.0, 0.0], 0.49, 0.51),
        ([0.0, 0.0, 0.0, 0.0], 0.24, 0.26),
        ([0.0, 2.0], 0.87, 0.89),
        ([0.0, 6.0], 0.99, 0.998),
        ([0.0, 60.0], 0.9985, 0.9995),
    ],
)
def test_odds_mean_what_they_say(behind: list[float], low: float, high: float) -> None:
    assert low < of(*behind) < high


def test_several_rivals_are_as_strong_as_one_that_has_their_chances_together() -> None:
    assert of(0.0, 1.0, 1.0) == pytest.approx(of(0.0, 1.0 - math.log(2)))


def test_the_better_its_odds_the_more_probable_a_face_is() -> None:
    told = [of(0.0, behind) for behind in np.arange(0.0, 30.0, 0.5)]
    assert all(one < other for one, other in pairwise(told))


def test_nothing_is_certain_that_was_read() -> None:
    assert 0.99 < of(0.0, 5000.0) < 1
    assert 0.99 < of(0.0) < 1
