"""Pictures of a table at rest are laid over one another where one alone leaves doubts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.scores import score_of
from tests.vision.reading.taught_eye import Eye
from tests.vision.reading.unseen_tables import at_rest, table_of
from vision.arrays import Mask, Picture
from vision.outlines.place_finder import Place
from vision.reading.reader import CardReading
from vision.watching.long_exposure import LongExposure
from vision.watching.steady_view import SteadyView

SIZE = (120, 160)
CARD_PX = np.array([(100, 100), (180, 100), (180, 200), (100, 200)], float)


def grey(level: float, seed: int, noise: float = 20.0, size: tuple[int, int] = SIZE) -> Picture:
    field = np.random.default_rng(seed).normal(level, noise, (*size, 3))
    return np.asarray(field.round().clip(0, 255), np.uint8)


def left_half() -> Mask:
    places = np.zeros((SIZE[0] // 4, SIZE[1] // 4), np.uint8)
    places[:, : SIZE[1] // 8] = 1
    return places


def test_four_times_the_pictures_have_half_the_noise() -> None:
    exposure = LongExposure(grey(120, 0))
    spreads = [float(exposure.look().std())]
    for pictures in range(2, 17):
        assert exposure.is_due == (pictures - 1 in {4, 16})
        if exposure.is_due:
            spreads.append(float(exposure.look().std()))
        exposure.add(grey(120, pictures))
    assert exposure.is_due
    spreads.append(float(exposure.look().std()))
    assert spreads == pytest.approx([20, 10, 5], rel=0.1)


def test_nothing_of_what_was_there_before_is_left_where_something_has_changed() -> None:
    exposure = LongExposure(grey(50, 0, 0))
    for _ in range(9):
        exposure.add(grey(50, 0, 0))
    after = grey(50, 0, 0)
    after[:, :80] = 220
    exposure.add(after, left_half())
    assert (exposure.look() == after).all()
    lighter = np.full_like(after, 230)
    exposure.add(lighter)
    seen = exposure.look()
    assert (seen[:, :80] == 225).all()
    assert (seen[:, 84:] == round((11 * 50 + 230) / 12)).all()


def test_its_light_stays_the_same_however_long_it_lasts() -> None:
    white = np.full((8, 8, 3), 255, np.uint8)
    exposure = LongExposure(white)
    for _ in range(1000):
        exposure.add(white)
    assert (exposure.look() == 255).all()


def test_what_is_open_in_noise_is_told_when_the_table_has_rested() -> None:
    """Small thin numerals in bad light: from single pictures one card stayed open however many there were."""
    pictures, emma = random_deck(237), random_emma(237)
    eye = Eye(pictures, pictures.faces)
    view = SteadyView(eye.reader, eye.finder)
    tables = list(at_rest(pictures, 237002, 4, emma))
    sights = [view.look(table.picture) for table in tables]
    first, last = (score_of(tables[0].truth, sight.cards, sight.emma) for sight in (sights[0], sights[-1]))
    assert first.asked > 1
    assert (last.wrong, last.asked) == ([], 0)
    assert not any(sight.is_still for sight in sights)  # or people would be asked meanwhile


class Doubting:
    """Reads one card, never surely, and remembers the picture in which it did."""

    def __init__(self) -> None:
        self.seen = np.zeros((0, 0, 3), np.uint8)

    def read(self, picture: Picture, *_others: object, **_how: object) -> list[CardReading]:
        self.seen = picture
        return [CardReading("one", CARD_PX, 0.8, 0.05, ("two",))]

    def places(self, *_where: object) -> list[Place]:
        return []

    def still_there(self, *_where: object) -> float:
        return 0.8

    def named_anew(self, *_cards: object) -> list[CardReading]:
        raise AssertionError


class Blind:
    """Sees no Emma."""

    def find(self, *_where: object) -> None:
        return None


def test_what_stays_in_doubt_is_read_from_all_pictures_of_it_when_another_card_comes() -> None:
    reader = Doubting()
    view = SteadyView(reader, Blind())
    for number in range(110):  # it has also been looked over once more
        view.look(grey(120, number % 20, 6, (480, 640)))
    table = grey(120, 30, 6, (480, 640))
    table[300:400, 400:470] = 250
    view.look(table)
    assert float(reader.seen[120:180, 120:160].std()) < 2


def test_cards_that_no_picture_shows_are_read_when_the_table_has_rested_long() -> None:
    pictures = random_deck(15)
    eye = Eye(pictures, pictures.faces)
    shown = table_of(pictures, 15000, "normal")
    grains = np.random.default_rng(1)
    noisy = [
        np.asarray(np.clip(shown.picture * 0.3 + grains.normal(0, 40, shown.picture.shape), 0, 255), np.uint8)
        for _ in range(16)
    ]
    view = SteadyView(eye.reader, eye.finder)
    assert not view.look(noisy[0]).cards
    for look in range(90):
        sight = view.look(noisy[look % 16])
    found = score_of(shown.truth, sight.cards, sight.emma)
    assert len(sight.cards) - found.false == len(shown.truth["cards"])
