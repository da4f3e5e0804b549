"""A black thing is no card, however little of a likeness noise gives it to one."""

import cv2
import numpy as np
import pytest

from tests.vision.reading.taught_eye import Eye
from tests.vision.reading.unseen_tables import table_of
from vision.arrays import Corners, Picture
from vision.faces.fit import Fit
from vision.reading.card_brightness import CardBrightness
from vision.reading.place_search import PlaceSearch

CARD_MM = (63.0, 88.0)
CORNERS = np.array([(0, 0), (63, 0), (63, 88), (0, 88)], float)
LIT, DARK, PALE = (CORNERS + np.array((x, 20)) for x in (20, 120, 220))


def face(level: int) -> Picture:
    return np.full((176, 126, 3), level, np.uint8)


@pytest.fixture
def brightness() -> CardBrightness:
    return CardBrightness([face(200), face(40)], CARD_MM)


@pytest.fixture
def picture() -> Picture:
    seen = np.full((130, 310, 3), 90, np.uint8)
    for corners, level in ((LIT, 100), (DARK, 20), (PALE, 70)):
        cv2.fillConvexPoly(seen, corners.astype(np.int32), (level, level, level))
    return seen


def test_what_is_dark_beside_the_others_and_looks_little_like_a_card_is_none(
    brightness: CardBrightness, picture: Picture
) -> None:
    lit, dark = Fit(0, LIT, likeness=0.9), Fit(0, DARK, likeness=0.2)
    assert brightness.without_dark(picture, [lit, dark], []) == [lit]


@pytest.mark.parametrize(
    "stays",
    [
        pytest.param(Fit(0, DARK, likeness=0.6), id="a card in the shade that looks like its face"),
        pytest.param(Fit(1, DARK, likeness=0.2), id="a dark face"),
        pytest.param(Fit(0, PALE, likeness=0.2), id="a card a little darker than the others"),
    ],
)
def test_a_card_stays(stays: Fit, brightness: CardBrightness, picture: Picture) -> None:
    cards = [Fit(0, LIT, likeness=0.9), stays]
    assert brightness.without_dark(picture, cards, []) == cards


def test_what_is_known_stays_and_so_does_what_nothing_tells_of(brightness: CardBrightness, picture: Picture) -> None:
    lit, dark = Fit(0, LIT, likeness=0.9), Fit(0, DARK, likeness=0.2)
    assert brightness.without_dark(picture, [dark, lit], [dark]) == [dark, lit]
    assert brightness.without_dark(picture, [dark], []) == [dark]


def test_it_is_not_among_the_cards_of_a_picture(own_eye: Eye, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(own_eye.pictures, 1, "easy")
    black, search = CORNERS * 1.5 + 5, PlaceSearch.find

    def also_the_black_thing(self: PlaceSearch, before: list[Corners]) -> None:
        search(self, before)
        self._cards.all.append(Fit(0, black, likeness=0.2, surprise=4.0))

    cv2.fillConvexPoly(table.picture, black.astype(np.int32), (0, 0, 0))
    monkeypatch.setattr(PlaceSearch, "find", also_the_black_thing)
    read = sorted(card.face for card in own_eye.reader.read(table.picture))
    assert read == sorted(card["face"] for card in table.truth["cards"])
