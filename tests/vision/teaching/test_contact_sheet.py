"""The sheet on which one sees what was taken for what."""

import numpy as np

from vision.arrays import Picture
from vision.cards import Edge, Face, Kind, Port
from vision.teaching.contact_sheet import SheetEntry, contact_sheet

CARD_MM = (63.0, 88.0)


def entry(face_id: str, *, is_doubtful: bool, ports: tuple[Port, ...] = ()) -> SheetEntry:
    face = Face(face_id, 1, Kind.TRACK, 1, ports)
    return SheetEntry(np.full((88, 63, 3), 128, np.uint8), face, "a photograph.jpg", is_doubtful)


def has_colour(sheet: Picture, colour: tuple[int, int, int]) -> bool:
    return bool((sheet == colour).all(axis=2).any())


def test_doubtful_faces_are_red_and_sure_ones_green() -> None:
    sure, doubtful = (contact_sheet([entry("one", is_doubtful=is_doubtful)], CARD_MM) for is_doubtful in (False, True))
    red, green = (40, 40, 220), (60, 160, 40)
    assert (has_colour(sure, green), has_colour(sure, red)) == (True, False)
    assert (has_colour(doubtful, green), has_colour(doubtful, red)) == (False, True)


def test_a_value_that_was_guessed_has_a_question_mark() -> None:
    sure = entry("one", is_doubtful=False)
    one, other = (contact_sheet([sure._replace(is_value_guessed=guessed)], CARD_MM) for guessed in (False, True))
    assert not np.array_equal(one, other)
    assert not has_colour(other, (40, 40, 220))


def test_ports_are_drawn_where_rails_leave() -> None:
    drawn = contact_sheet([entry("one", is_doubtful=False, ports=(Port(Edge.W, 22.0), Port(Edge.E, -22.0)))], CARD_MM)
    rows, columns = np.nonzero((drawn == (200, 0, 200)).all(axis=2))
    left, right = rows[columns < 98], rows[columns > 98]
    # 44 mm apart, a card of 88 mm being 235 px high.
    assert abs(left.mean() - right.mean() - 117) < 3


def test_any_number_of_faces_and_any_letters() -> None:
    one = contact_sheet([entry("Überführung " * 20, is_doubtful=False)], CARD_MM)
    many = contact_sheet([entry(f"face {number}", is_doubtful=False) for number in range(110)], CARD_MM)
    assert many.shape[0] == 19 * one.shape[0]
    assert contact_sheet([], CARD_MM).shape == one.shape
