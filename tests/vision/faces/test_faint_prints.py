"""How alike a face is to what shows faintly, in much noise."""

import cv2
import numpy as np
import pytest

from vision.arrays import Corners, Picture
from vision.deck_pictures import DeckPictures
from vision.faces.faint_prints import FaintPrints

SHAPES = ("track-1-straight", "track-1-across", "track-1-left", "track-1-right", "chaos-1")
SHOWS = 0.06
"""Of a card's contrast."""
NOISE = 8.0


@pytest.fixture(scope="module")
def faint(second: DeckPictures) -> FaintPrints:
    return FaintPrints([second.faces[face] for face in SHAPES], second.deck.card_mm)


def place(pictures: DeckPictures) -> Corners:
    """Where the card lies in the picture."""
    width, height = (1.5 * side for side in pictures.deck.card_mm)
    return np.array([(0, 0), (width, 0), (width, height), (0, height)]) + np.array((40, 30))


def dim_picture(pictures: DeckPictures, face: str, seed: int, gleam: int = 0) -> Picture:
    """The card on a table in next to no light, with a gleam on so many of its rows."""
    corners, image = place(pictures), pictures.faces[face]
    height, width = image.shape[:2]
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    to_picture = cv2.getPerspectiveTransform(outline, corners.astype(np.float32))
    card = cv2.warpPerspective(image, to_picture, (200, 200), flags=cv2.INTER_AREA) * SHOWS + 2.0
    if gleam:
        card[70 : 70 + gleam] += 200
    noise = np.random.default_rng(seed).normal(0, NOISE, card.shape)
    return np.asarray(np.clip(card + noise, 0, 255), np.uint8)


def likenesses(faint: FaintPrints, pictures: DeckPictures, picture: Picture) -> list[float]:
    return [faint.compared(picture, place(pictures), face).likeness for face in range(len(SHAPES))]


@pytest.mark.parametrize("shape", range(len(SHAPES)))
def test_the_whole_of_a_face_shows_where_each_spot_is_lost_in_noise(
    shape: int, faint: FaintPrints, second: DeckPictures
) -> None:
    shown = likenesses(faint, second, dim_picture(second, SHAPES[shape], shape))
    assert int(np.argmax(shown)) == shape
    assert shown[shape] > 0.1


def test_where_nothing_is_printed_no_face_is_alike(faint: FaintPrints, second: DeckPictures) -> None:
    for seed in range(5):
        noise = np.random.default_rng(seed).normal(30, NOISE, (200, 200, 3))
        assert max(likenesses(faint, second, np.asarray(noise.clip(0, 255), np.uint8))) < 0.1


def test_a_gleam_hides_only_what_it_covers(faint: FaintPrints, second: DeckPictures) -> None:
    shown = likenesses(faint, second, dim_picture(second, SHAPES[2], 1, gleam=12))
    assert int(np.argmax(shown)) == 2


def test_what_shows_one_colour_is_like_no_face(faint: FaintPrints, second: DeckPictures) -> None:
    assert likenesses(faint, second, np.full((200, 200, 3), 90, np.uint8)) == pytest.approx([0.0] * len(SHAPES))


def test_a_face_shows_as_strongly_as_the_light_lets_it(faint: FaintPrints, second: DeckPictures) -> None:
    dim = dim_picture(second, SHAPES[0], 1)
    assert faint.compared(dim, place(second), 0).strength == pytest.approx(0.6, abs=0.3)
    assert faint.compared(cv2.add(dim, (150, 150, 150, 0)), place(second), 0).strength < 0.05
