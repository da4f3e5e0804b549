"""Pictures in which nothing can be seen."""

import numpy as np

from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader
from vision.watching.steady_view import SteadyView


def test_darkness_is_noticed_at_the_first_picture_and_light_ends_it(reader: Reader, emma_finder: EmmaFinder) -> None:
    view = SteadyView(reader, emma_finder)
    noise = np.random.default_rng(0)
    assert view.look(noise.integers(0, 9, (480, 640, 3), np.uint8)).is_dark
    assert not view.look(noise.integers(90, 120, (480, 640, 3), np.uint8)).is_dark
    assert view.look(noise.integers(0, 9, (480, 640, 3), np.uint8)).is_dark
