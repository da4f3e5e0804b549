"""The corners of a card are seen from a place that is some millimetres off, whatever is printed on it."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.reading.unseen_tables import table_of
from vision.arrays import Corners, Picture
from vision.deck_pictures import DeckPictures
from vision.outlines import corner_finder
from vision.outlines.corner_finder import card_about


def halved(picture: Picture) -> Picture:
    return np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)


def off_px(one: Corners, other: Corners) -> float:
    """How far apart corners are on average, whichever of the shorter sides is the first."""
    return min(float(np.linalg.norm(np.roll(one, turn, axis=0) - other, axis=1).mean()) for turn in (0, 2))


def deck_of(name: str, own: DeckPictures) -> DeckPictures:
    return own if name == "own" else random_deck(int(name))


@pytest.mark.parametrize("name", ["own", "100", "109"])
def test_corners_are_seen_from_a_place_some_millimetres_off(name: str, own: DeckPictures) -> None:
    """Decks 100 and on are none of those that it has learnt from."""
    pictures, random = deck_of(name, own), Random(1)
    table = table_of(pictures, 7, difficulty="easy")
    half = halved(table.picture)
    off_mm = []
    for card in table.truth["cards"]:
        corners = (np.array(card["corners_px"]) + 0.5) / 2 - 0.5
        px_per_mm = float(np.linalg.norm(corners[3] - corners[0])) / pictures.deck.card_mm[1]
        place = corners + px_per_mm * np.array([random.choice((-4, 4)), random.choice((-4, 4))])
        for given in (place, np.roll(place, 2, axis=0)):
            seen = card_about(half, given)
            assert seen.probability > 0.5
            off_mm.append(off_px(seen.corners, corners) / px_per_mm)
    assert np.median(off_mm) < 1.5


def test_a_bare_table_has_no_corners_of_cards() -> None:
    grey = np.full((600, 800, 3), 128, np.uint8)
    place = np.array([(380, 270), (425, 270), (425, 335), (380, 335)], float)
    assert card_about(grey, place).probability < 0.5


def test_a_place_beyond_the_picture_is_no_card() -> None:
    grey = np.full((200, 300, 3), 128, np.uint8)
    seen = card_about(grey, np.array([(-900, -900), (-855, -900), (-855, -840), (-900, -840)], float))
    assert seen.probability < 0.5


def test_it_looks_once_more_only_where_the_first_look_leaves_doubts(
    monkeypatch: pytest.MonkeyPatch, own: DeckPictures
) -> None:
    """Most places to which rails lead are bare, and most others show a card well at once."""
    looks: list[Picture] = []
    told = corner_finder._told
    monkeypatch.setattr(corner_finder, "_told", lambda square: [looks.append(square), told(square)][1])
    place = np.array([(380, 270), (425, 270), (425, 335), (380, 335)], float)
    assert card_about(np.full((600, 800, 3), 128, np.uint8), place).probability < corner_finder.NO_EDGES
    assert len(looks) == 1
    table = table_of(own, 7, difficulty="easy")
    corners = np.array(table.truth["cards"][0]["corners_px"]) / 2
    once = card_about(halved(table.picture), corners)
    assert len(looks) == 2
    assert once.probability > 0.9
    card_about(halved(table.picture), corners + 16)  # 24 mm off
    assert len(looks) == 4
