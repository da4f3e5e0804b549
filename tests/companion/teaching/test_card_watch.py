"""A card is told of once it lies there and nothing moves; what has lain there from the first is none."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from companion.teaching.card_watch import CardWatch, Look
from tests.vision.teaching import drawn_deck
from vision.arrays import Picture
from vision.cards import CARD_MM
from vision.teaching.lone_card import Reason

FACES = {face.id: face for face in drawn_deck.faces()}
SIZE = (900, 700)
BOX = (620, 60)
"""Where a thing lies that is like a card."""


class Table:
    """Pictures of a table, each with its own noise."""

    def __init__(self) -> None:
        self.bare: Picture = np.full((*SIZE[::-1], 3), (70, 95, 60), np.uint8)
        self._noise = np.random.default_rng(0)

    def picture(self, *lying: tuple[str, tuple[int, int]], hand: bool = False) -> Picture:
        """With these faces, their top left corners there; a hand may reach in from the bottom."""
        picture = self.bare.copy()
        for name, (left, top) in lying:
            card = drawn_deck.cut_out(FACES[name], 1)
            picture[top : top + card.shape[0], left : left + card.shape[1]] = card
        if hand:
            cv2.line(picture, (450, 699), (420, 480), (150, 170, 220), 70)
        noisy = picture + self._noise.normal(0, 2, picture.shape)
        return np.asarray(noisy.clip(0, 255), np.uint8)


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def watch(table: Table) -> CardWatch:
    """A watch that has seen the bare table."""
    watch = CardWatch(CARD_MM)
    told(watch, *(table.picture() for _ in range(3)))
    return watch


def told(watch: CardWatch, *pictures: Picture) -> list[Look]:
    """What is told of these pictures, if it is a card or why there is none."""
    looks = [watch.look(picture) for picture in pictures]
    return [look for look in looks if look.card is not None or look.reason is not None]


def shown(table: Table, *lying: tuple[str, tuple[int, int]], times: int = 20) -> Iterator[Picture]:
    """A hand comes, and goes when these cards lie there."""
    yield table.picture(*lying[:-1], hand=True)
    yield from (table.picture(*lying) for _ in range(times))


def corner(look: Look) -> np.ndarray:
    assert look.card is not None
    return look.card.corners_px.min(axis=0)


def test_a_card_is_told_of_once_when_the_hand_is_gone(table: Table, watch: CardWatch) -> None:
    looks = told(watch, *shown(table, ("track-1-left", (300, 200))))
    assert len(looks) == 1
    assert np.abs(corner(looks[0]) - (299.5, 199.5)).max() < 3


def test_while_a_hand_is_in_the_picture_nothing_is_told(table: Table, watch: CardWatch) -> None:
    pictures = [table.picture(("track-1-left", (300, 200)), hand=True) for _ in range(4)]
    assert told(watch, *pictures) == []
    assert not watch.look(pictures[0]).is_still


def test_cards_that_are_all_laid_on_one_spot_are_told_of_there(table: Table, watch: CardWatch) -> None:
    for name in list(FACES)[:3]:
        pictures = list(shown(table, (name, (300, 200))))
        (look,) = told(watch, *pictures)
        watch.remember(pictures[-1])
        assert np.abs(corner(look) - (299.5, 199.5)).max() < 3


def test_a_table_from_which_the_card_was_taken_shows_none(table: Table, watch: CardWatch) -> None:
    told(watch, *shown(table, ("track-1-left", (300, 200))))
    looks = told(watch, table.picture(hand=True), *(table.picture() for _ in range(3)))
    assert [look.reason for look in looks] == [Reason.NOTHING]


def test_what_is_like_a_card_and_has_lain_there_from_the_first_is_none(table: Table) -> None:
    table.bare = table.picture(("track-2-right", BOX))
    watch = CardWatch(CARD_MM)
    assert told(watch, *(table.picture() for _ in range(4))) == []
    (look,) = told(watch, *shown(table, ("track-1-left", (200, 300))))
    assert np.abs(corner(look) - (199.5, 299.5)).max() < 3


def test_a_card_that_lay_there_from_the_first_is_told_of_if_somebody_asks(table: Table) -> None:
    table.bare = table.picture(("track-2-right", BOX))
    watch = CardWatch(CARD_MM)
    assert told(watch, *(table.picture() for _ in range(4))) == []
    watch.look_again()
    (look,) = told(watch, *(table.picture() for _ in range(3)))
    assert np.abs(corner(look) - (BOX[0] - 0.5, BOX[1] - 0.5)).max() < 3


def test_what_came_while_nobody_waited_for_it_is_told_of_afterwards(table: Table, watch: CardWatch) -> None:
    for picture in shown(table, ("track-1-left", (300, 200))):
        assert watch.look(picture, is_awaited=False).card is None
    assert watch.look(table.picture(("track-1-left", (300, 200)))).card is not None


def test_two_cards_are_too_many(table: Table, watch: CardWatch) -> None:
    looks = told(watch, *shown(table, ("track-1-left", (100, 200)), ("track-3-left", (500, 250))))
    assert [look.reason for look in looks] == [Reason.SEVERAL]
