"""Where a table has changed."""

import numpy as np

from vision.watching.table_changes import parts_touched, share_changed


def test_a_part_is_touched_as_a_whole_or_not_at_all() -> None:
    places = np.zeros((20, 30), np.uint8)
    places[2:8, 2:8] = places[2:8, 12:18] = places[12:18, 20:26] = 1
    touching = np.zeros_like(places)
    touching[7:12, 7:13] = 1
    touching[0, :] = 1
    expected = np.zeros_like(places)
    expected[2:8, 2:8] = expected[2:8, 12:18] = 1
    assert (parts_touched(places, touching) == expected).all()
    assert not parts_touched(places, np.zeros_like(places)).any()
    assert not parts_touched(np.zeros_like(places), touching).any()


def test_the_share_is_of_the_inside_of_any_convex_outline() -> None:
    places = np.zeros((50, 50), np.uint8)
    places[:, 20:] = 1
    hexagon = np.array([(40, 80), (60, 40), (100, 40), (120, 80), (100, 120), (60, 120)], dtype=float)
    assert 0.4 < share_changed(places, hexagon) < 0.6
    assert share_changed(places, hexagon + np.array([100, 0])) == 1.0
    assert share_changed(places, hexagon + np.array([1000, 0])) == 0.0
    assert share_changed(places, hexagon - np.array([0, 1000])) == 0.0
    assert 0.4 < share_changed(places, hexagon - np.array([0, 80])) < 0.6  # half of it is out of the picture
