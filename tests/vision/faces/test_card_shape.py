"""Where a card's corners are, on the table and in pictures."""

import numpy as np
import pytest

from vision.cards import CARD_MM
from vision.faces.card_shape import CardShape

SHAPE = CardShape(CARD_MM)


def test_a_turned_card_has_its_top_left_corner_top_right() -> None:
    corners = SHAPE.corners_at((400.0, 300.0), 90.0)
    assert np.allclose(corners[0], (400 + 44, 300 - 31.5))
    assert np.allclose(corners.mean(axis=0), (400, 300))


def test_the_nearest_card_of_the_right_size_keeps_place_and_turn() -> None:
    lying = SHAPE.corners_at((400.0, 300.0), 25.0)
    read = lying + np.array([(2, -1), (-2, 1), (2, -1), (-2, 1)])
    assert np.allclose(SHAPE.rigid(read), lying, atol=0.3)


def test_how_large_a_card_is_seen() -> None:
    assert SHAPE.px_per_mm(SHAPE.corners_at((0.0, 0.0), 30.0) * 2.5) == pytest.approx(2.5)
