"""A camera that takes larger stills than it streams takes one where a card's face is not clear, and only there."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.unseen_tables import session_of
from tests.vision.watching.sights import faces, names
from vision.arrays import Picture
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader
from vision.rendering import Hand, Renderer, Scene
from vision.rendering.conditions import Conditions, draw_conditions
from vision.watching.steady_view import SteadyView

DECK = 397
"""A numeral of 4 mm is all that tells its values apart."""
SMALL_PX = (560, 420)
"""So small that the numerals are not clear, and plain in a still."""


class Camera(NamedTuple):
    """A camera above one table; its stills are four times as large as its pictures."""

    pictures: DeckPictures
    conditions: Conditions

    def picture(self, scene: Scene, seed: int) -> Picture:
        return self._taken(scene, seed, 1)

    def still(self, scene: Scene, seed: int) -> Picture:
        return self._taken(scene, seed, 2)

    def _taken(self, scene: Scene, seed: int, times: int) -> Picture:
        deck, faces, back, *_ = self.pictures
        camera, tabletop = self.conditions.camera.larger(times), self.conditions.tabletop
        sensor = self.conditions.sensor.finer(times)
        view = Renderer(camera, tabletop, faces, back, deck.card_mm)
        return view.photograph(scene, self.conditions.light, sensor, seed).picture


class Stills:
    """What gives a still when it is asked, and counts how often it was."""

    def __init__(self, take: Callable[[], Picture]) -> None:
        self.taken, self._take = 0, take

    def __call__(self) -> Picture:
        self.taken += 1
        return self._take()


@pytest.fixture(scope="module")
def pictures() -> DeckPictures:
    return random_deck(DECK)


@pytest.fixture(scope="module")
def camera(pictures: DeckPictures) -> Camera:
    return Camera(pictures, draw_conditions("easy", Random(1000 * DECK + 3), SMALL_PX))


@pytest.fixture(scope="module")
def table(pictures: DeckPictures) -> Scene:
    scene = session_of(pictures, 1000 * DECK).moments[-1].scene
    assert scene.emma is not None
    return Scene(scene.cards, replace(scene.emma, look=random_emma(DECK)))


@pytest.fixture(scope="module")
def eyes(pictures: DeckPictures) -> Callable[[], SteadyView]:
    reader, finder = Reader(*pictures[:4]), EmmaFinder(pictures.faces, pictures.deck.card_mm)
    return lambda: SteadyView(reader, finder)


def test_a_still_names_what_is_not_clear(eyes: Callable[[], SteadyView], camera: Camera, table: Scene) -> None:
    picture = camera.picture(table, 1)
    without = eyes().look(picture)
    assert sum(bool(card.others) for card in without.cards) >= 2
    stills = Stills(lambda: camera.still(table, 2))
    view = eyes()
    sight = view.look(picture, (), stills)
    assert faces(sight) == names(table)
    assert not any(card.others for card in sight.cards)
    # What it said stays, and no other one is taken while nothing happens.
    for seed in range(3, 8):
        sight = view.look(camera.picture(table, seed), (), stills)
    assert faces(sight) == names(table)
    assert stills.taken == 1


def test_no_still_is_taken_of_what_is_clear(eyes: Callable[[], SteadyView], camera: Camera, table: Scene) -> None:
    stills = Stills(lambda: camera.still(table, 2))
    view = eyes()
    sight = view.look(camera.still(table, 1), (), stills)
    assert faces(sight) == names(table)
    assert stills.taken == 0


def test_each_card_that_comes_may_have_a_still_of_its_own(
    eyes: Callable[[], SteadyView], camera: Camera, table: Scene
) -> None:
    view, taken = eyes(), []
    for count in range(2, len(table.cards) + 1):
        scene = Scene(table.cards[:count])
        stills = Stills(lambda scene=scene, count=count: camera.still(scene, 100 + count))
        for seed in (count, 10 + count):
            sight = view.look(camera.picture(scene, seed), (), stills)
        assert faces(sight) == names(scene)
        assert not any(card.others for card in sight.cards)
        taken.append(stills.taken)
    assert max(taken) == 1
    assert sum(taken) >= 2


def test_a_still_in_which_a_hand_has_come_over_a_card_does_not_name_it(
    eyes: Callable[[], SteadyView], camera: Camera, table: Scene
) -> None:
    picture = camera.picture(table, 1)
    before = eyes().look(picture)
    hands = tuple(Hand((card.pose.x_mm, card.pose.y_mm), 180.0, height_mm=26.0) for card in table.cards)
    still = camera.still(replace(table, hands=hands), 2)
    stills, view = Stills(lambda: still), eyes()
    sight = view.look(picture, (), stills)
    assert [(card.face, card.others) for card in sight.cards] == [(card.face, card.others) for card in before.cards]
    # Nor is another one taken, as long as nothing happens to the card.
    for seed in range(3, 8):
        view.look(camera.picture(table, seed), (), stills)
    assert stills.taken == 1
