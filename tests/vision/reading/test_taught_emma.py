"""What people have taught for Emma is seen, however little it is like a locomotive, and other things are not."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Picture
from vision.deck_pictures import DeckPictures, EmmaPicture
from vision.reading.emma import EmmaFinder

COIN = (70, 140, 190)
PX = 3
CARD_PX = (63 * PX, 88 * PX)


class Reading(NamedTuple):
    face: str
    corners_px: Corners


def table(own: DeckPictures, faces: list[str]) -> tuple[Picture, list[Reading]]:
    """Cards side by side, three px a mm, a little noisy."""
    picture = np.full((460, 800, 3), 120, np.uint8)
    cards = []
    for at, face in enumerate(faces):
        left, top = 60 + 240 * at, 90
        picture[top : top + CARD_PX[1], left : left + CARD_PX[0]] = cv2.resize(
            own.faces[face], CARD_PX, interpolation=cv2.INTER_AREA
        )
        right, bottom = left + CARD_PX[0], top + CARD_PX[1]
        cards.append(Reading(face, np.array([(left, top), (right, top), (right, bottom), (left, bottom)]) - 0.5))
    noise = np.random.default_rng(0).normal(0, 3, picture.shape)
    return (picture + noise).clip(0, 255).astype(np.uint8), cards


def coin_on(picture: Picture, card: Reading, colour: tuple[int, int, int] = COIN) -> tuple[float, float]:
    x, y = (card.corners_px.mean(axis=0) + np.array([12, 25])).round().astype(int).tolist()
    cv2.circle(picture, (x, y), 12 * PX, colour, cv2.FILLED, cv2.LINE_AA)
    return x, y


def coin() -> EmmaPicture:
    picture = np.zeros((75, 75, 3), np.uint8)
    cv2.circle(picture, (37, 37), 36, COIN, cv2.FILLED)
    return EmmaPicture(picture, (25.0, 25.0))


def test_a_coin_that_was_taught_is_seen_where_it_lies(own: DeckPictures) -> None:
    picture, cards = table(own, ["track-1-straight", "track-3-left", "chaos-2"])
    place = coin_on(picture, cards[1])
    assert EmmaFinder(own.faces, own.deck.card_mm).find(picture, cards) is None
    found = EmmaFinder(own.faces, own.deck.card_mm, coin()).find(picture, cards)
    assert found is not None
    assert found.card == 1
    assert np.hypot(*(found.foot_px - place)) < 5 * PX


def test_what_has_other_colours_is_not_she(own: DeckPictures) -> None:
    picture, cards = table(own, ["track-1-straight", "track-3-left"])
    finder = EmmaFinder(own.faces, own.deck.card_mm, coin())
    assert finder.find(picture, cards) is None
    coin_on(picture, cards[1], (200, 60, 20))
    assert finder.find(picture.copy(), cards) is None
