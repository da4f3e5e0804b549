"""A whole deck read from its faces: rails, values, kinds, which way up, and what of that is doubtful."""

from collections import Counter

import numpy as np
import pytest

from tests.vision.teaching.drawn_deck import CARD_MM, PORTS, SIZE, cut_out, cut_outs, faces
from vision.arrays import Picture
from vision.teaching.even_faces import turned_round
from vision.teaching.untold_deck import Doubt, ReadFace, read_faces

TWICE = 5
LYING_OTHERWISE = {3, 17}


@pytest.fixture(scope="module")
def read() -> tuple[ReadFace, ...]:
    """By a camera on the far side: all upside down but two; one card was photographed twice."""
    pictures = [one if index in LYING_OTHERWISE else turned_round(one) for index, one in enumerate(cut_outs())]
    return read_faces([*pictures, turned_round(cut_out(faces()[TWICE], 99))], CARD_MM)


def test_which_way_up_is_told_by_bends_and_by_the_other_cards(read: tuple[ReadFace, ...]) -> None:
    lying = {index for index, one in enumerate(read) if not one.is_turned}
    assert lying == LYING_OTHERWISE


def test_the_rails_are_found_to_a_millimetre(read: tuple[ReadFace, ...]) -> None:
    for one, face in zip(read, faces(), strict=False):
        seen = {port.edge: port.offset_mm for port in one.face.ports}
        assert seen.keys() == {port.edge for port in face.ports}, face.id
        assert all(abs(offset - PORTS[edge].offset_mm) < 1 for edge, offset in seen.items()), face.id
        assert Doubt.RAILS not in one.doubts


def test_faces_of_one_value_are_put_together(read: tuple[ReadFace, ...]) -> None:
    pairs = Counter((one.face.value, face.value) for one, face in zip(read, faces(), strict=False))
    assert len(pairs) == 4
    assert not any(Doubt.VALUE in one.doubts for one in read)


def test_broken_tracks_and_cards_without_rails_are_known(read: tuple[ReadFace, ...]) -> None:
    expected = [face.kind for face in faces()]
    assert [one.face.kind for one in read[: len(expected)]][TWICE + 1 :] == expected[TWICE + 1 :]


def test_a_card_photographed_twice_is_said_and_every_face_has_its_own_name(read: tuple[ReadFace, ...]) -> None:
    assert [index for index, one in enumerate(read) if Doubt.TWICE in one.doubts] == [len(faces())]
    assert len({one.face.id for one in read}) == len(read)


def noise(seed: int) -> Picture:
    return np.random.default_rng(seed).integers(0, 255, (*SIZE[::-1], 3), np.uint8)


def test_of_nothing_at_all_everything_is_doubtful() -> None:
    read = read_faces([noise(seed) for seed in range(12)], CARD_MM)
    assert all({Doubt.RAILS, Doubt.VALUE, Doubt.NUMBER, Doubt.WAY_UP} <= one.doubts for one in read)
    assert sum(one.is_turned for one in read) <= len(read) / 2


@pytest.mark.parametrize("count", [0, 1, 4])
def test_too_few_faces_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} faces"):
        read_faces(cut_outs()[:count], CARD_MM)
