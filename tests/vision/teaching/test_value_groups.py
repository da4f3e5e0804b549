"""Faces put together by their values, and the values read."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.teaching.drawn_deck import CARD_MM, SIZE, cut_out, faces
from vision.cards import Face
from vision.teaching.values.value_groups import VALUES, ValueGroups, find_value_groups
from vision.teaching.values.value_names import name_values


def by_rails(some: Sequence[Face]) -> list[list[int]]:
    sets: dict[tuple[object, ...], list[int]] = {}
    for number, face in enumerate(some):
        sets.setdefault(face.ports, []).append(number)
    return list(sets.values())


def grouped(some: Sequence[Face]) -> ValueGroups:
    return find_value_groups([cut_out(face, number) for number, face in enumerate(some)], by_rails(some), CARD_MM)


@pytest.fixture(scope="module")
def all_grouped() -> ValueGroups:
    """Of all faces, as several tests look at them: it takes seconds."""
    return grouped(faces())


def are_right(groups: ValueGroups, some: Sequence[Face]) -> bool:
    """Whether each group has one value, and each value one group."""
    pairs = {(group, face.value) for group, face in zip(groups.groups, some, strict=True)}
    return len(pairs) == len({face.value for face in some}) == len(set(groups.groups))


def test_faces_of_one_value_are_put_together(all_grouped: ValueGroups) -> None:
    assert are_right(all_grouped, faces())
    assert all(all_grouped.are_clear)


@pytest.mark.parametrize("deck", [pytest.param(386, marks=pytest.mark.further), 268])
def test_grounds_that_differ_from_face_to_face_are_no_values(deck: int) -> None:
    # Rays and stars, or tints: what differs most was taken to tell more than small numerals.
    some = random_deck(deck).deck.faces
    assert are_right(seen_softly(deck, some), some)


def test_two_faces_alone_with_their_rails_are_doubtful_where_they_may_have_other_values() -> None:
    # Both of two chaos cards got wrong values, of which nobody was told.
    missing = {"track-1-left", "track-2-across", "chaos-2", "chaos-4", "broken-1", "broken-2"}
    some = [face for face in random_deck(389).deck.faces if face.id not in missing]
    groups = seen_softly(389, some)
    values = {groups.groups[number]: face.value for number, face in enumerate(some) if face.shape == "straight"}
    wrong = [face.id for group, face in zip(groups.groups, some, strict=True) if values[group] != face.value]
    clear = [face.id for is_clear, face in zip(groups.are_clear, some, strict=True) if is_clear]
    assert not {*wrong} & {*clear}


def seen_softly(deck: int, some: Sequence[Face]) -> ValueGroups:
    """Some faces of a deck as a camera might see them, in groups."""
    pictures, random = random_deck(deck), np.random.default_rng(0)
    size = [round(2 * side) for side in pictures.deck.card_mm]
    seen = [cv2.GaussianBlur(cv2.resize(pictures.faces[face.id], size), (0, 0), 0.8) for face in some]
    noisy = [(face + random.normal(0, 6, face.shape)).clip(0, 255).astype(np.uint8) for face in seen]
    return find_value_groups(noisy, by_rails(some), pictures.deck.card_mm)


def test_of_two_faces_alone_with_their_rails_each_has_its_value() -> None:
    some = [face for face in faces() if face.shape != "across" or face.value in {2, 3}]
    assert are_right(grouped(some), some)


def test_where_all_rails_are_on_more_faces_than_there_are_values_each_has_its_value() -> None:
    ports = [face.ports for face in faces()]
    fours = [face for face in faces() if ports.count(face.ports) == VALUES]
    some = [*faces(), *(face for number, face in enumerate(fours) if number % VALUES == number // VALUES)]
    assert are_right(grouped(some), some)


def test_one_face_alone_with_its_rails_is_doubtful() -> None:
    some = [face for face in faces() if face.shape != "across" or face.value == 2]
    groups = grouped(some)
    doubtful = [face.id for number, face in enumerate(some) if not groups.are_clear[number]]
    assert doubtful == ["track-2-across"]


def test_where_all_rails_are_on_fewer_faces_than_there_are_values_nothing_is_clear() -> None:
    # What three faces with the same rails have in common hides much of their values: some were wrong and clear.
    sets = by_rails(faces())
    some = [faces()[face] for number, those in enumerate(sets) for face in those[:4] if face % 4 != number % 4]
    assert max(map(len, by_rails(some))) < VALUES
    assert not any(grouped(some).are_clear)


def test_without_marks_nothing_is_clear() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (12, *SIZE[::-1], 3), np.uint8)
    groups = find_value_groups(list(noise), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], CARD_MM)
    assert not any(groups.are_clear)


def test_numerals_are_read(all_grouped: ValueGroups) -> None:
    groups, gains = all_grouped.groups, all_grouped.gains
    names = name_values([cut_out(face, number) for number, face in enumerate(faces())], groups, gains, CARD_MM)
    assert [names.values[group] for group in groups] == [face.value for face in faces()]
    assert names.is_clear
