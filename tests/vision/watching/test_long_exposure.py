"""Pictures of a table at rest are laid over one another where one alone leaves doubts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.scores import score_of
from tests.vision.reading.taught_eye import Eye
from tests.vision.reading.unseen_tables import at_rest, table_of
from vision.arrays import Picture
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
