"""Whether the cards were pushed as one, or some of them were only taken away."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.arrays import Corners, GreyPicture, Homography, Picture
from vision.watching import table_motion as module
from vision.watching.camera_motion import halved_grey, moved_points
from vision.watching.hands import shrunk
from vision.watching.table_changes import changed_places
from vision.watching.table_motion import Glance, TableMotion, table_motion

WIDE, HIGH = 1600, 1200
CARD = (100.0, 140.0)
AT = [(100.0, 100.0), (220.0, 100.0), (100.0, 260.0), (220.0, 260.0), (1400.0, 1000.0)]
"""A railway in a corner, and a card far from it, at the border."""


def outline(left: float, top: float) -> Corners:
    return np.array([(left + x, top + y) for x, y in ((0, 0), (CARD[0], 0), CARD, (0, CARD[1]))])


def table(places: Sequence[Corners], seed: int) -> Picture:
    """A chequered cloth with patterned cards, as a noisy camera sees it."""
    dark = np.indices((HIGH, WIDE)) // 24 % 2
    picture = np.asarray((90, 110, 130) + 40 * dark.sum(axis=0)[..., None], np.uint8)
    for number, corners in enumerate(places):
        cv2.fillConvexPoly(picture, corners.round().astype(np.int32), (235, 240, 240))
        pattern = np.random.default_rng(number).uniform(0.1, 0.9, (9, 2)) * CARD
        for dot in pattern + corners[0]:
            cv2.circle(picture, dot.round().astype(int).tolist(), 6, (60, 40, 160), -1)
    noise = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.asarray((picture + noise).clip(0, 255), np.uint8)


def motion_between(before: Picture, now: Picture, cards: Sequence[Corners]) -> TableMotion | None:
    glances = [Glance(small.quarter, halved_grey(small.half)) for small in map(shrunk, (before, now))]
    changes = changed_places(glances[1].quarter, glances[0].quarter)
    return table_motion(*glances, changes, cards, have_moved=True)


def test_cards_that_were_pushed_together_are_followed() -> None:
    here = [outline(*place) for place in AT]
    there = [outline(left + 60, top + 25) for left, top in AT[:-1]]
    found = motion_between(table(here[:-1], 1), table(there, 2), here[:-1])
    assert found is not None
    off = [moved_points(start, found.motion) - end for start, end in zip(here, there, strict=False)]
    assert np.abs(off).max() < 3


def test_where_a_card_was_taken_away_the_others_were_not_pushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What still lies tells badly how far anything far from it would have come."""
    here = [outline(*place) for place in AT]
    wobbly = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.00003, -0.00002, 1.0]])
    wobbly = np.linalg.inv(np.array([[1, 0, 2.0], [0, 1, 2.0], [0, 0, 1]])) @ wobbly

    def told(_before: GreyPicture, _now: GreyPicture, things: Sequence[Corners] = ()) -> Homography:
        return wobbly if things else np.eye(3)

    monkeypatch.setattr(module, "camera_motion", told)
    assert motion_between(table(here, 1), table(here[:-1], 2), here) is None
