"""Which face lies at a place is told either way up, as a probability, and that none of the deck does."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.reading.unseen_tables import Table, table_of
from vision.arrays import Floats32, Picture
from vision.deck_pictures import DeckPictures
from vision.faces.matching.face_matcher import REACH, SCALE, VALUES, FaceMaps, FaceMatcher, cut_out


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


def test_maps_are_as_alike_as_their_differences_say_spot_by_spot() -> None:
    random = np.random.default_rng(4)

    def smooth(strength: float) -> Floats32:
        noise = random.normal(0, strength, (40 + 2 * REACH, 28 + 2 * REACH, VALUES)).astype(np.float32)
        return np.asarray(cv2.GaussianBlur(noise, (0, 0), 2).transpose(2, 0, 1), np.float32)

    card = smooth(2.0)
    inner = slice(REACH, -REACH)
    faces = np.stack([card + smooth(0.4) if face < 4 else smooth(2.0) for face in range(12)])[:, :, inner, inner]
    seen = np.roll(card, 1, axis=1) + smooth(0.4)
    trust = random.uniform(0, 2, seen.shape[1:]).astype(np.float32)
    each = [
        -(trust * (seen - np.pad(face, ((0, 0), (down, 2 - down), (across, 2 - across)))) ** 2)[
            :, down : down + 40, across : across + 28
        ].sum(dtype=np.float64)
        for face in faces
        for down in range(3)
        for across in range(3)
    ]
    plainly = np.logaddexp.reduce(np.reshape(each, (12, 9)) * SCALE / trust.size, axis=1) - np.log(9)
    alike = FaceMaps(faces).alike(seen, trust)
    assert alike[:4] - alike[0] == pytest.approx(plainly[:4] - plainly[0], abs=0.02)
    assert (alike[4:] < alike[0] - 5).all()
