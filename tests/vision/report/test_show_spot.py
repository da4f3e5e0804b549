"""Which cards are shown to the camera, and not part of the railway."""

import numpy as np

from vision.arrays import Region
from vision.reading.reader import CardReading
from vision.report.show_spot import shown_cards

PLACE = np.array([(0.0, 0.0), (63, 0), (63, 88), (0, 88)])
CARDS = [CardReading("track-1-left", PLACE + np.array([x_px, 200]), 0.9, 0.3) for x_px in (100, 170, 500, 900)]


def test_what_is_not_joined_to_the_railway_is_shown() -> None:
    assert shown_cards(CARDS, [1, 0]) == [2, 3]
    assert shown_cards(CARDS, [0, 1, 2, 3]) == []
    assert shown_cards([], []) == []


def test_where_the_spot_is_known_only_cards_in_it_are_shown() -> None:
    assert shown_cards(CARDS, [1, 0], Region(880, 150, 120, 160)) == [3]
    assert shown_cards(CARDS, [1, 0], Region(100, 150, 80, 160)) == []
    # By a card's middle, and up to the border.
    assert shown_cards(CARDS, [], Region(931, 244, 1, 1)) == [3]
    assert shown_cards(CARDS, [], Region(800, 150, 131, 160)) == []
