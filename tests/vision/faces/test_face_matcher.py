"""Which face lies at a place is told either way up, as a probability, and that none of the deck does."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.reading.unseen_tables import Table, table_of
from vision.arrays import Picture
from vision.deck_pictures import DeckPictures
from vision.faces.matching.face_matcher import FaceMatcher, cut_out


@pytest.fixture(scope="module")
def matcher(own: DeckPictures) -> FaceMatcher:
    return FaceMatcher(list(own.faces.values()), own.deck.card_mm)


@pytest.fixture(scope="module")
def table(own: DeckPictures) -> Table:
    return table_of(own, 3, difficulty="easy")


def test_each_card_is_likeliest_to_have_its_face(own: DeckPictures, matcher: FaceMatcher, table: Table) -> None:
    ids = list(own.faces)
    for card in table.truth["cards"]:
        for turned in (0, 1):
            match = matcher.match(table.picture, np.roll(card["corners_px"], 2 * turned, axis=0))
            assert divmod(int(match.faces.argmax()), 2) == (ids.index(card["face"]), turned)
            assert match.none < np.log(0.1)


def test_probabilities_are_those_of_all_that_may_be(matcher: FaceMatcher, table: Table) -> None:
    match = matcher.match(table.picture, np.array(table.truth["cards"][0]["corners_px"]))
    assert np.exp(match.faces).sum() + np.exp(match.none) == pytest.approx(1)


def test_a_card_of_another_deck_is_none(matcher: FaceMatcher) -> None:
    other = random_deck(100)
    table = table_of(other, 5, difficulty="easy")
    none = [matcher.match(table.picture, np.array(card["corners_px"])).none for card in table.truth["cards"]]
    assert np.median(np.exp(none)) > 0.5


@pytest.mark.parametrize("beyond", [-5000.0, 5000.0])
def test_a_place_beyond_the_picture_is_none(matcher: FaceMatcher, table: Table, beyond: float) -> None:
    corners = np.array(table.truth["cards"][0]["corners_px"]) + beyond
    assert matcher.match(table.picture, corners).none > np.log(0.5)
    assert matcher.match(table.picture, corners * 20).none > np.log(0.5)


def test_a_large_card_is_made_smaller_without_patterns_that_it_has_not() -> None:
    fine = np.zeros((1200, 900, 3), np.uint8)
    fine[:, ::2] = 255
    picture: Picture = cv2.copyMakeBorder(fine, 50, 50, 50, 50, cv2.BORDER_REPLICATE)
    corners = np.array([(100, 100), (800, 100), (800, 1100), (100, 1100)], float)
    assert cut_out(picture, corners, (80, 112)).std() < 25
