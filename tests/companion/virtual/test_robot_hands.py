"""What a robot's hands do: about what they are told to, and they know where a card came from."""

import pytest

from companion.virtual.robot_hands import RobotHands
from companion.virtual.things import EMMA, HandsError, Place
from companion.virtual.world import World
from vision.cards import Pose, standard_deck
from vision.rendering.places import SHOW_SPOT_MM


@pytest.fixture
def hands() -> RobotHands:
    world = World(lambda: 0.0)
    world.begin(standard_deck("standard-55"), ("Ann", "Ben"), 2, seed=3)
    return RobotHands(world, 1)


def test_a_card_lies_about_where_it_is_laid(hands: RobotHands) -> None:
    number = hands.world.draw(0)
    hands.lay(number, Pose(300, 300, 359))
    lying = hands.lying[number]
    assert 0 < lying.pose.distance_mm(Pose(300, 300)) < 5
    assert lying.face == hands.world.card(number).face
    hands.world.take_hold(number, "somebody")
    assert not hands.lying


def test_a_card_is_shown_where_there_is_room_and_put_away_for_the_next_one(hands: RobotHands) -> None:
    one, other = hands.world.draw(0), hands.world.draw(0)
    hands.show(one)
    assert hands.lying[one].pose.distance_mm(Pose(*SHOW_SPOT_MM)) < 30
    hands.show(other)
    assert (hands.shown, list(hands.lying)) == (other, [other])
    hands.clear()
    hands.lay(one, Pose(SHOW_SPOT_MM[0] - 60, SHOW_SPOT_MM[1]))
    hands.show(other)
    assert hands.lying[one].pose.distance_mm(hands.lying[other].pose) > 200


def test_a_card_is_put_back_to_where_it_came_from(hands: RobotHands) -> None:
    held = hands.world.draw(1)
    top = hands.world.cards(Place.PILE)[-1].number
    hands.lay(held, Pose(300, 300))
    hands.show(top)
    hands.put_back(top)
    hands.put_back(held)
    assert hands.shown is None
    assert hands.world.cards(Place.PILE)[-1].number == top
    assert [card.number for card in hands.world.cards(Place.HAND, 1)] == [held]


def test_emma_stands_where_she_is_put_and_goes_along_with_her_card(hands: RobotHands) -> None:
    number = hands.world.draw(0)
    hands.world.place_card(number, Pose(300, 300))
    hands.move_figure(EMMA, Pose(310, 310, 90))
    hands.push([number], 100, 0)
    assert hands.world.card_under(EMMA) == number
    assert hands.lying[number].pose.distance_mm(Pose(400, 300)) < 5
    hands.push([number], 800, 0)
    assert hands.lying[number].pose.x_mm < 450


def test_there_is_no_such_card(hands: RobotHands) -> None:
    with pytest.raises(HandsError):
        hands.lay(99, Pose(300, 300))
