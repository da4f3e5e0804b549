"""Pictures of a table at rest are laid over one another where one alone leaves doubts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.scores import score_of
from tests.vision.reading.taught_eye import Eye
from tests.vision.reading.unseen_tables import at_rest, table_of
from vision.arrays import Picture
from vision.outlines.place_finder import Place
from vision.reading.reader import CardReading
from vision.watching.long_exposure import LongExposure
from vision.watching.steady_view import SteadyView

SIZE = (120, 160)


def grey(level: float, seed: int, noise: float = 20.0) -> Picture:
    field = np.random.default_rng(seed).normal(level, noise, (*SIZE, 3))
    return np.asarray(field.round().clip(0, 255), np.uint8)


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


def test_its_light_stays_the_same_however_long_it_lasts() -> None:
    white = np.full((8, 8, 3), 255, np.uint8)
    exposure = LongExposure(white)
    for _ in range(1000):
        exposure.add(white)
    assert (exposure.look() == 255).all()


def test_what_changes_is_seen_as_it_is_now_and_all_else_in_less_noise() -> None:
    exposure, changed = LongExposure(grey(120, 0)), np.zeros((SIZE[0] // 4, SIZE[1] // 4), np.uint8)
    changed[:15] = 1
    for pictures in range(1, 4):
        exposure.add(grey(120, pictures))
    now = grey(60, 4)
    exposure.add_changed(now, changed)
    seen = exposure.look()
    assert (seen[:60] == now[:60]).all()
    assert float(seen[60:].std()) == pytest.approx(20 / 5**0.5, rel=0.1)
    for pictures in range(5, 8):
        assert not exposure.is_due
        exposure.add(grey(60, pictures))
    assert exposure.is_due
    seen = exposure.look()
    assert [float(part.std()) for part in (seen[:60], seen[60:])] == pytest.approx([10, 20 / 8**0.5], rel=0.1)


class Doubtful:
    """A reader of one card that it never can tell from another one; it keeps the pictures that it reads."""

    def __init__(self) -> None:
        corners = np.array([(20.0, 20.0), (60.0, 20.0), (60.0, 80.0), (20.0, 80.0)])
        self.card = CardReading("one", corners, 0.9, 0.02, ("two",))
        self.read_pictures: list[Picture] = []

    def read(self, picture: Picture, *_: object, **__: object) -> list[CardReading]:
        self.read_pictures.append(picture)
        return [self.card]

    def still_there(self, *_: object) -> float:
        return 0.9

    def places(self, *_: object) -> list[Place]:
        return []

    def named_anew(self, _: object, cards: Sequence[CardReading], *__: object) -> list[CardReading]:
        return list(cards)


class Nobody:
    """Finds no Emma."""

    def find(self, *_: object) -> None:
        return None


@pytest.mark.parametrize("rests", [0, 3, 40])
def test_what_is_open_is_read_in_all_pictures_since_it_changed_when_something_else_comes(rests: int) -> None:
    reader = Doubtful()
    view = SteadyView(reader, Nobody())  # type: ignore[arg-type]
    for picture in range(1 + rests):
        view.look(grey(120, picture, noise=6))
    reader.read_pictures.clear()
    now = grey(120, 99, noise=6)
    now[20:80, 90:140] = 30
    view.look(now)
    seen = reader.read_pictures[0]
    assert (seen[30:70, 100:130] == now[30:70, 100:130]).all()
    laid_over = 2 + min(rests, 15)  # after these it is not looked at any more until something changes
    assert float(seen[20:80, 20:60].std()) == pytest.approx(6 / laid_over**0.5, rel=0.15)


@pytest.mark.further
def test_what_is_open_in_noise_is_told_when_the_table_has_rested() -> None:
    """Small thin numerals in bad light: from single pictures one card stayed open however many there were."""
    pictures, emma = random_deck(237), random_emma(237)
    eye = Eye(pictures, pictures.faces)
    view = SteadyView(eye.reader, eye.finder)
    tables = list(at_rest(pictures, 237002, 16, emma))
    sights = [view.look(table.picture) for table in tables]
    first, last = (score_of(tables[0].truth, sight.cards, sight.emma) for sight in (sights[0], sights[-1]))
    assert first.asked > 1
    assert (last.wrong, last.asked) == ([], 0)
    assert not any(sight.is_still for sight in sights)  # or people would be asked meanwhile


def test_cards_that_one_picture_hardly_shows_are_read_when_the_table_has_rested_long() -> None:
    pictures = random_deck(15)
    eye = Eye(pictures, pictures.faces)
    shown = table_of(pictures, 15000, "normal")
    grains = np.random.default_rng(1)
    noisy = [
        np.asarray(np.clip(shown.picture * 0.1 + grains.normal(0, 20, shown.picture.shape), 0, 255), np.uint8)
        for _ in range(16)
    ]
    view = SteadyView(eye.reader, eye.finder)
    assert len(view.look(noisy[0]).cards) <= len(shown.truth["cards"]) / 2
    for look in range(90):
        sight = view.look(noisy[look % 16])
    found = score_of(shown.truth, sight.cards, sight.emma)
    assert len(sight.cards) - found.false == len(shown.truth["cards"])
