"""The table that is not there: what its camera sees of hands, pushes and flickers, and how quick its clock is."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from companion.games.loknroll.robot.pictures import drawn_deck
from companion.games.loknroll.rules import Mode, load_edition
from companion.games.loknroll.table.comparison import compared
from companion.virtual.pushing import middle_of
from companion.virtual.table import Mishaps, VirtualTable
from tests.companion.games.loknroll.play.scripted_table import dealt
from vision.cards import Pose, standard_deck
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader
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


def table(pictures: DeckPictures, mishaps: Mishaps | None = None, *, has_hands: bool = False) -> VirtualTable:
    return VirtualTable(pictures, Random(4), size=SIZE, has_hands=has_hands, mishaps=mishaps)


def test_the_picture_after_a_change_shows_a_hand_and_the_next_one_does_not(pictures: DeckPictures) -> None:
    laid = table(pictures, has_hands=True)
    laid.lay(CARD, Pose(400, 300))
    hand, still, again = (laid.photograph() for _ in range(3))
    assert difference(hand, still) > 2 * difference(still, again)


def test_a_camera_that_is_pushed_sees_the_same_table_elsewhere(pictures: DeckPictures) -> None:
    pushed = table(pictures)
    pushed.lay(CARD, Pose(400, 300))
    before, noise = pushed.photograph(), pushed.photograph()
    pushed.bump()
    after = pushed.photograph()
    assert pushed.bumps == 1
    assert difference(before, after) > 2 * difference(before, noise)
    assert abs(before.mean() - after.mean()) < 2


def test_mishaps_come_as_often_as_they_are_told_to(pictures: DeckPictures) -> None:
    lucky, unlucky = table(pictures), table(pictures, Mishaps(bumps=1.0))
    for camera in (lucky, unlucky):
        camera.photograph()
    assert (lucky.bumps, unlucky.bumps) == (0, 1)
    flickering = table(pictures, Mishaps(flickers=0.3))
    levels = [float(flickering.photograph().mean()) for _ in range(60)]
    usual = float(np.median(levels))
    assert 8 <= sum(abs(level / usual - 1) > 0.01 for level in levels) <= 28


def test_the_clock_goes_on_with_each_picture(pictures: DeckPictures) -> None:
    quiet = table(pictures)
    first, second = quiet.photograph(), quiet.photograph()
    assert quiet.seconds() == pytest.approx(0.8)
    assert 0 < difference(first, second) < 3


@pytest.fixture(scope="module")
def drawn() -> DeckPictures:
    """Our own deck."""
    return drawn_deck(load_edition("german").deck, 3.0)


class PushedRailway:
    """A railway of a dealt game on a table, with Emma on its third card, and the eye above it."""

    def __init__(self, laid: VirtualTable, deck: DeckPictures) -> None:
        state = max(dealt(Mode.TWO, 3).states, key=lambda state: len(state.railway))
        self.laid = laid
        self.railway = state.railway
        poses = [card.pose for card in state.railway.cards if card.pose]
        middle = middle_of(poses)
        self.numbers = [
            laid.lay(
                card.face.id,
                Pose(card.pose.x_mm - middle.x_mm + 330, card.pose.y_mm - middle.y_mm + 300, card.pose.rotation_deg),
            )
            for card in state.railway.cards
            if card.pose
        ]
        stands = self.numbers[2]
        laid.move_emma(replace(state.railway.cards[2], pose=laid.cards[stands].pose), stands)
        view = SteadyView(Reader(*deck), EmmaFinder(deck.faces, deck.deck.card_mm), pictures_to_be_still=2)
        self.eye = TableEye(deck.deck, view)

    def looked(self) -> TableReading:
        """What is read once nothing moves."""
        for _ in range(9):
            reading = self.eye.look(self.laid.photograph(), ())
        return reading


@pytest.mark.parametrize("turn_deg", [0.0, 4.0])
def test_the_eye_finds_a_railway_that_was_pushed_with_emma_on_it(drawn: DeckPictures, turn_deg: float) -> None:
    """All cards go on being the same ones, and the companion's table lies as before in the axes of the game."""
    table = PushedRailway(VirtualTable(drawn, Random(5), size=(820, 615)), drawn)
    before = table.looked()
    assert len(before.cards) == len(table.numbers)
    first = compared(table.railway, 2, (), before, None, serials={})
    assert not first.missing
    table.laid.push(table.numbers, 130, 40, turn_deg)
    after = table.looked()
    again = compared(table.railway, 2, (), after, first.shift, serials={})
    assert not again.missing
    assert not again.new
    assert again.emma == 2
    assert {card.serial for card in after.cards} == {card.serial for card in before.cards}


@pytest.mark.parametrize(("seed", "right_mm", "down_mm"), [(1, 60, -30), (26, 0, 200)])
def test_a_card_taken_from_a_pushed_railway_is_missed(
    drawn: DeckPictures, seed: int, right_mm: float, down_mm: float
) -> None:
    """Neither what did not move with the railway nor a railway that hangs out of the picture is a hand."""
    laid = VirtualTable(drawn, Random(seed), size=(820, 615), difficulty="normal", has_hands=True)
    table = PushedRailway(laid, drawn)
    before = table.looked()
    laid.push(table.numbers, right_mm, down_mm)
    pushed = table.looked()
    assert not pushed.hand
    assert {card.serial for card in pushed.cards} <= {card.serial for card in before.cards}
    taken = table.railway.cards[0].face.id
    laid.take(table.numbers[:1])
    after = table.looked()
    assert [card.serial for card in after.cards] == [card.serial for card in pushed.cards if card.face != taken]
    assert len(after.cards) == len(pushed.cards) - 1


def test_a_short_railway_pushed_half_out_of_the_picture_is_no_hand(drawn: DeckPictures) -> None:
    """Too little of it is left for its motion to be found: then the cards are looked for again."""
    laid = VirtualTable(drawn, Random(13), size=(820, 615), difficulty="normal", has_hands=True)
    table = PushedRailway(laid, drawn)
    laid.take(table.numbers[3:])
    before = table.looked()
    laid.push(table.numbers[:3], 0, -340)
    table.looked()
    after = table.looked()
    assert not after.hand
    assert after.is_still
    assert {card.serial for card in after.cards} <= {card.serial for card in before.cards}
    assert len(after.cards) >= 2
