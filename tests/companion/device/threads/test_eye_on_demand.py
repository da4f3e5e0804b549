"""Eyes that are made with the first look."""

from __future__ import annotations

import gc
from collections.abc import Collection
from weakref import ref

import numpy as np

from companion.device.threads.camera_watch import EyeOnDemand
from vision.arrays import Picture
from vision.cards import standard_deck
from vision.deck_pictures import DeckPictures
from vision.watching.steady_view import Still, no_still
from vision.watching.table_reading import TableReading

PICTURE = np.zeros((4, 4, 3), np.uint8)


class Blind:
    """Eyes that see nothing, and keep nothing of the deck."""

    made = 0

    def __init__(self, _: DeckPictures) -> None:
        Blind.made += 1

    def look(self, _picture: Picture, _expected: Collection[str], _still: Still) -> TableReading:
        return TableReading()

    def forget(self) -> None:
        pass

    def drawn(self) -> Picture | None:
        return None


def deck() -> DeckPictures:
    """One of which nobody else keeps the pictures."""
    cards = standard_deck("standard-55")
    return DeckPictures(cards, {face.id: np.zeros((8, 6, 3), np.uint8) for face in cards.faces})


def made_by(eye: EyeOnDemand) -> int:
    """How many eyes are made for the next table."""
    before = Blind.made
    eye.forget()
    for _ in range(3):
        eye.look(PICTURE, (), no_still)
    return Blind.made - before


def test_the_pictures_of_a_deck_are_not_kept_once_it_is_known() -> None:
    shown = []

    def drawn() -> DeckPictures:
        pictures = deck()
        shown.extend(ref(picture) for picture in pictures.faces.values())
        return pictures

    EyeOnDemand(drawn, Blind).look(PICTURE, (), no_still)
    eye = EyeOnDemand(drawn, Blind)
    eye.look(PICTURE, (), no_still)
    gc.collect()
    assert not any(picture() is not None for picture in shown)


def test_the_same_deck_keeps_its_eyes() -> None:
    kept, other = deck(), deck()
    on_table = [kept]
    eye = EyeOnDemand(lambda: on_table[0], Blind)
    assert made_by(eye) == 1
    assert made_by(eye) == 0
    on_table[0] = other
    assert made_by(eye) == 1
