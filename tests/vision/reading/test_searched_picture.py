"""Where in a picture cards are looked for."""

import numpy as np
import pytest

from vision.arrays import Region
from vision.reading.searched_picture import SearchedPicture

PICTURE = np.random.default_rng(1).integers(0, 256, (300, 800, 3), dtype=np.uint8)


def test_a_whole_picture_is_cut_into_parts_that_overlap() -> None:
    searched = SearchedPicture(PICTURE, None)
    parts = searched.parts(1.0, 264)
    assert not searched.is_part
    assert [part.corner for part in parts] == [(0, 0), (264, 0), (528, 0)]
    assert [part.picture.shape[:2] for part in parts] == [(300, 296), (300, 296), (300, 272)]
    assert all(np.array_equal(part.picture, PICTURE[:, int(part.corner[0]) :][:, :296]) for part in parts)


@pytest.mark.parametrize("scale", [0.4, 0.5, 0.8])
def test_parts_are_where_they_were_asked_for_at_any_scale(scale: float) -> None:
    (part,) = SearchedPicture(PICTURE, [Region(200, 100, 200, 150)]).parts(scale, 264)
    assert part.picture.shape[1::-1] == pytest.approx((200 * scale, 150 * scale), abs=1)
    assert part.holds(np.array([300.0, 170.0]))
    assert not part.holds(np.array([190.0, 170.0]))
    assert not part.holds(np.array([300.0, 260.0]))


def test_only_regions_are_looked_at_and_what_is_within_reach_of_them() -> None:
    searched = SearchedPicture(PICTURE, [Region(200, 100, 200, 150), Region(700, 0, 4, 4)])
    assert searched.is_part
    assert searched.is_looked_at(np.array([250.0, 120.0]))
    assert not searched.is_looked_at(np.array([450.0, 120.0]))
    assert searched.is_looked_at(np.array([450.0, 120.0]), reach=60.0)
    assert len(searched.parts(1.0, 264)) == 1  # specks are too small
