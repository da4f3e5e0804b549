"""What a lamp adds to a card is told apart from what is printed on it, and from what stands there."""

import numpy as np
import pytest

from vision.arrays import Floats32
from vision.faces.lamp_light import LampLight, smooth_terms, without_lamp
from vision.faces.looks import by_channel

SIZE = (40, 56)
TERMS = smooth_terms(SIZE)
SPOTS = np.arange(SIZE[0] * SIZE[1])


def print_of(seed: int) -> Floats32:
    """Large dark patches on paper, as faces have, without what might as well be light."""
    coarse = np.random.default_rng(seed).choice([0.0, -0.8], (8, 5, 3), p=[0.6, 0.4])
    fine = np.kron(coarse, np.ones((7, 8, 1))).astype(np.float32)
    return by_channel(without_lamp(fine, TERMS))


PRINTS = np.stack([print_of(1), print_of(2)])
LIGHT = np.array([(0.1, 0.3, -0.2, 0.0, 0.1, 0.0), (0.05, 0.1, 0.0, 0.0, 0.0, 0.0), (0.0,) * 6])


def test_only_what_a_lamp_cannot_do_is_print() -> None:
    lit = TERMS @ LIGHT.T
    assert np.abs(without_lamp(lit.astype(np.float32), TERMS)).max() < 1e-4


@pytest.mark.parametrize("width", [0, 12])
def test_light_and_strength_are_told_whatever_stands_on_the_card(width: int) -> None:
    looks = (0.6 * PRINTS[0] + LIGHT @ by_channel(TERMS)).astype(np.float32)
    looks.reshape(3, SIZE[1], SIZE[0])[:, 14:38, 20 : 20 + width] = -1.5
    lamp = LampLight(PRINTS, TERMS, SPOTS)
    parts, strength = lamp.told(looks[None], [0], np.ones((1, len(SPOTS)), np.float32))
    assert strength[0] == pytest.approx(0.6, abs=0.03)
    seen = (parts[0] - LIGHT) @ by_channel(TERMS)
    assert np.abs(seen).max() < 0.05
