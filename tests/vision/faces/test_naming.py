"""Naming cards whose corners are about known by their looks."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.faces import cards_on_table
from tests.vision.faces.cards_on_table import Table, millimetres_off
from tests.vision.kept_scenes import kept_scene
from vision.cards import CARD_MM, Kind
from vision.deck_pictures import DeckPictures
from vision.faces.naming import FaceNamer

SCENES = Path(__file__).parent / "scenes"
Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


def about(corners: Floats, random: np.random.Generator) -> Floats:
    """Corners as they are before a card is named: a millimetre off, and either way up."""
    return np.roll(cards_on_table.about(corners, random), 2 * int(random.integers(2)), axis=0)


@pytest.fixture(scope="module")
def ids(own: DeckPictures) -> list[str]:
    return [face.id for face in own.deck.faces]


@pytest.fixture(scope="module")
def namer(own: DeckPictures, ids: list[str]) -> FaceNamer:
    return FaceNamer([own.faces[face] for face in ids], own.deck.card_mm)


@pytest.fixture(scope="module")
def table(own: DeckPictures) -> Table:
    return Table(own, "normal", 5)


@pytest.mark.parametrize(("difficulty", "seed"), [("easy", 1), ("normal", 2), ("hard", 3), ("hard", 4)])
def test_cards_are_named_the_right_way_up(
    own: DeckPictures, namer: FaceNamer, ids: list[str], difficulty: str, seed: int
) -> None:
    table = Table(own, difficulty, seed)
    random = np.random.default_rng(seed)
    for face, corners in table.cards:
        named = namer.name(table.picture, about(corners, random))
        assert ids[named.face] == face
        assert millimetres_off(named.corners, corners) < 1.5


def test_a_shape_is_none_that_has_more_to_it() -> None:
    """What a bean lacks of an oval was taken to be hidden by a locomotive, though none stands on such cards."""
    oval, bean = (np.full((352, 252, 3), 235, np.uint8) for _ in range(2))
    for face in (oval, bean):
        cv2.ellipse(face, (126, 176), (90, 40), 0, 0, 360, (60, 150, 40), -1, cv2.LINE_AA)
    cv2.ellipse(bean, (86, 226), (60, 44), 0, 0, 360, (235, 235, 235), -1, cv2.LINE_AA)
    cv2.ellipse(bean, (166, 126), (60, 44), 0, 0, 360, (235, 235, 235), -1, cv2.LINE_AA)
    picture = np.full((500, 500, 3), 50, np.uint8)
    picture[80:432, 120:372] = bean
    corners = np.array([(119.5, 79.5), (371.5, 79.5), (371.5, 431.5), (119.5, 431.5)])
    named = FaceNamer([oval, bean], CARD_MM).name(picture, corners)
    assert named.face == 1
    assert named.lead > 0.1  # it was 0.02


def test_cards_that_are_nearly_even_are_named_the_right_way_up_by_faces_that_were_taught_askew(
    second: DeckPictures,
) -> None:
    """At half their size, or where a card is laid on the wrong way round, these chaos cards look right both ways."""
    ids = [face.id for face in second.deck.faces if face.kind is Kind.CHAOS]
    random = np.random.default_rng(4)
    namer = FaceNamer([askew(second.faces[face], random) for face in ids], second.deck.card_mm)
    seen = kept_scene(SCENES / "nearly-even.json").seen(second)
    for given in json.loads((SCENES / "nearly-even-corners.json").read_text()):
        card = seen.truth["cards"][given["card"]]
        named = namer.name(seen.picture, np.array(given["corners_px"]))
        assert ids[named.face] == card["face"]
        assert millimetres_off(named.corners, np.array(card["corners_px"])) <= 3


def askew(face: Image, random: np.random.Generator) -> Image:
    """A face as it is cut out of a soft picture, half a millimetre off."""
    height, width = face.shape[:2]
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    px = width / CARD_MM[0]
    cut = cv2.getPerspectiveTransform(outline, (outline + random.normal(0, 0.6 * px, (4, 2))).astype(np.float32))
    card = cv2.warpPerspective(face, cut, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(card, (0, 0), 0.5 * px), np.uint8)


def test_what_stands_on_a_card_does_not_change_its_name(namer: FaceNamer, ids: list[str], table: Table) -> None:
    random = np.random.default_rng(0)
    for face, corners in table.cards:
        left, top = random.uniform(0.1, 0.65), random.uniform(0.1, 0.5)
        locomotive = np.array([[(left, top), (left + 0.24, top), (left + 0.24, top + 0.41), (left, top + 0.41)]])
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32)
        matrix = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
        picture = table.picture.copy()
        cv2.fillPoly(picture, [cv2.perspectiveTransform(locomotive, matrix).round().astype(np.int32)], (12, 10, 10))
        named = namer.name(picture, about(corners, random))
        assert ids[named.face] == face
        assert millimetres_off(named.corners, corners) < 2.5


@pytest.mark.parametrize("gains", [(0.45, 0.8, 1.0), (1.0, 0.9, 0.6), (0.4, 0.4, 0.4)], ids=["warm", "cold", "dim"])
def test_another_lamp_does_not_change_a_name(
    namer: FaceNamer, ids: list[str], table: Table, gains: tuple[float, float, float]
) -> None:
    lit = np.asarray(table.picture * np.array(gains), dtype=np.uint8)
    for face, corners in table.cards:
        assert ids[namer.name(lit, corners).face] == face


def test_mirrored_pictures_can_be_named(namer: FaceNamer, ids: list[str], table: Table) -> None:
    mirrored = np.ascontiguousarray(table.picture[:, ::-1])
    for face, corners in table.cards:
        seen = np.column_stack([table.picture.shape[1] - 1 - corners[:, 0], corners[:, 1]])
        named = namer.name(mirrored, seen)
        assert ids[named.face] == face
        assert millimetres_off(named.corners, seen) < 1.5


def test_where_no_card_lies_nothing_is_alike(namer: FaceNamer, table: Table) -> None:
    (_, corners), *_ = table.cards
    cards = [namer.name(table.picture, corners).likeness for _, corners in table.cards]
    between = [corners.mean(axis=0) + np.array([65, 75]) for _, corners in table.cards]
    elsewhere = [namer.name(table.picture, corners - corners.mean(axis=0) + place).likeness for place in between]
    assert max(elsewhere) < 0.4 < min(cards)


def test_places_outside_the_picture_are_no_cards(namer: FaceNamer) -> None:
    picture = np.zeros((200, 300, 3), np.uint8)
    assert namer.name(picture, np.array([(400.0, 400), (500, 400), (500, 540), (400, 540)])).likeness < 0.4
