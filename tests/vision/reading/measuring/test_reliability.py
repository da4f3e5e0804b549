"""The diagram of how often the eye is right where it says how probable that is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.wiring.sheet import rendered
from tests.vision.reading.measuring.reliability import bins, diagram, lines
from tests.vision.reading.scores import Answer


def answers(probability: float, right: int, wrong: int) -> list[Answer]:
    return [Answer(probability, is_right, is_asked=False) for is_right in [True] * right + [False] * wrong]


@pytest.mark.parametrize(("probability", "low"), [(0.0, 0.0), (0.5, 0.5), (0.7499, 0.5), (0.99, 0.99), (1.0, 0.999)])
def test_a_card_is_in_the_bin_of_its_probability(probability: float, low: float) -> None:
    (one,) = bins(answers(probability, 1, 0))
    assert one.low == low


def test_what_is_too_sure_and_what_is_not_sure_enough_is_told() -> None:
    too_sure, fair, timid = answers(0.97, 60, 40), answers(0.8, 80, 20), answers(0.6, 100, 0)
    told = list(lines([*too_sure, *fair, *timid]))[2:]
    assert ["too sure" in line for line in told] == [False, False, True]
    assert ["not sure enough" in line for line in told] == [True, False, False]
    assert [line.split()[3] for line in told] == ["100", "100", "100"]


def test_the_better_a_bin_is_the_higher_its_point() -> None:
    def middle_of_blue(right: int) -> float:
        picture = cv2.imdecode(
            np.frombuffer(rendered(diagram(answers(0.8, right, 100 - right), "").svg()), np.uint8), cv2.IMREAD_COLOR
        )
        blue = np.abs(picture.astype(int) - (0xB2, 0x6F, 0x1F)).sum(axis=2) < 30
        return float(np.argwhere(blue[:490])[:, 0].mean())

    assert middle_of_blue(95) < middle_of_blue(80) - 10 < middle_of_blue(60) - 20
