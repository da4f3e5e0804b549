"""Photographs of lone cards to learn from: taken once of each deck for building, as when it is taught, and kept."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.vision.outlines.card_training.learning import tell
from tests.vision.outlines.card_training.pictures import around
from tests.vision.outlines.place_training.scenes import DECKS
from tests.vision.random_decks.random_deck import random_deck
from tests.vision.reading.measuring.teaching_session import OTHER_CAMERAS_PX, lone_cards
from vision.arrays import Corners, Picture

Photographed = tuple[Picture, Corners]
"""The part of a photograph about a card, and where the card's corners are in it."""


def photographed(folder: Path) -> Iterator[tuple[int, dict[str, Photographed]]]:
    """Each deck to learn from, and its faces by their ids; photographs those that are not in the folder yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for deck in DECKS:
        tell(f"\rfaces of deck {deck} of {DECKS[-1]}")
        path = folder / f"{deck:04}.pickle"
        if not path.exists():
            begun = path.with_suffix(".begun")
            begun.write_bytes(pickle.dumps(_faces(deck)))
            begun.rename(path)
        yield deck, pickle.loads(path.read_bytes())  # noqa: S301 - our own


def _faces(deck: int) -> dict[str, Photographed]:
    random = Random(f"learn {deck}")
    pictures = random_deck(deck)
    lone = lone_cards(pictures, random, pictures.faces, random.choice(OTHER_CAMERAS_PX))
    return {face: around(picture, corners) for face, picture, corners in lone}
