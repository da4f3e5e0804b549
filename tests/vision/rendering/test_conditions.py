"""Conditions drawn at random: usable, repeatable, and as hard as they say."""

from random import Random

import numpy as np
import pytest

from vision.rendering.conditions import Difficulty, draw_conditions, table_corners
from vision.rendering.places import TABLE_MM


@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard"])
def test_the_camera_sees_the_whole_table_large_enough_to_read(difficulty: Difficulty) -> None:
    for seed in range(40):
        camera = draw_conditions(difficulty, Random(seed)).camera
        corners = np.array(table_corners(camera))
        assert (corners >= 0).all()
        assert (corners < camera.size).all()
        middle = camera.project([(400, 300, 0), (463, 300, 0)])
        assert np.linalg.norm(middle[1] - middle[0]) > 60  # a card's width, px


def test_the_same_generator_draws_the_same() -> None:
    assert draw_conditions("hard", Random(3)) == draw_conditions("hard", Random(3))
    assert draw_conditions("hard", Random(3)) != draw_conditions("hard", Random(4))


def test_hard_is_darker_and_noisier_than_easy() -> None:
    easy, hard = ([draw_conditions(kind, Random(seed)) for seed in range(20)] for kind in ("easy", "hard"))
    assert max(c.sensor.noise for c in easy) < min(c.sensor.noise for c in hard)
    assert max(c.light.brightness for c in hard) < min(c.light.brightness for c in easy)


def test_clutter_keeps_out_of_the_railways_way() -> None:
    for seed in range(30):
        for thing in draw_conditions("normal", Random(seed)).clutter:
            x, y = (thing.pose.x_mm, thing.pose.y_mm) if hasattr(thing, "pose") else thing.centre_mm
            assert not (80 < x < TABLE_MM[0] - 140 and 40 < y < TABLE_MM[1] - 40)
