"""A railway's front stays its front, and is found out where the first picture got it wrong."""

import pytest

from vision.report.railway_direction import RailwayDirection

SERIALS = tuple(range(100, 120))


def told(direction: RailwayDirection, *cards: int) -> list[int]:
    """The railway as it is kept, by serial numbers (from 100)."""
    return [SERIALS[card] - 100 for card in direction.kept(cards, SERIALS)]


@pytest.mark.parametrize("backwards", [False, True])
def test_the_direction_is_kept(backwards: bool) -> None:
    direction = RailwayDirection()
    assert told(direction, 1, 2, 3) == [1, 2, 3]
    for chain in ([1, 2, 3], [1, 2, 3, 4], [2, 3, 4], [3, 4, 5, 6], [6], [6, 7]):
        assert told(direction, *(chain[::-1] if backwards else chain)) == chain


def test_growth_at_the_rear_says_that_it_was_the_front() -> None:
    direction = RailwayDirection()
    assert told(direction, 3, 2, 1) == [3, 2, 1]
    assert told(direction, 4, 3, 2, 1) == [1, 2, 3, 4]
    assert told(direction, 4, 3, 2) == [2, 3, 4]


def test_one_odd_change_does_not_turn_a_railway_that_has_grown() -> None:
    direction = RailwayDirection()
    for chain in ([1, 2], [1, 2, 3], [2, 3, 4], [2, 3, 4, 5]):
        told(direction, *chain)
    assert told(direction, 9, 2, 3, 4, 5) == [9, 2, 3, 4, 5]


def test_an_empty_table_or_another_railway_begins_anew() -> None:
    direction = RailwayDirection()
    told(direction, 1, 2, 3)
    assert told(direction) == []
    assert told(direction, 3, 2, 1) == [1, 2, 3]
    assert told(direction, 9, 8, 7) == [9, 8, 7]
