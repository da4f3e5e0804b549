"""Things pushed over the table as one."""

import math
from itertools import combinations

import pytest

from companion.virtual.pushing import middle_of, pushed
from vision.cards import Pose


def test_what_is_pushed_keeps_its_distances_and_turns_around_its_middle() -> None:
    poses = {1: Pose(0, 0, 0), 2: Pose(100, 0, 90), 3: Pose(50, 90, 350)}
    there = pushed(poses, 20, -10, 30)
    for one, other in combinations(poses, 2):
        before, after = (
            math.dist((lying[one].x_mm, lying[one].y_mm), (lying[other].x_mm, lying[other].y_mm))
            for lying in (poses, there)
        )
        assert after == pytest.approx(before)
    assert [there[number].rotation_deg for number in poses] == [30, 120, 20]
    assert there[2].y_mm > there[1].y_mm
    middle, was = middle_of(there.values()), middle_of(poses.values())
    assert (middle.x_mm, middle.y_mm) == pytest.approx((was.x_mm + 20, was.y_mm - 10))
    assert pushed({}, 1, 1) == {}
