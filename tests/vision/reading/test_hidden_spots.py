"""What hides a card is told from how its lamp lights it."""

import cv2
import numpy as np
import pytest

from vision.arrays import Floats32, Picture
from vision.reading.emma.hidden_spots import hidden_spots

LOCOMOTIVE = (slice(14, 54), slice(10, 30))
"""Of a card of 44 × 68 mm a high one hides a quarter, as it is seen from the side."""


def face() -> Picture:
    random = np.random.default_rng(1)
    card = np.full((68, 44, 3), (150, 190, 220), np.uint8)
    for x, y in random.uniform((4, 4), (40, 64), (12, 2)):
        cv2.circle(card, (int(x), int(y)), 2, random.uniform(40, 200, 3).tolist(), -1)
    return card


def lit(card: Picture, towards_the_side: float) -> Picture:
    """By a lamp that is so much brighter at one side."""
    slope = np.linspace(1 - towards_the_side, 1, card.shape[1])[None, :, None]
    noise = np.random.default_rng(2).normal(0, 2, card.shape)
    return np.asarray(np.clip(0.8 * card * slope + noise, 0, 255), np.uint8)


def with_emma(card: Picture, colour: tuple[int, int, int]) -> Picture:
    seen = card.copy()
    seen[LOCOMOTIVE] = colour
    return seen


@pytest.mark.parametrize("colour", [(10, 10, 10), (60, 25, 20), (30, 60, 120)], ids=["black", "blue", "wood"])
@pytest.mark.parametrize("slope", [0.0, 0.1])
def test_a_locomotive_hides_what_is_under_her_even_on_a_small_card(colour: tuple[int, int, int], slope: float) -> None:
    hidden: Floats32 = hidden_spots(with_emma(lit(face(), slope), colour), face())
    under = hidden[LOCOMOTIVE][4:-4, 4:-4]
    assert under.min() > 0.5
    beside = hidden.copy()
    beside[10:58, 6:34] = -1
    assert np.mean(beside > 0) < 0.02


@pytest.mark.parametrize("slope", [0.0, 0.1, 0.3])
def test_a_lamp_hides_nothing(slope: float) -> None:
    assert np.mean(hidden_spots(lit(face(), slope), face()) > 0) < 0.01
