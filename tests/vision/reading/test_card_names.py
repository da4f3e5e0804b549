"""Which face a card has is told by all that may differ, and how probable that is by the odds of all that it may be."""

from __future__ import annotations

import math
from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.scores import score_of
from tests.vision.reading.taught_eye import Eye
from tests.vision.reading.unseen_tables import table_of
from vision.deck_pictures import DeckPictures
from vision.faces.fit import Fit, Seen
from vision.reading.card_names import CardNames, probability
from vision.reading.learnt_deck import learnt

SHIELDS = {"track-1-straight": (200, 100, 100), "track-2-straight": (60, 100, 153)}
"""Colours that are equally light."""


def of(*behind: float) -> float:
    return probability(np.array(behind))


@pytest.mark.parametrize(
    ("behind", "low", "high"),
    [
        ([0.0, 0.0], 0.49, 0.51),
        ([0.0, 0.0, 0.0, 0.0], 0.24, 0.26),
        ([0.0, 1.0], 0.53, 0.57),
        ([0.0, 2.0], 0.67, 0.71),
        ([0.0, 4.0], 0.94, 0.97),
        ([0.0, 6.0], 0.99, 0.998),
        ([0.0, 60.0], 0.9985, 0.9995),
    ],
)
def test_the_smaller_odds_are_the_less_they_say(behind: list[float], low: float, high: float) -> None:
    assert low < of(*behind) < high


def test_several_rivals_are_as_strong_as_one_that_has_their_chances_together() -> None:
    assert of(0.0, 1.0, 1.0) == pytest.approx(of(0.0, 1.0 - math.log(2)))


def test_the_better_its_odds_the_more_probable_a_face_is() -> None:
    told = [of(0.0, behind) for behind in np.arange(0.0, 30.0, 0.5)]
    assert all(one < other for one, other in pairwise(told))


def test_nothing_is_certain_that_was_read() -> None:
    assert 0.99 < of(0.0, 5000.0) < 1
    assert 0.99 < of(0.0) < 1


@pytest.mark.parametrize("lies", SHIELDS)
@pytest.mark.parametrize("taken_for", SHIELDS)
def test_shields_of_other_colours_tell_faces_apart_that_are_alike_in_grey(
    own: DeckPictures, lies: str, taken_for: str
) -> None:
    noise = np.random.default_rng(2)
    paper = cv2.GaussianBlur(noise.normal(150, 90, (352, 252)), (0, 0), 6).clip(0, 255).astype(np.uint8)
    faces = {**own.faces, **{face: np.dstack([paper] * 3) for face in SHIELDS}}
    for face, colour in SHIELDS.items():
        cv2.circle(faces[face], (60, 60), 24, colour, -1)
    picture = np.full((500, 500, 3), 90, np.uint8)
    picture[100:276, 100:226] = cv2.resize(faces[lies], (126, 176), interpolation=cv2.INTER_AREA)
    seen = (picture + noise.normal(0, 20, picture.shape)).clip(0, 255).astype(np.uint8)
    corners = np.array([(100, 100), (226, 100), (226, 276), (100, 276)], float) - 0.5
    deck = learnt(own.deck, faces, None)
    (card,) = CardNames(seen, deck).named([Fit(deck.ids.index(taken_for), corners)], [True], [None])
    assert deck.ids[card.face] == lies
    assert card.others == ()


@pytest.mark.parametrize(
    ("deck", "table"),
    [
        (18, 18011),
        pytest.param(350, 350000, marks=pytest.mark.further),
        pytest.param(360, 360011, marks=pytest.mark.further),
    ],
)
def test_rails_of_which_emma_and_the_dark_leave_little_tell_by_all_that_shows(deck: int, table: int) -> None:
    """Each of these tables was once asked about a card by its rails: they differ everywhere, but nowhere much."""
    pictures, emma = random_deck(deck), random_emma(deck)
    drawn = table_of(pictures, table, emma=emma)
    look = Eye(pictures, pictures.faces).look(drawn.picture)
    assert score_of(drawn.truth, look.cards, look.emma).wrong == []
    assert [card.others for card in look.cards if card.others] == []


@pytest.mark.parametrize(("off_mm", "is_asked_anew"), [(0.7, False), (3.0, True)])
def test_what_was_plain_when_a_card_was_found_is_asked_anew_only_where_it_lies_elsewhere(
    own: DeckPictures, off_mm: float, is_asked_anew: bool
) -> None:
    deck = learnt(own.deck, own.faces, None)
    picture = np.full((500, 500, 3), 90, np.uint8)
    picture[100:276, 100:226] = cv2.resize(own.faces["track-2-straight"], (126, 176), interpolation=cv2.INTER_AREA)
    corners = np.array([(100, 100), (226, 100), (226, 276), (100, 276)], float) - 0.5
    seen = np.full((len(deck.ids), 2), -30.0)
    seen[deck.ids.index("track-1-straight"), 0] = 0.0
    fit = Fit(deck.ids.index("track-1-straight"), corners, seen=Seen(corners - 2 * off_mm, seen))
    (card,) = CardNames(picture, deck).named([fit], [True], [None])
    assert deck.ids[card.face] == ("track-2-straight" if is_asked_anew else "track-1-straight")


def test_where_one_card_is_plainly_broken_another_one_that_may_be_is_not(
    own: DeckPictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deck has one of them. Both seem to be that one at first, one so plainly that it is not looked at closer."""
    deck = learnt(own.deck, own.faces, None)
    broken, whole = (deck.ids.index(face) for face in ("broken-1", "track-1-left"))
    assert deck.counts[broken] == 1
    told = np.full((2, len(deck.ids), 2), -30.0)
    told[:, broken, 0] = 0
    told[:, whole, 0] = (-5.1, -0.1)
    odds = iter(told)
    monkeypatch.setattr(CardNames, "_odds", lambda *_: next(odds))
    corners = np.array([(100, 100), (226, 100), (226, 276), (100, 276)], float)
    cards = [Fit(broken, corners), Fit(broken, corners + 200)]
    plain, either = CardNames(np.zeros((500, 500, 3), np.uint8), deck).named(cards, [True, True], [None, None])
    assert (deck.ids[plain.face], plain.others) == ("broken-1", ())
    assert (deck.ids[either.face], either.others) == ("track-1-left", ())
