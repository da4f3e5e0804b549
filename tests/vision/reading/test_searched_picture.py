"""Where in a picture cards are looked for."""

import numpy as np
import pytest

from vision.arrays import Region
from vision.reading.searched_picture import Changed, SearchedPicture

PICTURE = np.random.default_rng(1).integers(0, 256, (300, 800, 3), dtype=np.uint8)


def test_a_whole_picture_is_one_part() -> None:
    searched = SearchedPicture(PICTURE, None)
    (part,) = searched.parts(1.0, 40)
    assert part.corner == (0, 0)
    assert np.array_equal(part.picture, PICTURE)


@pytest.mark.parametrize("scale", [0.4, 0.5, 0.8])
def test_parts_are_where_they_were_asked_for_at_any_scale(scale: float) -> None:
    (part,) = SearchedPicture(PICTURE, Changed([Region(200, 100, 200, 150)])).parts(scale, 0)
    assert part.picture.shape[1::-1] == pytest.approx((200 * scale, 150 * scale), abs=1)
    assert part.corner == pytest.approx((200 * scale, 100 * scale))
    (wider,) = SearchedPicture(PICTURE, Changed([Region(200, 100, 200, 150)])).parts(scale, 60)
    assert wider.picture.shape[1::-1] == pytest.approx((320 * scale, 260 * scale), abs=1)


@pytest.mark.parametrize("scale", [0.3, 0.5])
def test_parts_are_the_same_whether_the_whole_picture_was_halved_or_not(scale: float) -> None:
    regions = [Region(201, 99, 200, 150), Region(650, 40, 150, 260)]
    alone, halved = SearchedPicture(PICTURE, Changed(regions)), SearchedPicture(PICTURE, Changed(regions))
    assert halved.half.shape == (150, 400, 3)
    parts = zip(alone.parts(scale, 31), halved.parts(scale, 31), strict=True)
    assert [np.array_equal(one.picture, other.picture) for one, other in parts] == [True, True]


def test_only_regions_are_looked_at() -> None:
    searched = SearchedPicture(PICTURE, Changed([Region(200, 100, 200, 150), Region(700, 0, 4, 4)]))
    assert searched.is_looked_at(np.array([250.0, 120.0]))
    assert not searched.is_looked_at(np.array([450.0, 120.0]))
    assert searched.is_looked_at(np.array([450.0, 120.0]), 60)
    assert not searched.is_looked_at(np.array([470.0, 120.0]), 60)
    assert len(searched.parts(1.0, 0)) == 1  # specks are too small
