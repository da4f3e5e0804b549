"""How a camera was bumped is told from two pictures, whatever was laid and taken in between."""

from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.watching.camera_motion import camera_motion, halved_grey, moved_picture, moved_points
from vision.watching.hands import shrunk

Picture = NDArray[np.uint8]
SIZE = (1024, 768)
POINTS = np.array([(300.0, 250.0), (700.0, 300.0), (500.0, 600.0)])


def table(*, cards: int, seed: int) -> Picture:
    """A wooden table with patterned cards, as a noisy camera sees it."""
    random, noise = Random(1), np.random.default_rng(seed)
    grain = np.random.default_rng(1).normal(130, 25, (SIZE[1] // 12, SIZE[0] // 60))
    picture = cv2.cvtColor(cv2.resize(grain, SIZE, interpolation=cv2.INTER_CUBIC).clip(0, 255).astype(np.uint8), 8)
    for card in range(cards):
        left, top = 120 + 110 * (card % 7), 150 + 180 * (card // 7)
        cv2.rectangle(picture, (left, top), (left + 90, top + 126), (235, 240, 240), -1)
        for _ in range(9):
            centre = (left + random.randrange(8, 82), top + random.randrange(8, 118))
            cv2.circle(picture, centre, random.randrange(3, 8), [random.randrange(160) for _ in range(3)], -1)
    return np.asarray((picture + noise.normal(0, 3, picture.shape)).clip(0, 255), dtype=np.uint8)


def grey(picture: Picture) -> Picture:
    return halved_grey(shrunk(picture).half)


def bumped(picture: Picture, motion: NDArray[np.float64]) -> Picture:
    return np.asarray(cv2.warpPerspective(picture, motion, SIZE, borderMode=cv2.BORDER_REFLECT), dtype=np.uint8)


@pytest.mark.parametrize(("x", "y", "turn_deg"), [(0, 0, 0), (3, -2, 0.3), (-14, 9, -2), (40, 25, 3)])
def test_a_bump_is_measured(x: float, y: float, turn_deg: float) -> None:
    motion = np.vstack([cv2.getRotationMatrix2D((500, 400), turn_deg, 1.01), (0, 0, 1)])
    motion[:2, 2] += (x, y)
    motion[2, :2] = (1e-5, -1e-5)
    later = bumped(table(cards=10, seed=2), motion)
    found = camera_motion(grey(table(cards=12, seed=1)), grey(later))
    assert found is not None
    off = moved_points(POINTS, found) - moved_points(POINTS, motion)
    assert np.abs(off).max() < 2


def test_pictures_of_different_things_have_no_motion() -> None:
    table_grey = grey(table(cards=12, seed=1))
    other = np.random.default_rng(5).integers(0, 256, (SIZE[1], SIZE[0], 3), dtype=np.uint8)
    assert camera_motion(table_grey, grey(other)) is None
    assert camera_motion(table_grey, np.zeros_like(table_grey)) is None
    assert camera_motion(np.zeros_like(table_grey), table_grey) is None


def test_a_picture_moves_as_its_points_do() -> None:
    before = np.zeros((SIZE[1] // 4, SIZE[0] // 4, 3), np.uint8)
    cv2.circle(before, (100, 80), 4, (255, 255, 255), -1)
    now = np.full_like(before, 90)
    motion = np.array([[1.0, 0, 40], [0, 1, -24], [0, 0, 1]])
    moved = moved_picture(before, motion, now)
    assert moved[74, 110].tolist() == [255, 255, 255]
    assert moved[50, 60].tolist() == [0, 0, 0]
    assert (moved[-3:] == 90).all()  # not seen before
