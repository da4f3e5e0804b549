"""Which cut-outs lie upside down: found by what faces share, and not where they share nothing that tells."""

from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from vision.arrays import Picture
from vision.teaching.even_faces import turned_round
from vision.teaching.ways_up import WaysUp, find_ways_up


@cache
def cut_outs(deck: int) -> list[Picture]:
    """A deck's faces, as large and as sharp as a camera shows them."""
    return [
        np.asarray(cv2.GaussianBlur(cv2.resize(face, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA), (0, 0), 0.8))
        for face in random_deck(deck).faces.values()
    ]


def ways_of(deck: int, turned: set[int]) -> WaysUp:
    faces = [turned_round(face) if place in turned else face for place, face in enumerate(cut_outs(deck))]
    return find_ways_up(faces, random_deck(deck).deck.card_mm)


@pytest.mark.parametrize(
    "deck",
    [
        386,
        pytest.param(388, marks=pytest.mark.further),
        pytest.param(10, marks=pytest.mark.further),
        pytest.param(167, marks=pytest.mark.further),
    ],
)
def test_faces_that_were_all_laid_alike_stay_as_they_are(deck: int) -> None:
    """On one no print tells which way up, on the next chance cards have a ground of their own, two came apart."""
    assert not ways_of(deck, set()).is_turned.any()


@pytest.mark.parametrize("deck", [388, pytest.param(393, marks=pytest.mark.further)])
@pytest.mark.parametrize(
    "turned",
    [
        pytest.param({2}, marks=pytest.mark.further),
        {0, 7, 14},
        pytest.param({1, 2, 4, 6, 9, 12, 13, 17}, marks=pytest.mark.further),
    ],
)
def test_those_that_were_laid_the_other_way_up_are_found(deck: int, turned: set[int]) -> None:
    assert set(np.flatnonzero(ways_of(deck, turned).is_turned)) == turned


def test_it_is_in_doubt_where_no_print_tells() -> None:
    ways = ways_of(386, set())
    assert not any(ways.is_clear(face) for face in range(len(ways.is_turned)))
    ways = ways_of(393, {0, 7, 14})
    assert all(ways.is_clear(face) for face in range(len(ways.is_turned)))
