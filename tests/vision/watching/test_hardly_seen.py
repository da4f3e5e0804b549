"""Cards that hardly show, in the dark or on tables of their colours: in a stream they come and go all the same."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.taught_eye import Eye
from tests.vision.reading.unseen_tables import stream_of, table_of
from tests.vision.watching.sights import faces
from vision.arrays import Corners, Picture
from vision.outlines.outline_masks import share_changed
from vision.watching.card_memory import CardMemory
from vision.watching.emma_memory import EmmaMemory
from vision.watching.hands import shrunk
from vision.watching.steady_view import SteadyView
from vision.watching.table_changes import changed_places

QUARTER = (200, 150)
CARD = np.array([(80, 80), (180, 80), (180, 220), (80, 220)], float)
"""In px of the whole picture."""


def table(level: float, card: float | None, noise: float, seed: int = 1) -> Picture:
    """A plain table at a quarter of its size, with a plain card on it of another brightness, and noise."""
    picture = np.full((QUARTER[1], QUARTER[0], 3), level, np.float32)
    if card is not None:
        cv2.fillConvexPoly(picture, (CARD / 4).round().astype(np.int32), (card, card, card))
    picture += np.random.default_rng(seed).normal(0, noise, picture.shape).astype(np.float32)
    return np.asarray(picture.round().clip(0, 255), np.uint8)


def test_a_card_of_the_tables_tint_changes_its_light_where_a_shadow_would_as_well() -> None:
    changes = changed_places(table(120, 96, 1.0, 2), table(120, None, 1.0))
    assert share_changed(changes.places, CARD) < 0.3
    assert share_changed(changes.light, CARD) > 0.9


def test_a_card_in_the_dark_changes_the_light_by_little_and_noise_does_not() -> None:
    changes = changed_places(table(20, 28, 3.0, 2), table(20, None, 3.0))
    assert share_changed(changes.light, CARD) > 0.8
    assert not changed_places(table(20, None, 3.0, 3), table(20, None, 3.0)).light.any()


@pytest.mark.parametrize(
    ("deck", "number"),
    [
        pytest.param(380, 2, marks=pytest.mark.further),
        pytest.param(398, 0, marks=pytest.mark.further),
        pytest.param(347, 0, marks=pytest.mark.further),
        pytest.param(32, 3, marks=pytest.mark.further),
        pytest.param(38, 0, marks=pytest.mark.further),
        pytest.param(365, 3, marks=pytest.mark.further),
        (392, 0),
    ],
    ids=[
        "dark cards laid on a stone of their light",
        "pale cards taken from a dark table",
        "a card alike its table",
        "a card on stone of its light",
        "cards of which hardly more than the light tells",
        "a pale card on stripes",
        "dark cards in noise that hides all changes",
    ],
)
def test_cards_come_and_go_where_they_hardly_show(deck: int, number: int) -> None:
    """Streams in which ten cards that came were not seen, and five that went."""
    pictures, emma = random_deck(deck), random_emma(deck)
    eye = Eye(pictures, pictures.faces)
    view = SteadyView(eye.reader, eye.finder)
    for shown in stream_of(pictures, 1000 * deck + number, emma):
        sight = view.look(shown.picture)
        lying = np.array([np.mean(card["corners_px"], axis=0) for card in shown.truth["cards"]])
        seen = np.array([card.corners_px.mean(axis=0) for card in sight.cards])
        assert len(seen) == len(lying)
        assert np.linalg.norm(seen[:, None] - lying[None], axis=2).min(axis=1).max() < 20


def test_a_card_is_read_anew_that_differs_little_from_the_one_in_its_place() -> None:
    """Of one card after another that was shown the first was told for ever: all but rails and a numeral is alike."""
    pictures, emma = random_deck(341), random_emma(341)
    eye = Eye(pictures, pictures.faces)
    view = SteadyView(eye.reader, eye.finder)
    for shown in stream_of(pictures, 341003, emma):
        assert faces(view.look(shown.picture)) == sorted(card["face"] for card in shown.truth["cards"])


@pytest.mark.parametrize(
    ("deck", "number", "noise", "grains"),
    [
        (15, 0, 53, [2]),
        pytest.param(15, 0, 53, [2, 5], marks=pytest.mark.further),
        pytest.param(15, 0, 56, [2, 5], marks=pytest.mark.further),
    ],
)
def test_cards_are_read_where_they_lay_in_noise_in_which_few_are_found(
    deck: int, number: int, noise: int, grains: list[int]
) -> None:
    pictures = random_deck(deck)
    eye = Eye(pictures, pictures.faces)
    shown = table_of(pictures, 1000 * deck + number, "normal").picture
    lying = eye.reader.read(shown)
    found, read = [], []
    for seed in grains:
        grain = np.random.default_rng(seed).normal(0, noise, shown.shape)
        noisy = np.asarray(np.clip(shown * 0.3 + grain, 0, 255), np.uint8)
        found.append(len(eye.reader.read(noisy)))
        read.append(len(eye.reader.read(noisy, before=lying)))
    assert np.mean(found) < len(lying) / 3
    assert np.mean(read) > len(lying) / 2


@pytest.mark.parametrize(("deck", "number"), [(15, 0), pytest.param(20, 1, marks=pytest.mark.further)])
def test_a_card_that_was_read_askew_is_read_where_it_lies_with_the_next_look(deck: int, number: int) -> None:
    pictures = random_deck(deck)
    eye = Eye(pictures, pictures.faces)
    shown = table_of(pictures, 1000 * deck + number, "normal")
    askew = [card._replace(corners_px=turned(card.corners_px, 4)) for card in eye.reader.read(shown.picture)]
    again = np.array([card.corners_px for card in eye.reader.read(shown.picture, before=askew)])
    for card in shown.truth["cards"]:
        corners = np.array([np.roll(card["corners_px"], way, axis=0) for way in range(4)])
        off_px = np.linalg.norm(again[:, None] - corners[None], axis=3).max(axis=2).min()
        card_px = np.linalg.norm(corners[0][1] - corners[0][0])
        assert off_px / card_px * pictures.deck.card_mm[0] < 1.5


def turned(corners: Corners, degrees: float) -> Corners:
    """The corners of a card that lies turned by so much, and a pixel or two beside."""
    middle, angle = corners.mean(axis=0), np.radians(degrees)
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    return np.asarray((corners - middle) @ turn + middle + 2)


@pytest.mark.parametrize(
    ("deck", "number", "first"),
    [pytest.param(9, 2, 2, marks=pytest.mark.further), (391, 1, 0)],
    ids=["grey taken from grey stone", "black laid on black stone"],
)
def test_a_card_of_the_tables_light_comes_and_goes_where_little_of_its_light_has_changed(
    deck: int, number: int, first: int
) -> None:
    """Light differed on less than a third of the cards, and so nothing was read until the table had rested."""
    pictures = random_deck(deck)
    eye = Eye(pictures, pictures.faces)
    view = SteadyView(eye.reader, eye.finder)
    shown = list(stream_of(pictures, 1000 * deck + number, random_emma(deck)))[first : first + 2]
    lying = [len(one.truth["cards"]) for one in shown]
    assert [len(view.look(one.picture).cards) for one in shown] == lying
    assert lying[0] != lying[1]


def test_another_card_that_is_put_where_one_lay_is_told_to_be_another_in_noise_too() -> None:
    """Light and noise hid the change, and what was read there, four times, was taken for the first card misread."""
    pictures = random_deck(17)
    eye = Eye(pictures, pictures.faces)
    view = SteadyView(eye.reader, eye.finder)
    serials = set()
    for shown in list(stream_of(pictures, 17000, random_emma(17)))[:5]:
        sight = view.look(shown.picture)
        assert sorted(card.face for card in sight.cards) == sorted(card["face"] for card in shown.truth["cards"])
        serials |= set(sight.serials)
    assert len(serials) == 6


@pytest.mark.parametrize(("deck", "number", "first"), [(391, 1, 1), pytest.param(104, 0, 3, marks=pytest.mark.further)])
def test_emma_is_seen_to_move_dark_on_dark_where_nothing_else_changes(deck: int, number: int, first: int) -> None:
    """By so little that nothing was looked at, she was told where she had stood, also when the next card had come."""
    pictures = random_deck(deck)
    eye = Eye(pictures, pictures.faces)
    view = SteadyView(eye.reader, eye.finder)
    feet = []
    for shown in list(stream_of(pictures, 1000 * deck + number, random_emma(deck)))[first : first + 2]:
        emma = view.look(shown.picture).emma
        feet.append(shown.truth["emma"]["foot_px"])
        assert emma is not None
        assert np.linalg.norm(emma.foot_px - feet[-1]) < 20
    assert np.linalg.norm(np.subtract(*feet)) > 100


def test_that_emma_has_left_is_not_forgotten_before_she_is_looked_for() -> None:
    """A picture in which a card comes as well may be too blurred to be read."""
    pictures = random_deck(391)
    eye = Eye(pictures, pictures.faces)
    memory, emma = CardMemory(eye.reader), EmmaMemory(eye.finder)
    there, elsewhere = (one.picture for one in list(stream_of(pictures, 391001, random_emma(391)))[1:3])
    memory.read_all(there, ())
    assert not emma.watch(there, shrunk(there).quarter, memory)
    everywhere = np.ones(shrunk(there).quarter.shape[:2], np.uint8)
    emma.look(there, memory, everywhere, (), is_first=True, has_moved=False)
    assert not emma.watch(there, shrunk(there).quarter, memory)
    assert all(emma.watch(elsewhere, shrunk(elsewhere).quarter, memory) for _ in range(2))
    emma.look(elsewhere, memory, np.zeros_like(everywhere), (), is_first=False, has_moved=False)
    assert not emma.watch(elsewhere, shrunk(elsewhere).quarter, memory)
