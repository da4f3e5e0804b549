"""The camera above the world: what it sees of hands, pushes and flickers, and how quick its clock is."""

from __future__ import annotations

from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.games.loknroll.robot.pictured_games import emma_pose
from companion.games.loknroll.rules import Mode
from companion.games.loknroll.table.comparison import compared
from companion.virtual.camera import WorldCamera
from companion.virtual.clock import TableClock
from companion.virtual.disturbances import Disturbances, Mishaps
from companion.virtual.things import EMMA, Figure, Place, middle_of
from companion.virtual.world import World
from hardware.errors import DeviceError
from tests.companion.games.loknroll.play.scripted_table import dealt
from vision.cards import Motion, Pose, standard_deck
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader
from vision.rendering import VehicleLook
from vision.watching.steady_view import SteadyView
from vision.watching.table_eye import TableEye
from vision.watching.table_reading import TableReading

SIZE = (240, 180)
CARD = "track-1-straight"


@pytest.fixture(scope="module")
def pictures() -> DeckPictures:
    """A deck whose cards are plain: none has to be drawn for these tests."""
    deck = standard_deck("standard-55")
    plain = np.full((88, 63, 3), (60, 160, 220), np.uint8)
    return DeckPictures(deck, {face.id: plain for face in deck.faces}, np.zeros_like(plain))


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """By how much two pictures differ in the mean of all pixels."""
    return float(np.abs(one.astype(float) - other).mean())


def above(pictures: DeckPictures, random: Random, **conditions: Any) -> WorldCamera:
    """A camera above a new game's world, in which nothing lies on the table; time is counted in pictures."""
    clock = TableClock(is_hurried=True)
    world = World(clock)
    world.begin(pictures.deck, ("Ann",), 1, seed=4)
    return WorldCamera(world, pictures, clock, random, **conditions)


def camera(pictures: DeckPictures, mishaps: Mishaps | None = None, *, has_hands: bool = False) -> WorldCamera:
    return above(pictures, Random(4), size=SIZE, has_hands=has_hands, mishaps=mishaps)


def lay(world: World, pose: Pose, face: str = CARD) -> int:
    """Takes a card of this face from the pile to a place on the table."""
    number = next(card.number for card in world.cards(Place.PILE) if card.face == face)
    world.place_card(number, pose)
    return number


def test_the_picture_after_a_change_shows_a_hand_and_the_next_one_does_not(pictures: DeckPictures) -> None:
    above = camera(pictures, has_hands=True)
    lay(above.world, Pose(400, 300))
    hand, still, again = (above.photograph() for _ in range(3))
    assert difference(hand, still) > 1.5 * difference(still, again)


def test_without_hands_only_what_lies_there_is_seen(pictures: DeckPictures) -> None:
    above = camera(pictures)
    lay(above.world, Pose(400, 300))
    first, second = above.photograph(), above.photograph()
    assert 0 < difference(first, second) < 3


def test_a_table_that_stays_as_it_is_has_few_pictures_and_another_light_has_others(pictures: DeckPictures) -> None:
    above = camera(pictures)
    seen = {id(above.photograph()) for _ in range(6)}
    assert len(seen) == 2
    above.world.disturb(Disturbances(light="dusk"))
    assert id(above.photograph()) not in seen
    assert above.last_picture.mean() < 0.6 * camera(pictures).photograph().mean()


def test_vehicles_are_seen_as_they_look(pictures: DeckPictures) -> None:
    red = VehicleLook(is_locomotive=False, colour=(255, 0, 0), size_mm=(60, 40, 9))
    above = camera(pictures._replace(figures={"wagon-1": red}))
    figures = (Figure(-1, "wagon-1"), Figure(-2, "wagon-1", Pose(500, 300)))
    above.world.restore(replace(above.world.snapshot(), figures=figures))
    seen = []
    for place in (Pose(500, 300), Pose(300, 300), Pose(360, 300)):
        above.world.place_figure(-1, place)
        picture = above.photograph().astype(int)
        seen.append(int((picture[..., 2] - picture[..., 1] > 90).sum()))
    assert seen[0] > 50
    assert seen[1:] == pytest.approx([2 * seen[0]] * 2, rel=0.2)


def test_an_unplugged_camera_gives_no_picture_though_time_goes_on(pictures: DeckPictures) -> None:
    above = camera(pictures)
    above.world.disturb(Disturbances(camera=False))
    before = above.clock()
    with pytest.raises(DeviceError):
        above.photograph()
    assert above.clock() > before
    assert above.pictures == 0


def test_a_camera_that_is_pushed_sees_the_same_table_elsewhere(pictures: DeckPictures) -> None:
    pushed = camera(pictures)
    lay(pushed.world, Pose(400, 300))
    before, noise = pushed.photograph(), pushed.photograph()
    pushed.bump()
    after = pushed.photograph()
    assert pushed.bumps == 1
    assert difference(before, after) > 2 * difference(before, noise)
    assert abs(before.mean() - after.mean()) < 2


def test_mishaps_come_as_often_as_they_are_told_to(pictures: DeckPictures) -> None:
    lucky, unlucky = camera(pictures), camera(pictures, Mishaps(bumps=1.0))
    for each in (lucky, unlucky):
        each.photograph()
    assert (lucky.bumps, unlucky.bumps) == (0, 1)
    flickering = camera(pictures, Mishaps(flickers=0.3))
    levels = [float(flickering.photograph().mean()) for _ in range(60)]
    usual = float(np.median(levels))
    assert 8 <= sum(abs(level / usual - 1) > 0.01 for level in levels) <= 28


