"""How well a card shows the marks of a face."""

import cv2
import numpy as np
import pytest

from vision.arrays import Picture
from vision.faces.matching.mark_comparer import SeenMarks, mark_parts, unmarked

PX_PER_MM = 2.5
SHAPE = (220, 160)
HERE = (60, 50)
"""Where one face has a second pip and the other has nothing."""


def face(*, has_pip: bool) -> Picture:
    """A grey face with a railway on it, and a pip or none."""
    picture = np.full((*SHAPE, 3), 150, np.uint8)
    cv2.rectangle(picture, (80, 20), (120, 200), (70, 80, 60), -1)
    cv2.circle(picture, (20, 170), 12, (60, 60, 60), -1)
    if has_pip:
        cv2.circle(picture, HERE, 8, (60, 60, 60), -1)
    return picture


def ahead(card: Picture) -> float:
    """How much likelier it is that a card has the pip than that it has none."""
    differ = np.zeros(SHAPE, np.float32)
    cv2.circle(differ, HERE, 8, (1.0,), -1)
    seen = SeenMarks(card, mark_parts(differ, PX_PER_MM), np.ones(SHAPE, bool), PX_PER_MM, seen_per_mm=1.5)
    return seen.likelihood(face(has_pip=True)) - seen.likelihood(face(has_pip=False))


def seen(contrast: float, pip: float) -> Picture:
    """A card of so much of the face's contrast with so much of a pip, in noise."""
    bare, pipped = (face(has_pip=has_pip).astype(float) for has_pip in (False, True))
    noise = np.random.default_rng(1).normal(0, 6, bare.shape)
    return np.asarray((bare + pip * (pipped - bare) - 150) * contrast + 100 + noise, np.uint8)


@pytest.mark.parametrize(("contrast", "trace"), [(0.15, 0.1), (0.4, 0.1), (1.0, 0.04)])
def test_a_mark_is_about_as_plain_as_the_rest_of_its_card(contrast: float, trace: float) -> None:
    """A trace of one on a card that is plain otherwise is a gleam or a shadow, on a pale card it is a mark."""
    assert ahead(seen(contrast, pip=1.0)) > 3
    assert ahead(seen(contrast, pip=trace)) < -1


def test_it_may_be_plainer_or_paler_by_a_third() -> None:
    assert ahead(seen(0.7, pip=0.65)) > 3
    assert ahead(seen(0.7, pip=1.35)) > 3


def test_where_nothing_is_shown_nothing_is_told() -> None:
    differ = np.ones(SHAPE, np.float32)
    for shown in (np.zeros(SHAPE, bool), np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE) == 7000):
        marks = SeenMarks(seen(1.0, 1.0), mark_parts(differ, PX_PER_MM), shown, PX_PER_MM, seen_per_mm=1.5)
        assert marks.likelihood(face(has_pip=True)) == 0


def test_what_lies_where_a_mark_may_be_is_no_part_of_the_unmarked_card() -> None:
    differ = np.zeros(SHAPE, np.float32)
    differ[50:60, 70:80] = 1.0
    differ[100:110, 20:30] = 0.01
    expected = np.ones(SHAPE, bool)
    expected[48:62, 68:82] = False  # 0.8 mm more to all sides; what hardly differs is no mark
    assert np.array_equal(unmarked(differ, PX_PER_MM), expected)
