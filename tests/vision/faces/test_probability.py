"""The probability of a face is told by the odds of all its rivals, or by the lead of its looks."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from vision.faces.alignment import Fit
from vision.faces.probability import probability

CARD = Fit(3, np.zeros((4, 2)), 0.9, lead=0.3)


def by_odds(*odds: tuple[int, float]) -> float:
    return probability(CARD._replace(odds=odds))


@pytest.mark.parametrize(
    ("odds", "low", "high"),
    [
        ([(3, 0.0), (4, 0.0)], 0.49, 0.51),
        ([(3, 0.0), (4, 0.0), (5, 0.0), (6, 0.0)], 0.24, 0.26),
        ([(3, 0.0), (4, 2.0)], 0.11, 0.13),
        ([(3, 2.0), (4, 0.0)], 0.87, 0.89),
        ([(3, 6.0), (4, 0.0)], 0.99, 0.998),
        ([(3, 60.0), (4, 0.0)], 0.9985, 0.9995),
    ],
)
def test_odds_mean_what_they_say(odds: list[tuple[int, float]], low: float, high: float) -> None:
    assert low < by_odds(*odds) < high


def test_only_odds_beside_each_other_count() -> None:
    assert by_odds((3, -700.0), (4, -701.0)) == pytest.approx(by_odds((3, 1.0), (4, 0.0)))


def test_several_rivals_are_as_strong_as_one_that_has_their_chances_together() -> None:
    assert by_odds((3, 1.0), (4, 0.0), (5, 0.0)) == pytest.approx(by_odds((3, 1.0), (4, math.log(2))))


def test_a_face_that_may_lie_either_way_up_has_both_chances() -> None:
    assert by_odds((3, 0.0), (3, 0.0), (4, 0.0)) == pytest.approx(by_odds((3, math.log(2)), (4, 0.0)))


def test_the_better_its_odds_the_more_probable_a_face_is() -> None:
    told = [by_odds((3, odds), (4, 0.0)) for odds in np.arange(-19.0, 30.0, 0.5)]
    assert all(one < other for one, other in pairwise(told))


def test_nothing_is_certain_that_was_read() -> None:
    assert 0.99 < by_odds((3, 5000.0), (4, -5000.0)) < 1
    assert 0.99 < by_odds((3, 0.0)) < 1
    assert by_odds((4, 0.0), (5, 0.0)) < 0.001
    assert 0.99 < probability(CARD._replace(lead=2.0)) < 1


def test_without_odds_the_lead_of_the_looks_tells() -> None:
    told = [probability(CARD._replace(lead=lead)) for lead in (-0.2, -0.02, 0.0, 0.01, 0.1, 0.3)]
    assert told == sorted(set(told))
    assert told[0] < 0.6
    assert told[-1] > 0.99
