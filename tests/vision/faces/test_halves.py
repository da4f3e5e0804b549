"""How much of what is seen is noise: told from one picture, so that a card in the dark is known by what is left."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.deck_pictures import DeckPictures
from vision.faces.alignment import FacePatterns
from vision.faces.card_shape import CardShape
from vision.faces.halves import halves_of

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

PX_PER_MM = 1.5
CENTRE_PX = (150.0, 160.0)
TABLE = 40
BRIGHTNESS = 0.25
"""Of the card in the dark."""


@pytest.fixture(scope="module")
def patterns(second: DeckPictures) -> FacePatterns:
    return FacePatterns([second.faces[face.id] for face in second.deck.faces], CardShape(second.deck.card_mm))


def corners_of(pictures: DeckPictures) -> Floats:
    return CardShape(pictures.deck.card_mm).corners_at((0.0, 0.0), 8.0) * PX_PER_MM + CENTRE_PX


def in_the_dark(pictures: DeckPictures, face: str | None, noise: float) -> Image:
    """A card on a plain table, or the table alone, in grey values of which this is the noise."""
    picture = np.full((320, 300, 3), TABLE, np.float32)
    if face is not None:
        card = pictures.faces[face].astype(np.float32) * BRIGHTNESS
        height, width = card.shape[:2]
        outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
        matrix = cv2.getPerspectiveTransform(outline, corners_of(pictures).astype(np.float32))
        cv2.warpPerspective(card, matrix, picture.shape[1::-1], picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.7) + np.random.default_rng(3).normal(0, noise, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def clearness(patterns: FacePatterns, picture: Image, corners: Floats) -> float:
    halves = halves_of(picture, corners)
    assert halves is not None
    return patterns.clearness(halves)


def likeness(patterns: FacePatterns, picture: Image, corners: Floats, face: int) -> float:
    half = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    return patterns.likeness_in_noise(half, corners, face)


@pytest.mark.parametrize("noise", [16.0, 24.0, 40.0])
def test_divided_by_the_clearness_a_likeness_is_what_it_is_without_noise(
    second: DeckPictures, patterns: FacePatterns, noise: float
) -> None:
    corners = corners_of(second)
    ids = [face.id for face in second.deck.faces]
    for face in ("track-1-left", "track-3-straight", "track-2-across"):
        number = ids.index(face)
        clean = likeness(patterns, in_the_dark(second, face, 0.5), corners, number)
        noisy = in_the_dark(second, face, noise)
        measured = likeness(patterns, noisy, corners, number)
        assert measured < 0.92 * clean
        assert measured / clearness(patterns, noisy, corners) == pytest.approx(clean, abs=0.12)


def test_a_bare_table_is_noise_alone(second: DeckPictures, patterns: FacePatterns) -> None:
    corners = corners_of(second)
    assert clearness(patterns, in_the_dark(second, None, 16.0), corners) < 0.3
    assert clearness(patterns, in_the_dark(second, "track-1-left", 0.5), corners) > 0.95


def test_where_light_has_burnt_all_away_nothing_is_clear_or_like_a_card(
    second: DeckPictures, patterns: FacePatterns
) -> None:
    white = np.full((320, 300, 3), 255, np.uint8)
    assert clearness(patterns, white, corners_of(second)) == pytest.approx(0, abs=1e-3)
    assert likeness(patterns, white, corners_of(second), 0) == pytest.approx(0, abs=1e-3)


def test_what_lies_partly_outside_of_the_picture_is_not_judged(second: DeckPictures) -> None:
    picture = in_the_dark(second, "track-1-left", 8.0)
    assert halves_of(picture, corners_of(second) - (130, 0)) is None
    assert halves_of(picture, corners_of(second) - (0, -900)) is None
