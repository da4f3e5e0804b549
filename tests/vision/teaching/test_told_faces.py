"""Cards laid down one after the other: each new face is read beside those told before."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import DeckPictures, as_photographed, random_deck
from vision.arrays import Picture
from vision.cards import Face
from vision.teaching.even_faces import turned_round
from vision.teaching.face_names import ordered_ports
from vision.teaching.told_faces import FaceGuess, ToldFace, guess_face

DECK = 256
DOZEN = (
    *("track-1-straight", "track-2-left", "track-3-right", "track-4-across", "chaos-2", "broken-3"),
    *("track-2-right", "track-3-straight", "track-1-left", "track-4-left", "track-3-across", "track-1-right"),
)
LATER = ("track-3-left", "track-4-straight", "track-2-across", "broken-1", "chaos-1", "chaos-4")


@cache
def deck() -> DeckPictures:
    return random_deck(DECK)


def seen(face_id: str, photograph: int = 0) -> Picture:
    """A face as it is cut out of a photograph: a little off, noisy, darker or lighter."""
    random = np.random.default_rng([photograph, *face_id.encode()])
    small = as_photographed(deck().faces[face_id])
    off = np.array([[1, 0, random.normal(0, 0.4)], [0, 1, random.normal(0, 0.4)]])
    moved = cv2.warpAffine(small, off, small.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    noisy = moved * random.uniform(0.9, 1.1) + random.normal(0, 4, small.shape)
    return np.asarray(noisy.clip(0, 255), np.uint8)


def told(face_ids: Sequence[str]) -> list[ToldFace]:
    faces = [deck().deck[face_id] for face_id in face_ids]
    return [ToldFace(seen(face.id), face.ports, face.value, face.kind) for face in faces]


def guess(cut_out: Picture, before: Sequence[str]) -> FaceGuess:
    return guess_face(cut_out, told(before), deck().deck.card_mm)


def are_right(guessed: FaceGuess, face: Face) -> bool:
    edges = [port.edge for port in guessed.ports]
    expected = ordered_ports(face.ports)
    return edges == [port.edge for port in expected] and all(
        abs((port.offset_mm or 0.0) - (true.offset_mm or 0.0)) <= 1
        for port, true in zip(guessed.ports, expected, strict=True)
    )


@pytest.fixture(scope="module")
def after_a_dozen() -> dict[str, FaceGuess]:
    """What is guessed of some others."""
    return {face_id: guess(seen(face_id), DOZEN) for face_id in LATER}


def test_after_a_dozen_faces_most_values_are_offered_and_all_of_these_are_right(
    after_a_dozen: dict[str, FaceGuess],
) -> None:
    offered = {face: one.value for face, one in after_a_dozen.items() if one.value is not None}
    assert len(offered) >= len(LATER) - 1
    assert offered == {face: deck().deck[face].value for face in offered}


def test_after_a_dozen_faces_rails_are_clear_and_right(after_a_dozen: dict[str, FaceGuess]) -> None:
    assert all(one.are_ports_clear for one in after_a_dozen.values())
    assert all(are_right(one, deck().deck[face]) for face, one in after_a_dozen.items())


def test_faces_that_lie_upright_are_told_as_such_and_none_was_told_before(after_a_dozen: dict[str, FaceGuess]) -> None:
    assert not any(one.is_turned for one in after_a_dozen.values())
    assert all(one.same is None for one in after_a_dozen.values())


@pytest.mark.parametrize("face_id", ["track-3-straight", "chaos-4"])
def test_a_value_that_nobody_has_shown_yet_is_not_offered_as_another_one(face_id: str) -> None:
    before = [face.id for face in deck().deck.faces if face.value in {1, 2}]
    assert guess(seen(face_id), before).value is None


def test_the_last_value_is_told_from_the_three_others() -> None:
    before = [face.id for face in deck().deck.faces if face.value != 3]
    assert [guess(seen(f"track-3-{shape}"), before).value for shape in ("left", "across")] == [3, 3]


@pytest.mark.parametrize("before", [(), DOZEN[:3], DOZEN])
def test_a_bend_that_lies_upside_down_is_told_as_such(before: Sequence[str]) -> None:
    turned = guess(turned_round(seen("track-4-right")), before)
    assert turned.is_turned
    assert are_right(turned, deck().deck["track-4-right"])


def test_a_face_without_a_bend_that_lies_upside_down_is_told_by_what_it_shares_with_others() -> None:
    turned = guess(turned_round(seen("track-4-straight")), DOZEN)
    assert turned.is_turned
    assert are_right(turned, deck().deck["track-4-straight"])


@pytest.mark.parametrize(("number", "is_turned"), [(0, True), (4, False)])
def test_the_same_card_once_more_is_recognised(*, number: int, is_turned: bool) -> None:
    again = seen(DOZEN[number], photograph=1)
    assert guess(turned_round(again) if is_turned else again, DOZEN).same == number


def test_where_nothing_is_told_yet_rails_are() -> None:
    first = guess(seen("track-2-left"), ())
    assert are_right(first, deck().deck["track-2-left"])
    assert (first.value, first.is_turned, first.same) == (None, False, None)


def test_beside_one_face_no_value_is_sure() -> None:
    assert guess(seen("track-2-left"), DOZEN[:1]).value is None
