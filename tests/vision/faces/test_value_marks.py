"""Finding the marks by which a deck shows its values, and telling values by them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.arrays import Floats32, Picture
from vision.cards import Edge, Face, Kind, Port
from vision.faces.matching.mark_comparer import SeenMarks, mark_parts
from vision.faces.matching.print_comparer import print_of
from vision.faces.matching.value_marks import ValueMarks, find_value_marks

PX_PER_MM = 2.5
SIZE = (220, 158)
NUMERAL = (40, 40)
"""Where its middle is: row and column."""
ELSEWHERE = (150, 110)
COLUMNS = (60, 75, 90, 105)
"""Where the rails of each series run."""


def face(value: int, column: int, *, at: tuple[int, int] = NUMERAL, askew: int = 0) -> Picture:
    """A face with rails, a small numeral, and a frame that was cut out so many px askew."""
    picture = np.full((*SIZE, 3), 200, np.uint8)
    cv2.rectangle(picture, (6 + askew, 6), (150 + askew, 212), (20, 20, 20), 4)
    for beside in (0, 12):
        cv2.line(picture, (column + beside, 0), (column + beside, SIZE[0]), (60, 60, 60), 2)
    cv2.putText(picture, str(value), (at[1] - 6, at[0] + 6), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (90, 90, 90), 1)
    return picture


def known(columns: Sequence[int]) -> list[Face]:
    """What is known of the faces."""
    ports = [(Port(Edge.N, column), Port(Edge.S, column)) for column in columns]
    return [
        Face(f"track-{value}-{column}", value, Kind.TRACK, 1, both)
        for column, both in zip(columns, ports, strict=True)
        for value in range(1, 5)
    ]


def marks_of(pictures: Sequence[Picture], columns: Sequence[int] = COLUMNS) -> ValueMarks | None:
    return find_value_marks([print_of(picture, PX_PER_MM) for picture in pictures], known(columns), PX_PER_MM)


def askew_deck() -> list[Picture]:
    """A deck of which every frame was cut out another way."""
    random = np.random.default_rng(3)
    return [face(value, column, askew=int(random.integers(-3, 4))) for column in COLUMNS for value in range(1, 5)]


def test_values_are_shown_where_their_numerals_are_though_frames_differ_more() -> None:
    marks = marks_of(askew_deck())
    assert marks is not None
    row, column = NUMERAL
    there = marks.differ[row - 12 : row + 13, column - 12 : column + 13].sum()
    assert there > 0.95 * marks.differ.sum()
    assert marks.tell(0, 1)
    assert not marks.tell(0, 0)
    assert not marks.tell(0, 5), "faces with other rails differ by these"


def test_a_numeral_beside_the_edge_is_found_whole_though_faces_were_cut_out_along_it_with_some_of_the_table() -> None:
    random = np.random.default_rng(5)
    pictures = [face(value, column) for column in COLUMNS for value in range(1, 5)]
    for index, picture in enumerate(pictures):
        picture[:30, :30] = 200
        cv2.putText(picture, str(1 + index % 4), (6, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (90, 90, 90), 1)
        picture[:, : random.integers(0, 4)] = picture[: random.integers(0, 4)] = 60
    marks = marks_of(pictures)
    assert marks is not None
    is_numeral = np.zeros(SIZE, bool)
    is_numeral[7:19, 6:16] = True
    assert (marks.differ[is_numeral] > 0).mean() > 0.9


def test_where_each_series_shows_values_elsewhere_no_marks_are_in_common() -> None:
    places = [NUMERAL, ELSEWHERE, (40, 130), (150, 30)]
    pictures = [face(value, column, at=at) for column, at in zip(COLUMNS, places, strict=True) for value in range(1, 5)]
    assert marks_of(pictures) is None


def test_faces_of_one_kind_that_show_values_elsewhere_are_not_told_by_the_marks_of_the_others() -> None:
    places = [NUMERAL, NUMERAL, ELSEWHERE, NUMERAL]
    pictures = [face(value, column, at=at) for column, at in zip(COLUMNS, places, strict=True) for value in range(1, 5)]
    marks = marks_of(pictures)
    assert marks is not None
    assert [marks.tell(4 * kind, 4 * kind + 1) for kind in range(4)] == [True, True, False, True]


def test_what_few_faces_have_in_common_may_be_chance() -> None:
    assert marks_of(askew_deck()[:8], COLUMNS[:2]) is None


def test_faces_of_which_none_shows_a_value_have_no_marks() -> None:
    assert marks_of([face(1, column) for column in COLUMNS for _ in range(4)]) is None


def differ() -> Floats32:
    marks = marks_of(askew_deck())
    assert marks is not None
    return marks.differ


def ahead(seen: Picture, true: int, shown: np.ndarray | None = None, *, turned: bool = False) -> float:
    """How much likelier the card's value is than any other."""
    parts = mark_parts(differ(), PX_PER_MM)
    if turned:
        parts = [part.turned(SIZE) for part in parts]
    is_shown = np.ones(SIZE, bool) if shown is None else shown
    marks = SeenMarks(seen, parts, is_shown, PX_PER_MM, 1.5)
    faces = [face(value, COLUMNS[0]) for value in range(1, 5)]
    if turned:
        faces = [np.ascontiguousarray(one[::-1, ::-1]) for one in faces]
    told = [marks.likelihood(one) for one in faces]
    return told[true - 1] - max(value for index, value in enumerate(told) if index != true - 1)


@pytest.mark.parametrize("true", [1, 2, 3, 4])
@pytest.mark.parametrize("off", [(0, 0), (1, -1), (-2, 1)])
def test_a_numeral_tells_in_a_light_of_another_colour_a_little_off_and_soft(true: int, off: tuple[int, int]) -> None:
    lamp = np.array([0.4, 0.2, 0.7])
    moved = np.roll(face(true, COLUMNS[0]), off, (0, 1)) * lamp
    soft = cv2.GaussianBlur(moved + np.random.default_rng(true).normal(0, 3, moved.shape), (0, 0), 1.0)
    assert ahead(np.asarray(soft.clip(0, 255), np.uint8), true) > 5


def test_so_it_does_the_other_way_up() -> None:
    assert ahead(np.ascontiguousarray(face(3, COLUMNS[0])[::-1, ::-1]), 3, turned=True) > 5


def test_noise_that_buries_a_numeral_leaves_it_unclear() -> None:
    told = []
    for seed in range(8):
        noise = np.random.default_rng(seed).normal(0, 60, (*SIZE, 3))
        told.append(ahead(np.asarray((0.3 * face(2, COLUMNS[0]) + noise).clip(0, 255), np.uint8), 2))
    assert max(told) < 2


def test_a_numeral_that_is_hidden_tells_nothing() -> None:
    shown = np.ones(SIZE, bool)
    shown[:80, :80] = False
    assert ahead(face(2, COLUMNS[0]), 2, shown) == 0
