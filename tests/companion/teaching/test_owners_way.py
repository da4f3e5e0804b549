"""Somebody teaches a strange deck with two hands and five buttons, and plays with it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest

from companion.teaching.face_words import face_in_words
from companion.teaching.lesson import Lesson
from companion.teaching.own_deck import OwnDeck
from companion.texts.language import Texts
from tests.companion.device.running import choose
from tests.companion.teaching.owner import Owner, teaching_table
from tests.vision.random_decks.random_deck import random_deck
from vision.cards import Face
from vision.deck_pictures import read_deck_pictures

SHARED: Final = Path(__file__).parents[4] / "shared"
DECK: Final = 103
SHOWN: Final = ("track-1-left", "track-3-straight", "chaos-2", "track-4-right")
SMALL_PX: Final = (1024, 768)
MINUTES: Final = 12
"""So long it may take to teach 26 faces."""
PORT_MM: Final = 1.0


def is_right(taught: Face, face: Face) -> bool:
    """Whether a face was learnt with its value, its kind and its rails."""
    ports = zip(taught.ports, sorted(face.ports, key=lambda port: "SWEN".index(port.edge)), strict=False)
    are_there = all(one.edge is two.edge and abs(one.offset_mm - two.offset_mm) <= PORT_MM for one, two in ports)
    same = (taught.value, taught.kind, len(taught.ports)) == (face.value, face.kind, len(face.ports))
    return same and are_there


def play_on(owner: Owner, turns: int) -> None:
    """A game against Betsy with the cards just taught, played by the robot in pictures."""
    device = owner.device
    device.let_robot_play("fast")
    owner.wait(lambda: device.play is not None and int(str(device.play.facts()["turn"])) > turns, "the game", 300)
    assert device.robot_trouble == ""


def test_strange_cards_are_taught_and_a_lesson_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    strange = random_deck(DECK)
    for some in (SHOWN[:2], SHOWN[2:]):
        with teaching_table(tmp_path, strange, size=SMALL_PX, difficulty="easy") as owner:
            owner.begin()
            for face in some:
                owner.show(face)
    told = [face_in_words(Texts("en"), card.facts) for card in Lesson(tmp_path / "lesson").cards]
    assert told == [face_in_words(Texts("en"), owner.faces[face]) for face in SHOWN]


@pytest.mark.further
@pytest.mark.skipif(not (SHARED / "decks" / "ticket").exists(), reason="the shared deck `ticket` is not here")
def test_a_strange_deck_is_taught_card_by_card_and_played_with(tmp_path: Path) -> None:
    strange = read_deck_pictures(SHARED / "decks" / "ticket")
    with teaching_table(tmp_path, strange, size=(1640, 1232), difficulty="easy") as owner:
        owner.begin()
        order = list(owner.faces)
        owner.random.shuffle(order)
        for face in order:
            owner.show(face)
        owner.finish()
        taught = OwnDeck(tmp_path / "deck.zip").pictures
        assert taught is not None
        real = owner.real(taught.deck)
        assert len(real.faces) == len(owner.faces)
        assert taught.emma is not None
        # The locomotive of the virtual table.
        long_mm, wide_mm = cv2.minAreaRect(np.argwhere(taught.emma.mask).astype(np.float32))[1]
        scale = taught.emma.size_mm[0] / taught.emma.mask.shape[1]
        assert sorted((round(scale * long_mm), round(scale * wide_mm))) == [
            pytest.approx(15, abs=5),
            pytest.approx(36, abs=5),
        ]
        assert sum(is_right(face, owner.named[face.id]) for face in taught.deck.faces) == len(order)
        assert {face.id: face.count for face in taught.deck.faces} == {
            face.id: owner.named[face.id].count for face in taught.deck.faces
        }
        assert owner.seconds < 60 * MINUTES, f"{owner.seconds / 60:.1f} minutes, {owner.presses} presses"
        print(f"{owner.seconds / 60:.1f} minutes, {owner.presses} presses, {owner.corrections} of them corrections")
        choose(owner.device, owner.device.session.offers("en")[0].title, "")
        play_on(owner, turns=6)
