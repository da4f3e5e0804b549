"""Where cards lie is seen whatever is printed on them, and told in the way that it was learnt."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from tests.vision.outlines.place_training.lessons import SIDE_PX, Motion, lesson_of
from tests.vision.outlines.place_training.scenes import Example
from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.unseen_tables import table_of
from vision.arrays import Corners, Picture
from vision.deck_pictures import DeckPictures
from vision.outlines import place_finder
from vision.outlines.place_finder import LIKELY, seen_in


def off_px(one: Corners, other: Corners) -> float:
    """How far apart corners are at most, whichever of the shorter sides is the first."""
    return min(float(np.linalg.norm(np.roll(one, turn, axis=0) - other, axis=1).max()) for turn in (0, 2))


def an_example(corners: list[Corners], foot: tuple[float, float] | None = None) -> Example:
    size = (SIDE_PX, SIDE_PX)
    grey = np.full((*size, 3), 128, np.uint8)
    nothing, everything = np.zeros((0, 4, 2)), np.ones(len(corners), np.float32)
    unfilled = np.zeros(size, np.uint8)
    return Example(grey, np.array(corners).reshape(-1, 4, 2), (), everything, nothing, foot, unfilled, unfilled)


def a_card(x: float, y: float, degrees: float) -> Corners:
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.array([(-15, -21), (15, -21), (15, 21), (-15, 21)]) @ turn.T + (x, y)


@pytest.mark.parametrize("degrees", range(0, 360, 35))
def test_what_is_to_be_learnt_is_what_is_told(degrees: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that says just what it should tells where the cards of a lesson lie."""
    corners = [a_card(120, 130, degrees), a_card(200, 190, degrees + 90)]
    as_it_is = Motion(np.eye(2), np.zeros(2))
    lesson = lesson_of(an_example(corners, (120.0, 131.0)), as_it_is, np.random.default_rng(1))
    logits = np.log(np.maximum(lesson.heat, 1e-6) / np.maximum(1 - lesson.heat, 1e-6))
    told = np.concatenate([logits, lesson.poses, lesson.hands]).astype(np.float32)
    monkeypatch.setattr(place_finder, "_told", lambda _: told)
    seen = seen_in(np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8))
    assert len(seen.places) == 2
    for card in corners:
        assert min(off_px(place.corners, card) for place in seen.places) < 0.1
    for place in seen.places:
        first, second, third, _ = place.corners
        assert np.linalg.norm(second - first) < np.linalg.norm(third - second)
        (x, y), (far_x, far_y) = second - first, third - second
        assert x * far_y > y * far_x


def shrunk(picture: Picture) -> tuple[Picture, float]:
    """A picture as small as cards are known best in it, and how many times smaller it is."""
    times = picture.shape[1] / 512
    return np.asarray(cv2.resize(picture, None, fx=1 / times, fy=1 / times, interpolation=cv2.INTER_AREA)), times


def test_cards_of_a_deck_that_it_has_not_learnt_are_seen(own: DeckPictures) -> None:
    away = []
    for seed in range(4):
        table = table_of(own, seed, difficulty="easy")
        picture, times = shrunk(table.picture)
        places = [place.corners.mean(axis=0) for place in seen_in(picture).places if place.probability >= LIKELY]
        for card in table.truth["cards"]:
            corners = (np.array(card["corners_px"]) + 0.5) / times - 0.5
            width = np.linalg.norm(corners[1] - corners[0])
            away.append(min(float(np.linalg.norm(place - corners.mean(axis=0)) / width) for place in places))
    assert np.median(away) < 0.15
    assert np.mean(np.array(away) < 0.35) > 0.9


@pytest.mark.parametrize("seed", [pytest.param(181_001, marks=pytest.mark.further), 401_006])
def test_dark_cards_side_by_side_are_told_apart_in_noise(seed: int) -> None:
    """Of night's cards only their outline together shows where one ends and the next begins: few of these were seen."""
    deck = seed // 1000
    table = table_of(random_deck(deck), seed, emma=random_emma(deck))
    picture, times = shrunk(table.picture)
    places = [place.corners.mean(axis=0) for place in seen_in(picture).places if place.probability >= LIKELY]
    for card in table.truth["cards"]:
        corners = (np.array(card["corners_px"]) + 0.5) / times - 0.5
        side = np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).mean()
        assert min(np.linalg.norm(place - corners.mean(axis=0)) for place in places) < side / 3


@pytest.mark.parametrize("size", [(1, 1), (1, 900), (7, 5), (384, 512)])
def test_nothing_is_seen_where_there_is_nothing(size: tuple[int, int]) -> None:
    seen = seen_in(np.full((*size, 3), 90, np.uint8))
    assert [place for place in seen.places if place.probability >= LIKELY] == []
    assert seen.hand_px == 0


def test_several_threads_see_the_same(own: DeckPictures) -> None:
    pictures = [shrunk(table_of(own, seed, difficulty="easy").picture)[0] for seed in (0, 1)]
    alone = [seen_in(picture).places[0].probability for picture in pictures]
    with ThreadPoolExecutor(4) as threads:
        for probability, seen in zip(alone * 10, threads.map(seen_in, pictures * 10), strict=True):
            assert seen.places[0].probability == pytest.approx(probability, abs=1e-5)


def test_a_place_whose_size_does_not_show_is_as_large_as_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    corners = [a_card(80, 80, 0), a_card(150, 80, 0), a_card(200, 200, 20)]
    lesson = lesson_of(an_example(corners), Motion(np.eye(2), np.zeros(2)), np.random.default_rng(1))
    logits = np.log(np.maximum(lesson.heat, 1e-6) / np.maximum(1 - lesson.heat, 1e-6))
    told = np.concatenate([logits, lesson.poses, lesson.hands]).astype(np.float32)
    told[4:8, :, :15] *= 0.01  # which sides of the first are the longer ones
    monkeypatch.setattr(place_finder, "_told", lambda _: told)
    places = seen_in(np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)).places
    assert len(places) == 3
    for card in corners:
        assert min(off_px(place.corners, card) for place in places) < 3
