"""Which of several cards of one face the robot's hands take."""

import pytest

from companion.virtual.robot_hands import RobotHands
from companion.virtual.things import Place
from companion.virtual.world import World
from vision.cards import Pose, standard_deck


@pytest.fixture
def world() -> World:
    """A table on which the card that was put away last has the face of the pile's top."""
    world = World(lambda: 0.0)
    world.begin(standard_deck("standard-55"), ("Ann", "Ben"), 2, seed=3)
    top = world.cards(Place.PILE)[-1]
    twin = next(card for card in world.cards(Place.PILE) if card.face == top.face and card != top)
    world.put_away(twin.number, Place.AWAY)
    return world


def test_a_card_that_is_drawn_is_the_top_of_the_pile(world: World) -> None:
    top = world.cards(Place.PILE)[-1]
    hands = RobotHands(world, 1)
    hands.takes_from = Place.PILE
    assert hands.show(top.face) == top.number


def test_the_card_that_was_shown_is_the_one_that_is_laid(world: World) -> None:
    away = world.cards(Place.AWAY)[-1]
    hands = RobotHands(world, 1)
    hands.takes_from = Place.AWAY
    assert hands.lay(away.face, Pose(300, 300, 0)) == away.number


def test_people_lay_from_their_own_hands(world: World) -> None:
    face, hands = world.cards(Place.PILE)[-1].face, RobotHands(world, 1)
    drawn = world.draw(1)
    hands.owner = 1
    assert hands.lay(face, Pose(300, 300, 0)) == drawn
