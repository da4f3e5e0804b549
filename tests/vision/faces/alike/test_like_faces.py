"""Telling faces apart that are alike but for a numeral, on cards whose corners are known to a millimetre."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from vision.arrays import Corners, Picture
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.faces.alike.like_faces import LikeFaces
from vision.rendering import LyingCard, Renderer, Scene
from vision.rendering.conditions import draw_conditions

BLUE = 35
"""A deck with white rails on one blue, on which nothing but a thin numeral 5 mm high tells the values apart."""
SIZE = (1640, 1232)


class Deck:
    """A deck whose straight tracks differ by their numerals only."""

    def __init__(self, pictures: DeckPictures) -> None:
        self.pictures = pictures
        self.ids = [face.id for face in pictures.deck.faces]
        self.straight = [face for face in self.ids if face.endswith("straight")]
        self.like = LikeFaces([pictures.faces[face] for face in self.ids], pictures.deck.card_mm)

    def seen(self, faces: list[str], seed: int) -> tuple[Picture, list[Corners]]:
        """A picture of these cards in a row, and their corners, each off by about a millimetre."""
        conditions = draw_conditions("normal", Random(f"like {seed}"), SIZE)
        view = Renderer(
            conditions.camera,
            conditions.tabletop,
            self.pictures.faces,
            self.pictures.back,
            self.pictures.deck.card_mm,
        )
        cards = tuple(LyingCard(face, Pose(150 + 120 * index, 220, 3 * index)) for index, face in enumerate(faces))
        scene = Scene(cards)
        picture = view.photograph(scene, conditions.light, conditions.sensor, seed).picture
        noise = np.random.default_rng(seed)
        corners = [np.asarray(view.corners(card), float) for card in cards]
        return picture, [one + noise.normal(0, 1.0, (1, 2)) + noise.normal(0, 0.5, (4, 2)) for one in corners]


@pytest.fixture(scope="module")
def deck() -> Deck:
    return Deck(random_deck(BLUE))


def test_whatever_a_card_was_taken_for_the_numeral_decides_or_says_that_it_is_not_clear(deck: Deck) -> None:
    right = 0
    for seed in range(4):
        picture, places = deck.seen(deck.straight, seed)
        for lies, corners in zip(deck.straight, places, strict=True):
            for taken_for in deck.straight:
                told = deck.like.told(picture, corners, deck.ids.index(taken_for))
                assert told is not None
                assert deck.ids[told.face] == lies or told.lead < 2
                right += deck.ids[told.face] == lies
    assert right >= 0.95 * 4 * len(deck.straight) ** 2


def test_where_the_numerals_are_hidden_no_other_face_is_ahead(deck: Deck) -> None:
    picture, (corners, *_) = deck.seen(deck.straight, 0)
    for end in (corners[:2], corners[2:]):  # black things on both ends: the middle of the track is seen
        inner = end + 0.3 * (corners.mean(axis=0) - end.mean(axis=0))
        cv2.fillConvexPoly(picture, np.concatenate([end, inner[::-1]]).round().astype(np.int32), (4, 4, 4))
    for face in deck.straight:
        told = deck.like.told(picture, corners, deck.ids.index(face))
        assert told is not None
        assert deck.ids[told.face] == face or told.ahead < 1


def test_a_deck_of_faces_without_any_like_it_has_nothing_to_tell() -> None:
    noise = np.random.default_rng(1)
    faces = [noise.integers(0, 255, (176, 126, 3), np.uint8) for _ in range(3)]
    like = LikeFaces(faces, (63.0, 88.0))
    picture = noise.integers(0, 255, (400, 400, 3), np.uint8)
    corners = np.array([(100, 100), (226, 100), (226, 276), (100, 276)], float)
    assert like.told(picture, corners, 0) is None
