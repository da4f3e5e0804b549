"""Reading cards in pictures: of a deck and tables that others drew, and of rendered tables with our own."""

import json
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.loknroll import Mode, load_edition, set_up
from companion.pictured_games import pictured_game
from companion.pictures import DeckPictures, drawn_deck
from vision.cards import DeckError, read_deck
from vision.joints import railway_order
from vision.reading import CardReading, Reader
from vision.rendering import Renderer, Scene
from vision.rendering.conditions import draw_conditions

SHARED = Path(__file__).parents[3] / "shared"
Image = NDArray[np.uint8]


def millimetres_off(card: CardReading, corners: NDArray[np.float64]) -> float:
    """The distance of the corners, in mm."""
    scale = np.linalg.norm(corners[3] - corners[0]) / 88
    return float(np.sqrt(((card.corners_px - corners) ** 2).sum(axis=1).mean()) / scale)


@pytest.fixture(scope="module")
def own() -> DeckPictures:
    return drawn_deck("standard-55")


@pytest.fixture(scope="module")
def reader(own: DeckPictures) -> Reader:
    return Reader(own.deck, own.faces, own.back)


@pytest.mark.parametrize("seed", range(5))
def test_every_card_of_a_rendered_table_is_read(own: DeckPictures, reader: Reader, seed: int) -> None:
    random = Random(seed)
    moments = pictured_game(set_up(load_edition(), own.deck, Mode.BETSY, ["Ann"]), random).moments
    scene = max((moment.scene for moment in moments), key=lambda scene: len(scene.cards))
    conditions = draw_conditions("easy", random)
    view = Renderer(conditions.camera, conditions.tabletop, own.faces, own.back)
    picture = view.photograph(scene, conditions.light, conditions.sensor, seed).picture
    read = reader.read(picture)
    assert len(read) == len(scene.cards)
    for card in scene.cards:
        corners = view.corners(card)
        nearest = min(read, key=lambda reading: millimetres_off(reading, corners))
        assert nearest.face == card.face
        assert millimetres_off(nearest, corners) < 1.5
    railway = [card.face for card in scene.cards if not card.on_show_spot]
    order = [read[index].face for index in railway_order(read, own.deck, None)]
    assert railway in (order, order[::-1])


def test_an_empty_table_has_no_cards(own: DeckPictures, reader: Reader) -> None:
    for seed in range(3):
        conditions = draw_conditions("normal", Random(seed))
        view = Renderer(conditions.camera, conditions.tabletop, own.faces, own.back)
        scene = Scene(clutter=conditions.clutter)
        picture = view.photograph(scene, conditions.light, conditions.sensor, seed).picture
        assert reader.read(picture) == []


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((400, 600, 3), np.uint8),
        np.full((400, 600, 3), 255, np.uint8),
        np.random.default_rng(0).integers(0, 256, (400, 600, 3), dtype=np.uint8),
        np.zeros((120, 120, 3), np.uint8),
    ],
    ids=["black", "white", "noise", "tiny"],
)
def test_pictures_of_nothing_have_no_cards(reader: Reader, picture: Image) -> None:
    assert reader.read(picture) == []


def test_plain_faces_cannot_be_taught(own: DeckPictures) -> None:
    plain = {face.id: np.full((352, 252, 3), 240, np.uint8) for face in own.deck.faces}
    with pytest.raises(DeckError, match="too plain"):
        Reader(own.deck, plain)


def test_a_chaos_card_is_no_railway(own: DeckPictures) -> None:
    corners = np.array([(100.0, 100), (163, 100), (163, 188), (100, 188)])
    assert railway_order([CardReading("chaos-1", corners, 0.9, 0.1)], own.deck, None) == []


def faces_from_photographs() -> dict[str, Image]:
    """The meadow deck as its teaching photographs show it."""
    folder = SHARED / "frames/meadow-teach"
    target = np.array([(0, 0), (101, 0), (101, 141), (0, 141)], dtype=np.float32)
    faces = {}
    for frame in json.loads((folder / "truth.json").read_text())["frames"]:
        (card,) = frame["cards"]
        matrix = cv2.getPerspectiveTransform(np.array(card["corners_px"], dtype=np.float32), target)
        picture = cv2.imread(str(folder / frame["image"]))
        faces[card["face"]] = np.asarray(cv2.warpPerspective(picture, matrix, (101, 141)), dtype=np.uint8)
    return faces


@pytest.mark.skipif(not SHARED.is_dir(), reason="the pictures in ../shared are not here")
@pytest.mark.parametrize(("folder", "least"), [("meadow-betsy", 0.95), ("meadow-two", 0.98)])
def test_cards_in_pictures_that_others_made(folder: str, least: float) -> None:
    reader = Reader(read_deck(SHARED / "decks/meadow"), faces_from_photographs())
    frames = json.loads((SHARED / "frames" / folder / "truth.json").read_text())["frames"]
    still = [frame for frame in frames if not frame["hand"]]
    found = wanted = 0
    for frame in still[:: max(1, len(still) // 6)]:
        read = reader.read(cv2.imread(str(SHARED / "frames" / folder / frame["image"])))
        matched = [matching(card, read) for card in frame["cards"]]
        assert len(read) == sum(match is not None for match in matched)  # no false card
        for card, match in zip(frame["cards"], matched, strict=True):
            assert match is None or match.face == card["face"]
            wanted += card["visible"] >= 0.6
            found += card["visible"] >= 0.6 and match is not None
    assert found / wanted >= least


def matching(card: dict[str, Any], read: list[CardReading]) -> CardReading | None:
    corners = np.array(card["corners_px"])
    near = [reading for reading in read if millimetres_off(reading, corners) < 22]  # as the scorer pairs them
    return near[0] if near else None
