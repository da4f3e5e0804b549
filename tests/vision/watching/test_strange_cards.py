"""Cards of a deck that was never taught come onto the table, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from tests.vision.reading.taught_eye import Eye
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.rendering import LyingCard, Mug, Pile, Renderer, Scene
from vision.rendering.conditions import draw_conditions
from vision.watching.steady_view import Sight, SteadyView

SIZE = (1230, 924)
PLACES = (Pose(190, 160, 4), Pose(330, 170, 87), Pose(250, 330, 181))


def last_sight(eye: Eye, pictures: DeckPictures, scenes: Sequence[Scene], seed: int) -> Sight:
    """What is seen after these, by an eye that was taught another deck."""
    view = SteadyView(eye.reader, eye.finder)
    conditions = draw_conditions("normal", Random(f"strange {seed}"), SIZE)
    table = Renderer(conditions.camera, conditions.tabletop, pictures.faces, pictures.back, pictures.deck.card_mm)
    sight = Sight()
    for number, scene in enumerate(scenes):
        for look in range(4):
            noise = 1000 * seed + 10 * number + look
            sight = view.look(table.photograph(scene, conditions.light, conditions.sensor, noise).picture)
    return sight


def laid(pictures: DeckPictures, count: int) -> list[Scene]:
    """The empty table, then one card more each time."""
    faces = list(pictures.faces)[:count]
    cards = tuple(LyingCard(face, pose, number) for number, (face, pose) in enumerate(zip(faces, PLACES, strict=False)))
    return [Scene(cards[:number]) for number in range(len(cards) + 1)]


@pytest.mark.parametrize("seed", [0, pytest.param(3, marks=pytest.mark.further)])
def test_cards_of_another_deck_are_counted(own_eye: Eye, second: DeckPictures, seed: int) -> None:
    sight = last_sight(own_eye, second, laid(second, 3), seed)
    assert sight.cards == ()
    assert sight.strange >= 2


def test_one_card_that_is_known_says_that_the_deck_is(own_eye: Eye, own: DeckPictures) -> None:
    sight = last_sight(own_eye, own, laid(own, 2), 0)
    assert sight.cards
    assert sight.strange == 0


@pytest.mark.parametrize(
    "things",
    [
        pytest.param((Mug((200, 200)), Mug((350, 200), radius_mm=30)), marks=pytest.mark.further),
        (Pile(Pose(200, 200, 0)), Pile(Pose(330, 210, 3), cards=5), Pile(Pose(250, 330, 92), cards=2)),
    ],
    ids=["mugs", "cards face down"],
)
def test_other_things_are_no_strange_cards(own_eye: Eye, own: DeckPictures, things: tuple[Mug | Pile, ...]) -> None:
    scenes = [Scene(clutter=things[:number]) for number in range(len(things) + 1)]
    assert last_sight(own_eye, own, scenes, 1).strange < 2
