"""Finding cards that lie free by their outline: on rendered tables, and in photographs that others made."""

import json
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards import CARD_MM, Pose
from vision.deck_pictures import DeckPictures
from vision.outlines.outlines import card_outlines
from vision.picture_files import read_picture
from vision.rendering import Renderer, Scene
from vision.rendering.conditions import draw_conditions
from vision.rendering.scene import LyingCard, Tabletop

SHARED = Path(__file__).parents[4] / "shared"
Floats = NDArray[np.float64]


def millimetres_off(outline: Floats, corners: Floats) -> float:
    """The distance of the corners, in mm, whichever way up."""
    scale = np.linalg.norm(corners[3] - corners[0]) / max(CARD_MM)
    ways = (outline, np.roll(outline, 2, axis=0))
    return float(min(np.sqrt(((way - corners) ** 2).sum(axis=1).mean()) for way in ways) / scale)


def lying_apart(own: DeckPictures, random: Random) -> list[LyingCard]:
    """Nine cards with gaps of a few centimetres, each turned its own way."""
    faces = random.sample(sorted(own.faces), 9)
    places = [(180 + 200 * (index % 3), 120 + 170 * (index // 3)) for index in range(9)]
    return [
        LyingCard(face, Pose(x + random.uniform(-15, 15), y + random.uniform(-15, 15), random.uniform(0, 360)))
        for face, (x, y) in zip(faces, places, strict=True)
    ]


@pytest.mark.parametrize(
    "tabletop",
    [
        Tabletop("plain", (60, 70, 64)),
        Tabletop("wood", (150, 110, 75), seed=4),
        Tabletop("felt", (30, 95, 55)),
    ],
    ids=lambda tabletop: tabletop.kind,
)
def test_cards_that_lie_apart_are_found(own: DeckPictures, tabletop: Tabletop) -> None:
    random = Random(3)
    conditions = draw_conditions("normal", random)
    view = Renderer(conditions.camera, tabletop, own.faces, own.back)
    cards = lying_apart(own, random)
    picture = view.photograph(Scene(cards=tuple(cards)), conditions.light, conditions.sensor, 1).picture
    outlines = card_outlines(picture, CARD_MM)
    off = [min(millimetres_off(outline, view.corners(card)) for outline in outlines) for card in cards]
    assert sum(distance < 2.5 for distance in off) >= 8
    assert len(outlines) <= 20


def test_a_card_at_the_border_of_the_picture_is_found() -> None:
    picture = np.full((600, 800, 3), 40, np.uint8)
    corners = np.array([(0.0, 200), (126, 200), (126, 376), (0, 376)])
    picture[200:376, 0:126] = 220
    outlines = card_outlines(picture, CARD_MM)
    assert min(millimetres_off(outline, corners) for outline in outlines) < 1.5


def test_squares_and_circles_are_no_cards() -> None:
    picture = np.full((600, 800, 3), 40, np.uint8)
    picture[100:250, 100:250] = 220
    cv2.circle(picture, (500, 300), 90, (200, 210, 220), -1)
    assert card_outlines(picture, CARD_MM) == []


@pytest.mark.parametrize("value", [0, 255], ids=["black", "white"])
def test_pictures_of_nothing_have_no_outlines(value: int) -> None:
    assert card_outlines(np.full((400, 600, 3), value, np.uint8), CARD_MM) == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the pictures in ../shared are not here")
def test_lone_cards_in_pictures_that_others_made() -> None:
    """Their printed frame is clearer than their edge in a small picture; it lies 2 mm further in."""
    folder = SHARED / "frames/meadow-teach"
    frames = json.loads((folder / "truth.json").read_text())["frames"][::3]
    found = 0
    for frame in frames:
        outlines = card_outlines(read_picture(folder / frame["image"]), CARD_MM)
        corners = np.array(frame["cards"][0]["corners_px"])
        found += min((millimetres_off(outline, corners) for outline in outlines), default=99.0) < 4.5
        assert len(outlines) <= 6
    assert found >= 0.75 * len(frames)