def test_a_hurried_clock_goes_on_with_each_picture(pictures: DeckPictures) -> None:
    quiet = camera(pictures)
    began = quiet.clock()
    quiet.photograph(), quiet.photograph()
    assert quiet.clock() - began == pytest.approx(0.8)


@pytest.fixture(scope="session")
def reader(coarse_own: DeckPictures) -> Reader:
    return Reader(*coarse_own[:4])


class PushedRailway:
    """A railway of a dealt game on a table, with Emma on its third card, and the eye above it."""

    def __init__(self, above: WorldCamera, deck: DeckPictures, reader: Reader) -> None:
        state = max(dealt(Mode.TWO, 3).states, key=lambda state: len(state.railway))
        self.above = above
        self.world = above.world
        self.railway = state.railway
        poses = [card.pose for card in state.railway.cards if card.pose]
        middle = middle_of(poses)
        there = Motion(330 - middle.x_mm, 300 - middle.y_mm)
        self.numbers = [lay(self.world, there(card.pose), card.face.id) for card in state.railway.cards if card.pose]
        third = state.railway.cards[2]
        assert third.pose
        self.world.place_figure(EMMA, emma_pose(replace(third, pose=there(third.pose)), Random(1)))
        view = SteadyView(reader, EmmaFinder(deck.faces, deck.deck.card_mm), pictures_to_be_still=2)
        self.eye = TableEye(deck.deck, view)

    def take(self, numbers: list[int]) -> None:
        """Takes cards away."""
        for number in numbers:
            self.world.put_away(number)

    def looked(self) -> TableReading:
        """What is read once nothing moves."""
        for _ in range(9):
            reading = self.eye.look(self.above.photograph(), (), self.above.still)
        return reading


@pytest.mark.parametrize("turn_deg", [0.0, 4.0])
def test_the_eye_finds_a_railway_that_was_pushed_with_emma_on_it(
    coarse_own: DeckPictures, reader: Reader, turn_deg: float
) -> None:
    """All cards go on being the same ones, and the companion's table lies as before in the axes of the game."""
    table = PushedRailway(above(coarse_own, Random(5), size=(820, 615)), coarse_own, reader)
    before = table.looked()
    assert len(before.cards) == len(table.numbers)
    first = compared(table.railway, 2, (), before, None, serials={})
    assert not first.missing
    table.world.push(table.numbers, 130, 40, turn_deg)
    after = table.looked()
    again = compared(table.railway, 2, (), after, first.shift, serials={})
    assert not again.missing
    assert not again.new
    assert again.emma == 2
    assert {card.serial for card in after.cards} == {card.serial for card in before.cards}


@pytest.mark.parametrize(("seed", "right_mm", "down_mm"), [(1, 60, -30), (26, 0, 200)])
def test_a_card_taken_from_a_pushed_railway_is_missed(
    coarse_own: DeckPictures, reader: Reader, seed: int, right_mm: float, down_mm: float
) -> None:
    """Neither what did not move with the railway nor a railway that hangs out of the picture is a hand."""
    table = PushedRailway(above(coarse_own, Random(seed), size=(820, 615), difficulty="normal"), coarse_own, reader)
    before = table.looked()
    table.world.push(table.numbers, right_mm, down_mm)
    pushed = table.looked()
    assert not pushed.hand
    assert {card.serial for card in pushed.cards} <= {card.serial for card in before.cards}
    taken = table.railway.cards[0].face.id
    table.take(table.numbers[:1])
    after = table.looked()
    assert [card.serial for card in after.cards] == [card.serial for card in pushed.cards if card.face != taken]
    assert len(after.cards) == len(pushed.cards) - 1


def test_a_short_railway_pushed_half_out_of_the_picture_is_no_hand(coarse_own: DeckPictures, reader: Reader) -> None:
    """Too little of it is left for its motion to be found: then the cards are looked for again."""
    table = PushedRailway(above(coarse_own, Random(13), size=(820, 615), difficulty="normal"), coarse_own, reader)
    table.take(table.numbers[3:])
    before = table.looked()
    table.world.push(table.numbers[:3], 0, -340)
    table.looked()
    after = table.looked()
    assert not after.hand
    assert after.is_still
    assert {card.serial for card in after.cards} <= {card.serial for card in before.cards}
    assert len(after.cards) >= 2


def test_a_still_shows_the_same_view_twice_as_large_and_takes_no_time(pictures: DeckPictures) -> None:
    above = camera(pictures)
    lay(above.world, Pose(400, 300))
    one, other, before = above.photograph(), above.photograph(), above.clock()
    still = above.still()
    assert still.shape == (2 * SIZE[1], 2 * SIZE[0], 3)
    # Compared as coarse as noise and sharpness do not matter; a view that is off by a pixel differs by more.
    coarse = [
        cv2.resize(picture, (SIZE[0] // 4, SIZE[1] // 4), interpolation=cv2.INTER_AREA) for picture in (one, still)
    ]
    moved = cv2.resize(np.roll(other, 1, axis=1), (SIZE[0] // 4, SIZE[1] // 4), interpolation=cv2.INTER_AREA)
    assert difference(*coarse) < 0.7 * difference(coarse[0], moved)
    assert above.clock() == before
    above.world.disturb(Disturbances(camera=False))
    with pytest.raises(DeviceError):
        above.still()
