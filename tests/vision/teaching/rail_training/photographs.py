"""Photographs of lone cards to learn from: taken once of each deck for building, as when it is taught, and kept.

Where rails are not seen they are not seen on a whole deck, so it is decks that have to be many: .969 of 1,440 faces of
60 other decks were right with what 385 decks had taught, .979 with 885.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.vision.outlines.card_training.pictures import around, kept
from tests.vision.random_decks.random_deck import random_deck
from tests.vision.reading.measuring.teaching_session import OTHER_CAMERAS_PX, lone_cards
from vision.arrays import Corners, Picture

Photographed = tuple[Picture, Corners]
"""The part of a photograph about a card, and where the card's corners are in it."""


def photographed(folder: Path) -> Iterator[tuple[int, dict[str, Photographed]]]:
    """Each deck to learn from, and its faces by their ids; photographs those that are not in the folder yet."""
    return kept(folder, "faces", _faces)


def _faces(deck: int) -> dict[str, Photographed]:
    random = Random(f"learn {deck}")
    pictures = random_deck(deck)
    lone = lone_cards(pictures, random, pictures.faces, random.choice(OTHER_CAMERAS_PX))
    return {face: around(picture, corners) for face, picture, corners in lone}
