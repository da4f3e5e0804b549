"""What shows of a broken track right beside a locomotive, on cards that show hardly anything else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Floats32, Picture
from vision.faces.matching.print_beside import HiddenPart, likelier_beside

WIDTH, HEIGHT = 126, 176
"""Of a card, in halves of a millimetre."""
MAROON = (62, 52, 100)
TREE = (150, 90, 60)
POST = (60, 140, 230)
WOOD = (90, 130, 180)
SAND = (100, 150, 180)
ROAD = (62, 96, 118)
"""As dark as sand in a shadow."""
TOP, LEFT, BOTTOM, RIGHT = 52, 48, 124, 78
"""The locomotive, over the middle of the card."""
JUTS_PX = 3
"""So far what breaks the track is seen on either side of it."""


def faces(trees: int, random: np.random.Generator) -> tuple[Floats32, Floats32]:
    """A plain card with some trees and its broken likeness."""
    whole = np.full((HEIGHT, WIDTH, 3), MAROON, np.float32)
    for _ in range(trees):
        middle = int(random.integers(15, WIDTH - 15)), int(random.choice([20, 30, 150, 160]))
        cv2.ellipse(whole, middle, (3, 6), 0, 0, 360, TREE, -1)
    broken = whole.copy()
    for row in (80, 96):
        cv2.rectangle(broken, (LEFT - JUTS_PX, row), (RIGHT + JUTS_PX, row + 4), POST, -1)
    return whole, broken


def taught(face: Floats32, random: np.random.Generator) -> Picture:
    """The face with the grain of a photograph, which is another one on each."""
    grain = cv2.GaussianBlur(random.normal(0, 1, face.shape).astype(np.float32), (0, 0), 0.7)
    return np.asarray((face + 8 * grain / grain.std()).clip(0, 255), np.uint8)


def lying(face: Floats32, random: np.random.Generator) -> Picture:
    """The card on the table, with the locomotive on it."""
    seen = 0.9 * cv2.GaussianBlur(face, (0, 0), 0.8) + random.normal(0, 2, face.shape)
    seen[TOP:BOTTOM, LEFT:RIGHT] = WOOD
    return np.asarray(seen.clip(0, 255), np.uint8)


def under_locomotive() -> HiddenPart:
    """What is hidden: known to a third of a millimetre."""
    hers = np.zeros((HEIGHT, WIDTH), np.uint8)
    hers[TOP:BOTTOM, LEFT:RIGHT] = 1
    inside_mm, outside_mm = (cv2.distanceTransform(part, cv2.DIST_L2, 5) / 2 for part in (hers, 1 - hers))
    perhaps = cv2.dilate(hers, np.ones((5, 5), np.uint8))
    is_print = cv2.copyMakeBorder(np.ones((HEIGHT - 8, WIDTH - 8), np.uint8), 4, 4, 4, 4, cv2.BORDER_CONSTANT)
    far_mm = cv2.distanceTransform(1 - perhaps, cv2.DIST_L2, 5) / 2
    return HiddenPart(
        np.asarray(far_mm, np.float32),
        np.asarray(3 * (inside_mm - outside_mm), np.float32),
        np.asarray(is_print, np.uint8),
    )


@pytest.mark.parametrize("trees", [0, 6])
@pytest.mark.parametrize("is_broken", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_on_a_plain_card_that_is_darker_than_it_was_taught_a_break_tells(
    seed: int, trees: int, *, is_broken: bool
) -> None:
    """Its light was told by the grain of its photograph: what breaks the track seemed too pale to be seen, or off."""
    random = np.random.default_rng(seed)
    both = faces(trees, random)
    card = lying(both[is_broken], random)
    told = likelier_beside(card, (taught(both[0], random), taught(both[1], random)), under_locomotive())
    assert (-told if is_broken else told) > 3


@pytest.mark.parametrize("is_broken", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_sand_in_a_shadow_is_not_taken_for_a_road(seed: int, *, is_broken: bool) -> None:
    """A road, wider than the locomotive, that has a gap, as sandy as the ground; her shadow lies to her left."""
    random = np.random.default_rng(seed)
    whole = np.full((HEIGHT, WIDTH, 3), SAND, np.float32)
    whole[:, LEFT - 6 : RIGHT + 4] = ROAD
    gap = whole.copy()
    gap[74:106] = SAND
    card = lying(gap if is_broken else whole, random)
    card[TOP:BOTTOM, LEFT - 12 : LEFT] = 0.68 * card[TOP:BOTTOM, LEFT - 12 : LEFT]
    told = likelier_beside(card, (taught(whole, random), taught(gap, random)), under_locomotive())
    assert (-told if is_broken else told) > 3


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("level", [0, 77, 255])
def test_a_picture_of_one_colour_shows_no_break(level: int) -> None:
    random = np.random.default_rng(0)
    whole, broken = (taught(face, random) for face in faces(0, random))
    card = np.full((HEIGHT, WIDTH, 3), level, np.uint8)
    assert likelier_beside(card, (whole, broken), under_locomotive()) > -1e-6
