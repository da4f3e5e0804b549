"""What is read at one place of a picture, and what becomes of it."""

import cv2
import numpy as np
import pytest

from vision.arrays import Corners, Picture
from vision.deck_pictures import DeckPictures
from vision.faces.fit import Seen
from vision.reading.found_cards import FoundCards
from vision.reading.learnt_deck import LearntDeck, learnt
from vision.reading.place_search import PlaceSearch
from vision.reading.recognition import Print, Recognizer
from vision.reading.searched_picture import SearchedPicture

LIES: Corners = np.array([(150, 100), (245, 100), (245, 232), (150, 232)], float)
SEEN: Corners = LIES + np.array((3.0, -2.5))
"""Its edges were seen so far off."""


@pytest.fixture(scope="module")
def deck(second: DeckPictures) -> LearntDeck:
    return learnt(second.deck, second.faces, second.back)


def dim_picture(card: Picture, seed: int) -> Picture:
    """A card in the light of which a twelfth is left, on a paler table."""
    height, width = card.shape[:2]
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    picture = np.full((340, 400, 3), 60.0, np.float32)
    to_picture = cv2.getPerspectiveTransform(outline, LIES.astype(np.float32))
    dim = (card * 0.08 + 2).astype(np.float32)
    cv2.warpPerspective(dim, to_picture, (400, 340), picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(seed).normal(0, 14, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


@pytest.mark.parametrize("face", ["track-1-across", "track-3-straight"])
def test_a_card_that_hardly_shows_is_read_where_its_edges_are_seen(
    face: str, deck: LearntDeck, second: DeckPictures
) -> None:
    recognizer = Recognizer(SearchedPicture(dim_picture(second.faces[face], 1), None), deck)
    read, framed = recognizer.read([SEEN]), recognizer.read_framed(SEEN)
    assert read is not None
    assert framed is not None
    assert read.surprise < 3 < framed.surprise
    assert framed.corners.mean(axis=0) == pytest.approx(LIES.mean(axis=0), abs=5)


def test_a_card_that_lies_face_down_is_none(deck: LearntDeck, second: DeckPictures) -> None:
    assert second.back is not None
    recognizer = Recognizer(SearchedPicture(dim_picture(second.back, 1), None), deck)
    assert recognizer.read_framed(SEEN) is None


def test_where_nothing_is_printed_nothing_is_surely_read(deck: LearntDeck) -> None:
    plain = np.full((300, 200, 3), 40, np.uint8)
    read = Recognizer(SearchedPicture(dim_picture(plain, 2), None), deck).read_framed(SEEN)
    assert read is None or read.surprise < 3


def test_what_is_not_shaped_like_a_card_is_not_read(deck: LearntDeck, second: DeckPictures) -> None:
    recognizer = Recognizer(SearchedPicture(dim_picture(second.faces["chaos-1"], 1), None), deck)
    assert recognizer.read_framed(LIES * (1.0, 0.3)) is None


@pytest.mark.parametrize(("face", "is_card"), [("track-1-across", True), (None, False)])
def test_what_is_about_as_like_a_back_is_compared_as_a_whole(
    face: str | None, is_card: bool, deck: LearntDeck, second: DeckPictures
) -> None:
    """A card that hardly shows was passed over for good, as one that lies face down."""
    card = second.back if face is None else second.faces[face]
    assert card is not None
    picture = SearchedPicture(dim_picture(card, 1), None)
    recognizer, cards = Recognizer(picture, deck), FoundCards(picture, deck, [])
    (back,) = deck.backs
    seen = Seen(LIES, np.full((len(deck.ids), 2), -6.0))
    PlaceSearch(picture, deck, cards, recognizer)._add_best([Print(back, LIES, 4.0, seen)])
    assert (len(cards.all), len(cards.face_down)) == (int(is_card), int(not is_card))
