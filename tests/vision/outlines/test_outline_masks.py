"""Which places of a picture lie inside outlines."""

import numpy as np

from vision.outlines.outline_masks import share_changed


def test_the_share_is_of_the_inside_of_any_convex_outline() -> None:
    places = np.zeros((50, 50), np.uint8)
    places[:, 20:] = 1
    hexagon = np.array([(40, 80), (60, 40), (100, 40), (120, 80), (100, 120), (60, 120)], dtype=float)
    assert 0.4 < share_changed(places, hexagon) < 0.6
    assert share_changed(places, hexagon + np.array([100, 0])) == 1.0
    assert share_changed(places, hexagon + np.array([1000, 0])) == 0.0
    assert share_changed(places, hexagon - np.array([0, 1000])) == 0.0
    assert 0.4 < share_changed(places, hexagon - np.array([0, 80])) < 0.6  # half of it is out of the picture
