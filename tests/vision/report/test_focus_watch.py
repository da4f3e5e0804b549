"""Sharper or less sharp: of pictures that are blurred as by a lens that is turned."""

from collections.abc import Iterable

import cv2
import numpy as np
import pytest

from vision.arrays import Picture
from vision.report.focus_watch import FocusWatch, Turn

BEST = 0.5


def table(kind: str) -> Picture:
    """A table with a few printed cards: even, or of a woven cloth."""
    random = np.random.default_rng(1)
    rows, columns = np.mgrid[:480, :640]
    cloth = 60 + 50 * ((rows // 3 + columns // 3) % 2) if kind == "cloth" else np.full(rows.shape, 90.0)
    picture = np.repeat(cloth[..., None], 3, axis=2).astype(np.uint8)
    for x, y in ((80, 60), (300, 200), (470, 90), (150, 300)):
        cv2.rectangle(picture, (x, y), (x + 75, y + 105), (225, 230, 235), -1)
        for _ in range(12):
            start, end = random.integers(8, 66, 2), random.integers(8, 66, 2)
            cv2.line(picture, (x + start[0], y + start[1]), (x + end[0], y + end[1]), (40, 60, 30), 2)
    return picture


def seen(scene: Picture, lens: float, number: int, light: float = 1.0, *, hand: bool = False) -> Picture:
    """The scene through a lens at 0 to 1 (sharp at BEST), in some light, with noise of its own."""
    picture = scene.copy()
    if hand:
        cv2.circle(picture, (560, 400), 130, (120, 150, 205), -1)
    blur = float(np.hypot(0.5, 16 * (lens - BEST)))
    soft = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), blur) * light
    noise = np.random.default_rng(number).normal(0, 2, soft.shape)
    return np.asarray(np.clip(soft + noise, 0, 255), np.uint8)


def turns(watch: FocusWatch, scene: Picture, lens: Iterable[float], first: int = 0) -> list[Turn]:
    return [watch.look(seen(scene, at, first + number)).turn for number, at in enumerate(lens)]


@pytest.mark.parametrize("kind", ["plain", "cloth"])
def test_each_way_of_turning_is_told_and_where_to_stop(kind: str) -> None:
    scene, watch = table(kind), FocusWatch()
    assert set(turns(watch, scene, [0.1] * 8)) == {Turn.UNKNOWN}
    assert turns(watch, scene, np.linspace(0.1, 0.52, 8), 10)[-4:] == [Turn.SHARPER] * 4
    assert turns(watch, scene, np.linspace(0.55, 0.8, 6), 20)[-3:] == [Turn.LESS_SHARP] * 3
    assert turns(watch, scene, np.linspace(0.75, 0.6, 4), 30)[-1] is Turn.SHARPER
    assert turns(watch, scene, [0.52] * 4, 40) == [Turn.SHARPEST] * 4


def test_other_light_and_a_hand_are_no_turn_of_the_lens() -> None:
    scene, watch = table("plain"), FocusWatch()
    turns(watch, scene, [0.3] * 8)
    told = [watch.look(seen(scene, 0.3, 20 + number, light)).turn for number, light in enumerate((0.7, 0.7, 1.05, 0.9))]
    told += [watch.look(seen(scene, 0.3, 30 + number, hand=True)).turn for number in range(4)]
    assert set(told) == {Turn.UNKNOWN}
