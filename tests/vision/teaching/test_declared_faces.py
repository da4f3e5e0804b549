"""Cut-outs compared with the faces that they are taken for."""

from random import Random

import pytest

from tests.vision.random_decks.random_deck import as_photographed, random_deck
from tests.vision.reading.measuring.teaching_session import OTHER_CAMERAS_PX, lone_cards
from tests.vision.teaching.drawn_deck import CARD_MM, cut_outs, faces
from vision.cards import Edge
from vision.faces.matching.face_matcher import cut_out
from vision.teaching.declared_faces import DeckCheck, check_faces
from vision.teaching.even_faces import turned_round

STRAIGHT, LEFT = 1, 4


@pytest.fixture(scope="module")
def swapped() -> DeckCheck:
    """Seen by a camera on the far side, two cards in each other's place."""
    pictures = [turned_round(picture) for picture in cut_outs()]
    pictures[STRAIGHT], pictures[LEFT] = pictures[LEFT], pictures[STRAIGHT]
    return check_faces(pictures, faces(), CARD_MM)


def test_a_camera_on_the_far_side_is_noticed(swapped: DeckCheck) -> None:
    assert all(one.is_turned for one in swapped.faces)


@pytest.mark.parametrize("number", [20, pytest.param(398, marks=pytest.mark.further)])
@pytest.mark.parametrize("is_turned", [False, True])
def test_so_it_is_where_rails_are_too_faint_to_be_found(number: int, is_turned: bool) -> None:
    """Blots hide them, and each numeral stands on the card both ways."""
    pictures = random_deck(number)
    shown = [as_photographed(picture) for picture in pictures.faces.values()]
    check = check_faces(
        [turned_round(one) if is_turned else one for one in shown], pictures.deck.faces, pictures.deck.card_mm
    )
    assert {one.is_turned for one in check.faces} == {is_turned}


@pytest.mark.parametrize(
    ("number", "has_clear_rails"),
    [
        pytest.param(398, False, marks=pytest.mark.further),
        pytest.param(204, False, marks=pytest.mark.further),
        (28, True),
        pytest.param(380, True, marks=pytest.mark.further),
    ],
)
def test_so_it_is_where_rails_are_hard_to_tell(number: int, has_clear_rails: bool) -> None:
    pictures, random = random_deck(number), Random(f"teaching {number} 0")
    card_mm = pictures.deck.card_mm
    lone = lone_cards(pictures, random, pictures.faces, random.choice(OTHER_CAMERAS_PX))
    shown = [cut_out(picture, corners, (504, 704)) for _, picture, corners in lone]
    for is_turned in (False, True):
        check = check_faces([turned_round(one) if is_turned else one for one in shown], pictures.deck.faces, card_mm)
        assert check.has_clear_rails is has_clear_rails
        assert {one.is_turned for one in check.faces} == {is_turned}


def test_rails_that_contradict_the_face_are_said(swapped: DeckCheck) -> None:
    assert swapped.is_in_order
    assert swapped.has_clear_rails
    wrong = {index: set(one.other_edges) for index, one in enumerate(swapped.faces) if one.other_edges is not None}
    assert wrong == {STRAIGHT: {Edge.S, Edge.W}, LEFT: {Edge.S, Edge.N}}


def test_photographs_that_are_all_one_place_off_are_out_of_order() -> None:
    order = faces()
    mixed = [*order[::4], *order[1::4], *order[2::4], *order[3::4]]
    check = check_faces(cut_outs(), mixed, CARD_MM)
    assert not check.is_in_order
    assert all(one.other_edges is None for one in check.faces)


def test_a_few_cards_are_not_compared() -> None:
    check = check_faces(cut_outs()[:3], faces()[:3], CARD_MM)
    assert not check.has_clear_rails
    assert not any(one.is_turned or one.other_edges for one in check.faces)
