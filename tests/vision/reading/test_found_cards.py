"""What the cards that were found tell of how the table lies."""

import numpy as np
import pytest

from tests.vision.outlines.test_viewpoint import SIZE, cards_seen
from vision.arrays import Corners, Region
from vision.deck_pictures import DeckPictures
from vision.faces.fit import Fit
from vision.outlines.outline_masks import fill_outline
from vision.reading.found_cards import FoundCards
from vision.reading.learnt_deck import LearntDeck, learnt
from vision.reading.searched_picture import Changed, SearchedPicture
from vision.rendering import camera_above

IN_A_CORNER = ((120, 470), (185, 470), (250, 470))
AROUND = ((90, 90), (400, 300), (640, 470))
FAR_OFF = ((700, 110),)
PICTURE = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)


@pytest.fixture(scope="module")
def deck(own: DeckPictures) -> LearntDeck:
    return learnt(own.deck, own.faces, own.back)


def found(deck: LearntDeck, known: list[Fit]) -> FoundCards:
    return FoundCards(SearchedPicture(PICTURE, None), deck, known)


def at(x: float, y: float) -> Corners:
    return np.array([(x, y), (x + 63, y), (x + 63, y + 88), (x, y + 88)])


def test_faint_cards_tell_how_the_table_lies_as_well_where_few_are_plain(deck: LearntDeck) -> None:
    """In the dark few are, and three in a corner, read a pixel or two off, tell little of the other one."""
    camera = camera_above((400, 300), 820, SIZE, tilt_deg=17, heading_deg=60)
    plain = [Fit(0, corners, 0.83) for corners in cards_seen(camera, IN_A_CORNER, noise_px=2.0)]
    faint = [Fit(0, corners, 0.75) for corners in cards_seen(camera, AROUND, noise_px=2.0)]
    cards = found(deck, [*plain, *faint])
    (far_off,) = cards_seen(camera, FAR_OFF)
    on_table = cards.viewpoint().on_table(far_off)
    sides_mm = np.linalg.norm(np.roll(on_table, -1, axis=0) - on_table, axis=1)
    np.testing.assert_allclose(sides_mm, [63, 88, 63, 88], atol=3)


def test_of_two_cards_at_one_place_the_surer_one_stays(deck: LearntDeck) -> None:
    cards = found(deck, [])
    assert cards.add(Fit(0, at(100, 100), surprise=8.0))
    assert not cards.add(Fit(1, at(120, 100), surprise=7.0))
    assert cards.add(Fit(2, at(300, 100), surprise=3.0))
    assert cards.add(Fit(3, at(110, 110), surprise=9.0))
    assert [fit.face for fit in cards.all] == [2, 3]


def test_no_other_card_is_found_where_one_was_known_or_lies_face_down(deck: LearntDeck) -> None:
    cards = found(deck, [Fit(0, at(100, 100), surprise=0.0)])
    assert not cards.add(Fit(1, at(110, 100), surprise=30.0))
    assert not cards.add(Fit(len(deck.ids), at(300, 100), surprise=9.0))
    assert not cards.leave_free(at(310, 100))
    assert cards.leave_free(at(500, 100))
    assert [fit.face for fit in cards.all] == [0]


def test_a_card_that_is_not_sure_leaves_free_those_that_it_may_have_been_taken_for(deck: LearntDeck) -> None:
    """Two beside one another were taken for one in their middle, and never looked at."""
    cards = found(deck, [])
    cards.add(Fit(0, at(100, 100), surprise=7.0))
    assert cards.leave_free(at(68, 100))
    assert cards.leave_free(at(132, 100))
    assert not cards.leave_free(at(115, 100))
    assert not cards.leave_free(np.roll(at(100, 100), 1, axis=0))
    cards.add(Fit(1, at(68, 100), surprise=40.0))
    assert [fit.face for fit in cards.all] == [1]
    assert not cards.leave_free(at(100, 100))


def test_rails_are_followed_only_to_where_the_picture_is_looked_at(deck: LearntDeck) -> None:
    picture = SearchedPicture(PICTURE, Changed([Region(300, 100, 63, 88)]))
    near, far_off = (Fit(0, at(x, y), surprise=30.0) for x, y in ((300, 190), (900, 900)))
    cards = FoundCards(picture, deck, [near, far_off])
    middles = cards.beside(near).mean(axis=1)
    assert np.linalg.norm(middles - at(300, 102).mean(axis=0), axis=1).min() < 1
    assert not len(cards.beside(far_off))


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_where_a_new_card_explains_all_that_has_changed_no_other_one_is_looked_for(
    deck: LearntDeck, scale: float
) -> None:
    """Most rails lead to nothing, and to look at a place takes as long as to read a card."""
    places = np.zeros((round(SIZE[1] / scale / 4), round(SIZE[0] / scale / 4)), np.uint8)
    for lies in (at(300, 300), at(300, 220)):
        fill_outline(places, lies / scale)
    cards = FoundCards(SearchedPicture(PICTURE, Changed([Region(200, 100, 300, 300)], places)), deck, [])
    assert not cards.leave_free(at(380, 220))
    assert cards.leave_free(at(300, 212))
    cards.add(Fit(0, at(300, 300), surprise=30.0))
    assert cards.leave_free(at(300, 212))
    assert cards.leave_free(at(300, 150))
    cards.add(Fit(1, at(300, 212), surprise=30.0))
    assert not cards.leave_free(at(300, 150))
    assert not cards.leave_free(at(366, 212))


def test_what_is_not_of_a_cards_shape_is_none(deck: LearntDeck) -> None:
    cards = found(deck, [])
    assert not cards.add(Fit(0, at(100, 100) * (3, 1), surprise=30.0))
    assert cards.all == []
