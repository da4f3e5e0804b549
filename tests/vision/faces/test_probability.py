"""The probability of a face is what the odds of all its rivals, or the lead of its looks, say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.faces.alignment import Fit
from vision.faces.probability import probability

CARD = Fit(3, np.zeros((4, 2)), 0.9, lead=0.3)


@pytest.mark.parametrize(
    ("odds", "expected"),
    [
        ({3: 0.0, 4: 0.0}, 0.5),
        ({3: -700.0, 4: -700.0}, 0.5),
        ({3: math.log(3), 4: 0.0}, 0.75),
        ({3: 0.0, 4: math.log(3)}, 0.25),
        ({3: math.log(2), 4: 0.0, 5: 0.0}, 0.5),
        ({4: 0.0, 5: 0.0}, 0.0),
    ],
)
def test_odds_are_shared_out_among_all_rivals(odds: dict[int, float], expected: float) -> None:
    assert probability(CARD._replace(odds=tuple(odds.items()))) == pytest.approx(expected)


def test_a_face_that_may_lie_either_way_up_has_both_chances() -> None:
    assert probability(CARD._replace(odds=((3, 0.0), (3, 0.0), (4, 0.0)))) == pytest.approx(2 / 3)


def test_nothing_is_certain_that_was_read() -> None:
    sure = CARD._replace(odds=((3, 5000.0), (4, -5000.0)))
    assert 0.99 < probability(sure) < 1
    assert 0.99 < probability(CARD._replace(lead=2.0)) < 1


def test_without_odds_the_lead_of_the_looks_tells() -> None:
    told = [probability(CARD._replace(lead=lead)) for lead in (-0.2, 0.01, 0.05, 0.1, 0.3)]
    assert told == sorted(told)
    assert told[0] < 0.6
    assert told[-1] > 0.99
