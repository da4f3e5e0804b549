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
EXPLOSIONS = 36
"""A deck in which an explosion breaks the rails, that is wider than a locomotive."""
WOOD = (120, 170, 210)
EQUALLY_LIGHT = ((200, 100, 100), (60, 100, 153))
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


@pytest.mark.parametrize("lies", ["track-2-right", "broken-2"])
def test_a_break_that_juts_out_from_under_a_locomotive_is_seen(lies: str) -> None:
    deck = Deck(random_deck(EXPLOSIONS))
    picture, (corners,) = deck.seen([lies], 1)
    width, height = deck.pictures.deck.card_mm
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    to_picture = cv2.getPerspectiveTransform(outline, corners.astype(np.float32))
    upright = cv2.boxPoints(((34.0, 51.0), (15.0, 36.0), 32.0))
    hidden = cv2.perspectiveTransform(upright[None].astype(np.float64), to_picture)[0]
    cv2.fillConvexPoly(picture, hidden.round().astype(np.int32), WOOD)
    told = deck.like.told(picture, corners, deck.ids.index("track-2-right"), hidden_px=hidden)
    assert told is not None
    assert deck.ids[told.face] == lies
    assert told.lead > 3


@pytest.mark.parametrize("lies", [0, 1])
def test_shields_of_other_colours_tell_faces_apart_that_are_alike_in_grey(lies: int) -> None:
    noise = np.random.default_rng(2)
    paper = cv2.GaussianBlur(noise.normal(150, 90, (352, 252)), (0, 0), 6).clip(0, 255).astype(np.uint8)
    faces = [np.dstack([paper] * 3) for _ in EQUALLY_LIGHT]
    for face, colour in zip(faces, EQUALLY_LIGHT, strict=True):
        cv2.circle(face, (60, 60), 24, colour, -1)
    like = LikeFaces(faces, (63.0, 88.0))
    picture = np.full((500, 500, 3), 90, np.uint8)
    picture[100:276, 100:226] = cv2.resize(faces[lies], (126, 176), interpolation=cv2.INTER_AREA)
    seen = (picture + noise.normal(0, 20, picture.shape)).clip(0, 255).astype(np.uint8)
    corners = np.array([(100, 100), (226, 100), (226, 276), (100, 276)], float) - 0.5
    for taken_for in (0, 1):
        told = like.told(seen, corners, taken_for)
        assert told is not None
        assert told.face == lies
        assert told.lead > 8


def test_a_deck_of_faces_without_any_like_it_has_nothing_to_tell() -> None:
    noise = np.random.default_rng(1)
    faces = [noise.integers(0, 255, (176, 126, 3), np.uint8) for _ in range(3)]
    like = LikeFaces(faces, (63.0, 88.0))
    picture = noise.integers(0, 255, (400, 400, 3), np.uint8)
    corners = np.array([(100, 100), (226, 100), (226, 276), (100, 276)], float)
    assert like.told(picture, corners, 0) is None
