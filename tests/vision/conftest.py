"""What several tests of the eye look at. Decks are drawn, photographed and learnt once: each takes seconds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.reading.taught_eye import Eye
from tests.vision.second_deck import blueprint_deck
from vision.arrays import Picture
from vision.deck_pictures import DeckPictures, read_deck_pictures
from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader

SHARED = Path(__file__).parents[3] / "shared"


@pytest.fixture(scope="session")
def second(once: Callable[[str, Callable[[], Any]], Any]) -> DeckPictures:
    """A deck in quite another style."""
    return DeckPictures(*once("second", lambda: blueprint_deck()[:3]))


@pytest.fixture(scope="session")
def own_eye(own: DeckPictures) -> Eye:
    """Has learnt the game's own deck."""
    return Eye(own, own.faces)


@pytest.fixture(scope="session")
def second_eye(second: DeckPictures) -> Eye:
    """Has learnt the other deck."""
    return Eye(second, second.faces)


@pytest.fixture(scope="session")
def reader(own_eye: Eye) -> Reader:
    return own_eye.reader


@pytest.fixture(scope="session")
def emma_finder(own: DeckPictures) -> EmmaFinder:
    """One that is not the reader's: it is seen what it is asked."""
    return EmmaFinder(own.faces, own.deck.card_mm)


@pytest.fixture(scope="session")
def meadow() -> DeckPictures:
    """A deck that somebody else drew, in ../shared."""
    return shared_deck("decks/meadow")


@pytest.fixture(scope="session")
def photos() -> DeckPictures:
    """The cards of another game, photographed, in ../shared."""
    return shared_deck("photos")


def shared_deck(folder: str) -> DeckPictures:
    if not (SHARED / folder).is_dir():
        pytest.skip("the shared decks are not here")
    return read_deck_pictures(SHARED / folder)


@pytest.fixture(scope="session")
def meadow_eye(meadow: DeckPictures) -> Eye:
    return Eye(meadow, meadow.faces)


@pytest.fixture(scope="session")
def meadow_photographed() -> dict[str, Picture]:
    """The faces of that deck as its teaching photographs show them, 2 px a mm."""
    folder = SHARED / "frames/meadow-teach"
    target = np.array([(0, 0), (126, 0), (126, 176), (0, 176)], dtype=np.float32) - np.float32(0.5)
    faces = {}
    for frame in json.loads((folder / "truth.json").read_text())["frames"]:
        (card,) = frame["cards"]
        matrix = cv2.getPerspectiveTransform(np.array(card["corners_px"], dtype=np.float32), target)
        picture = cv2.imread(str(folder / frame["image"]))
        faces[card["face"]] = np.asarray(cv2.warpPerspective(picture, matrix, (126, 176)), dtype=np.uint8)
    return faces


@pytest.fixture(scope="session")
def meadow_reader(meadow: DeckPictures, meadow_photographed: dict[str, Picture]) -> Reader:
    """Has learnt that deck from its photographs."""
    return Reader(meadow.deck, meadow_photographed)


@pytest.fixture(scope="session")
def meadow_finder(meadow_photographed: dict[str, Picture]) -> EmmaFinder:
    return EmmaFinder(meadow_photographed)
