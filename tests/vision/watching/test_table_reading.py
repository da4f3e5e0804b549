"""From corners in a picture to places on the table."""

from __future__ import annotations

import math
from bisect import bisect_left

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.loknroll.table.outline import Outline
from vision.cards import Pose, standard_deck
from vision.faces.hidden_map import HiddenMap
from vision.outlines.viewpoint import Viewpoint
from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading
from vision.watching.steady_view import Sight
from vision.watching.table_eye import TableReader
from vision.watching.table_reading import TableReading

SIZE = (1640, 1232)
POSES = [Pose(-150, -60, 3), Pose(-85, -60, 3), Pose(60, 90, 92), Pose(180, -120, 271), Pose(0, 0, 180)]


def camera(tilt_deg: float, focal_px: float = 1450.0) -> Viewpoint:
    sine, cosine = math.sin(math.radians(tilt_deg)), math.cos(math.radians(tilt_deg))
    upright = np.array([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]])
    return Viewpoint(upright, focal_px, 0.0, np.array(SIZE, dtype=float) / 2, 700.0)


def corners_mm(pose: Pose) -> NDArray[np.float64]:
    sine, cosine = math.sin(math.radians(pose.rotation_deg)), math.cos(math.radians(pose.rotation_deg))
    return np.array(
        [
            (pose.x_mm + cosine * x - sine * y, pose.y_mm + sine * x + cosine * y)
            for x, y in ((-31.5, -44), (31.5, -44), (31.5, 44), (-31.5, 44))
        ]
    )


def sight(view: Viewpoint, poses: list[Pose], first_serial: int = 0) -> Sight:
    cards = tuple(CardReading("track-1-left", view.in_picture(corners_mm(pose)), 0.9, 0.2) for pose in poses)
    serials = tuple(range(first_serial, first_serial + len(poses)))
    return Sight(
        cards,
        serials,
        EmmaSighting(1, np.zeros(2), 0.9, HiddenMap(np.zeros((1, 1), np.float32), np.zeros((4, 2)), np.zeros((4, 2)))),
        is_still=True,
    )


def distances(reading: TableReading) -> list[float]:
    poses = [card.pose for card in reading.cards]
    return [math.dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) for a in poses for b in poses]


@pytest.mark.parametrize("tilt_deg", [0.0, 12.0, 25.0])
def test_cards_lie_as_far_apart_as_on_the_table(tilt_deg: float) -> None:
    reader = TableReader(standard_deck("standard-55"))
    reading = reader.read(sight(camera(tilt_deg), POSES), SIZE)
    real = [math.dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) for a in POSES for b in POSES]
    assert distances(reading) == pytest.approx(real, abs=3.0)
    turned = [
        (card.pose.rotation_deg - pose.rotation_deg + 180) % 360 - 180
        for card, pose in zip(reading.cards, POSES, strict=True)
    ]
    assert max(turned) - min(turned) < 1.5
    assert reading.emma == 1
    assert reading.is_still
    assert reading.area is not None
    assert reading.area.width_mm > 500


def test_a_camera_put_elsewhere_is_measured_anew() -> None:
    reader = TableReader(standard_deck("standard-55"))
    reader.read(sight(camera(5.0), POSES), SIZE)
    moved = camera(25.0)._replace(height_mm=520.0)
    reading = reader.read(sight(moved, POSES), SIZE)
    real = [math.dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) for a in POSES for b in POSES]
    assert distances(reading) == pytest.approx(real, abs=3.0)


@pytest.mark.parametrize("tilt_deg", [0.0, 12.0])
def test_the_outline_is_what_the_picture_shows_of_the_table(tilt_deg: float) -> None:
    """Cards within it are in the picture with all corners, those beyond are not; it stays when no card is left."""
    view = camera(tilt_deg)
    reader = TableReader(standard_deck("standard-55"))
    reading = reader.read(sight(view, POSES), SIZE)
    outline = Outline(reading.outline)
    (card, *_), (known, *_) = reading.cards, POSES
    middle = view.on_table(np.array([SIZE]) / 2)[0]
    for step in range(24):
        way = np.array([math.cos(step * math.pi / 12), math.sin(step * math.pi / 12)])
        far = bisect_left(
            range(900), 1, key=lambda mm, way=way: int(not _is_in_picture(view, Pose(*(middle + mm * way))))
        )  # type: ignore[misc]
        for mm, is_seen in ((far - 25, True), (far + 25, False)):
            x, y = middle + mm * way
            pose = Pose(card.pose.x_mm + x - known.x_mm, card.pose.y_mm + y - known.y_mm)
            assert outline.holds_card(pose, (63, 88)) == is_seen
    assert reader.read(Sight(), SIZE).outline == reading.outline


def _is_in_picture(view: Viewpoint, pose: Pose) -> bool:
    corners = view.in_picture(corners_mm(pose))
    return bool((corners > 0).all() and (corners < SIZE).all())


def test_an_empty_table_and_a_hand_are_told() -> None:
    reader = TableReader(standard_deck("standard-55"))
    assert reader.read(Sight(hand=True), SIZE) == TableReading(hand=True, is_still=False)


def test_what_cannot_be_told_is_told_on() -> None:
    seen = sight(camera(12.0), POSES)
    cards = (*seen.cards[:-1], seen.cards[-1]._replace(others=("track-3-left", "track-1-right")))
    reading = TableReader(standard_deck("standard-55")).read(seen._replace(cards=cards), SIZE)
    assert [card.others for card in reading.cards] == [(), (), (), (), ("track-3-left", "track-1-right")]
    assert [card.may_be("track-3-left") for card in reading.cards] == [False, False, False, False, True]
    assert all(card.may_be("track-1-left") for card in reading.cards)
