"""Emma is found on the card on which she stands, whatever the deck, the table and the slant, and nowhere else."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.outlines.place_training.scenes import large_examples_of
from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.scores import emma_is_right
from tests.vision.reading.unseen_tables import table_of
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaFinder, EmmaSighting
from vision.reading.emma import emma_finder as emma_finder_module
from vision.reading.emma.emma_network import SeenEmma
from vision.rendering import Emma, LyingCard, Renderer, Scene
from vision.rendering.conditions import Difficulty, draw_conditions
from vision.rendering.truth import picture_truth

FRAMES = Path(__file__).parents[4] / "shared/frames"
SIZE = (1230, 924)
PLACES = [(190.0 + 90 * column, 200.0 + 100 * row) for row in range(3) for column in range(5)]

needs_frames = pytest.mark.skipif(not FRAMES.is_dir(), reason="the shared frames do not lie beside the checkout")


class Reading(NamedTuple):
    face: str
    corners_px: NDArray[np.float64]


class Seen(NamedTuple):
    """A picture, the cards that lie in it, and on which of them Emma stands."""

    picture: NDArray[np.uint8]
    readings: list[Reading]
    home: int | None


def seen(picture: NDArray[np.uint8], truth: dict[str, Any]) -> Seen:
    """Corners as well known as a good reader knows them."""
    uneven = np.random.default_rng(3)
    readings = [
        Reading(card["face"], np.array(card["corners_px"]) + uneven.normal(0, 0.5, (4, 2))) for card in truth["cards"]
    ]
    homes = [
        index
        for index, card in enumerate(truth["cards"])
        if truth["emma"] and card["serial"] == truth["emma"]["serial"] and not card["show"]
    ]
    return Seen(picture, readings, homes[0] if homes else None)


def frames(folder: str, every: int) -> Iterator[Seen]:
    truth = json.loads((FRAMES / folder / "truth.json").read_text())
    for frame in [frame for frame in truth["frames"] if not frame["hand"]][::every]:
        yield seen(cv2.imread(str(FRAMES / folder / frame["image"])), frame)


def is_inside(point: NDArray[np.float64], corners: NDArray[np.float64]) -> bool:
    x, y = (float(part) for part in point)
    return cv2.pointPolygonTest(corners.astype(np.float32), (x, y), measureDist=False) >= 0


def is_right(sighting: EmmaSighting | None, table: Seen) -> bool:
    if sighting is None or table.home is None:
        return sighting is None and table.home is None
    return sighting.card == table.home and is_inside(sighting.foot_px, table.readings[table.home].corners_px)


@needs_frames
@pytest.mark.parametrize(
    ("folder", "every"), [("meadow-betsy", 7), ("meadow-two", 6), ("meadow-hard", 3), ("meadow-traced", 2)]
)
def test_she_is_found_on_other_peoples_pictures(folder: str, every: int, meadow_finder: EmmaFinder) -> None:
    tables = list(frames(folder, every))
    wrong = [
        index
        for index, table in enumerate(tables)
        if not is_right(meadow_finder.find(table.picture, table.readings), table)
    ]
    assert len(tables) >= 6
    assert wrong == []


@needs_frames
@pytest.mark.parametrize(("folder", "every"), [("meadow-betsy", 9), ("meadow-two", 8), ("meadow-hard", 4)])
def test_the_other_cards_do_not_look_like_her(folder: str, every: int, meadow_finder: EmmaFinder) -> None:
    for table in frames(folder, every):
        others = [reading for index, reading in enumerate(table.readings) if index != table.home]
        assert meadow_finder.find(table.picture, others) is None


def photographed(own: DeckPictures, difficulty: Difficulty, emma_on: int | None, seed: int) -> Seen:
    """A table full of cards of our own deck, edge to edge, with Emma on one of them."""
    random = Random(seed)
    faces = random.sample(sorted(own.faces), len(PLACES))
    cards = tuple(
        LyingCard(face, Pose(x, y, random.choice((0, 180)) + random.gauss(0, 2)), serial)
        for serial, (face, (x, y)) in enumerate(zip(faces, PLACES, strict=True))
    )
    emma = None
    if emma_on is not None:
        x, y = PLACES[emma_on]
        stands = Pose(x + random.uniform(-10, 10), y + random.uniform(-12, 12), random.uniform(0, 360))
        emma = Emma(stands, emma_on, emma_on)
    conditions = draw_conditions(difficulty, random, SIZE)
    scene = Scene(cards, emma, (), conditions.clutter)
    view = Renderer(conditions.camera, conditions.tabletop, own.faces, own.back, own.deck.card_mm)
    photograph = view.photograph(scene, conditions.light, conditions.sensor, seed)
    picture = cv2.imdecode(np.frombuffer(photograph.jpeg(conditions.sensor), np.uint8), cv2.IMREAD_COLOR)
    return seen(picture, picture_truth(view, own.deck, scene, photograph.visible))


@pytest.mark.parametrize("difficulty", ["normal", "hard"])
@pytest.mark.parametrize(("emma_on", "seed"), [(0, 1), (4, 2), (7, 3), (12, 4)])
def test_she_is_found_on_our_own_deck(
    own: DeckPictures, emma_finder: EmmaFinder, difficulty: Difficulty, emma_on: int, seed: int
) -> None:
    table = photographed(own, difficulty, emma_on, seed)
    assert is_right(emma_finder.find(table.picture, table.readings), table)


@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard"])
@pytest.mark.parametrize("seed", [5, 6])
def test_dark_art_and_broken_tracks_are_not_emma(
    own: DeckPictures, emma_finder: EmmaFinder, difficulty: Difficulty, seed: int
) -> None:
    table = photographed(own, difficulty, None, seed)
    assert emma_finder.find(table.picture, table.readings) is None


def test_where_no_known_card_lies_she_does_not_stand(own: DeckPictures, emma_finder: EmmaFinder) -> None:
    picture = np.full((600, 800, 3), 30, dtype=np.uint8)
    corners = np.array([(100, 100), (163, 100), (163, 188), (100, 188)], dtype=float)
    assert emma_finder.find(picture, []) is None
    assert emma_finder.find(picture, [Reading("unheard-of", corners)]) is None


def test_a_card_that_lies_beyond_the_picture_does_not_carry_her(own: DeckPictures, emma_finder: EmmaFinder) -> None:
    face = "track-1-straight"
    card = cv2.resize(own.faces[face], (126, 176), interpolation=cv2.INTER_AREA)
    picture = np.full((600, 800, 3), 120, dtype=np.uint8)
    picture[100:276, :63] = card[:, 63:]
    corners = np.array([(-63, 100), (63, 100), (63, 276), (-63, 276)], dtype=float)
    assert emma_finder.find(picture, [Reading(face, corners)]) is None


@pytest.mark.parametrize("brightness", [0.4, 0.7, 1.0])
def test_her_foot_is_known_to_a_few_millimetres(own: DeckPictures, emma_finder: EmmaFinder, brightness: float) -> None:
    """A black box drawn flat onto a card, seen from straight above and far away."""
    face = "track-2-straight"
    card = cv2.resize(own.faces[face], (252, 352), interpolation=cv2.INTER_AREA)
    picture = np.full((3200, 4000, 3), 150, dtype=np.uint8)
    picture[1424:1776, 1874:2126] = card
    foot = np.array([2010.0, 1580.0])
    box = cv2.boxPoints(((foot[0], foot[1]), (60, 144), 25)).round().astype(np.int32)
    cv2.fillConvexPoly(picture, box, (20, 20, 20))
    corners = np.array([(1874, 1424), (2126, 1424), (2126, 1776), (1874, 1776)], dtype=float)
    sighting = emma_finder.find((picture * brightness).astype(np.uint8), [Reading(face, corners)])
    assert sighting is not None
    assert np.hypot(*(sighting.foot_px - foot)) < 4 * 4  # 4 px are a millimetre
    assert sighting.confidence > 0.6
    # Of the box itself most is inside; more is what such a box would hide if it were as high as she is.
    drawn, outlined = (np.zeros(picture.shape[:2], np.uint8) for _ in range(2))
    cv2.fillConvexPoly(drawn, box, (1,))
    cv2.fillConvexPoly(outlined, sighting.hidden.outline_px.round().astype(np.int32), (1,))
    assert (drawn & outlined).sum() > 0.8 * drawn.sum()
    assert outlined.sum() < 1.5 * drawn.sum()


@pytest.mark.parametrize("deck", [pytest.param(8, marks=pytest.mark.further), 21])
def test_she_is_found_in_any_colour_on_decks_of_all_kinds(deck: int) -> None:
    pictures, look = random_deck(deck), random_emma(deck)
    finder = EmmaFinder(pictures.faces, pictures.deck.card_mm)
    for table in (table_of(pictures, number, emma=look) for number in range(2)):
        now = seen(table.picture, table.truth)
        sighting = finder.find(now.picture, now.readings)
        assert sighting is not None
        assert sighting.card == now.home
        others = [reading for index, reading in enumerate(now.readings) if index != now.home]
        assert finder.find(now.picture, others) is None


@pytest.mark.parametrize(
    "table",
    [385000, pytest.param(398001, marks=pytest.mark.further), pytest.param(409001, marks=pytest.mark.further), 409002],
)
def test_she_is_found_on_cards_of_which_she_hides_a_third(table: int) -> None:
    pictures = random_deck(table // 1000)
    drawn = table_of(pictures, table, emma=random_emma(table // 1000))
    readings = [Reading(card["face"], np.array(card["corners_px"])) for card in drawn.truth["cards"]]
    emma = EmmaFinder(pictures.faces, pictures.deck.card_mm).find(drawn.picture, readings)
    assert emma is not None
    assert emma_is_right(drawn.truth, emma)


@pytest.mark.parametrize(
    "deck", [100, pytest.param(110, marks=pytest.mark.further), pytest.param(397, marks=pytest.mark.further)]
)
def test_all_that_she_hides_is_outlined_and_little_more(deck: int) -> None:
    """In any light and from any side; what is told is convex, and so is the best that it could be."""
    pictures = random_deck(deck)
    finder = EmmaFinder(pictures.faces, pictures.deck.card_mm)
    for example in islice(large_examples_of(deck), 3):
        readings = [Reading(*card) for card in zip(example.faces, example.cards, strict=True)]
        sighting = finder.find(example.picture, readings)
        assert sighting is not None
        outline = max(cv2.findContours(example.emma // 128, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0], key=len)
        hers, told = (np.zeros(example.emma.shape, np.uint8) for _ in range(2))
        cv2.fillConvexPoly(hers, cv2.convexHull(outline), (1,))
        cv2.fillConvexPoly(told, sighting.hidden.outline_px.round().astype(np.int32), (1,))
        assert (hers & told).sum() > 0.97 * hers.sum()
        assert told.sum() < 1.7 * hers.sum()
        assert np.hypot(*(sighting.foot_px - example.emma_px)) < 6 * px_per_mm(example.cards[sighting.card], pictures)


def px_per_mm(corners: NDArray[np.float64], pictures: DeckPictures) -> float:
    return float(np.linalg.norm(corners[1] - corners[0])) / pictures.deck.card_mm[0]


def test_on_a_card_that_lies_all_but_there_she_is_not_looked_for_anew(
    own: DeckPictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(own, 3)
    readings = [Reading(card["face"], np.array(card["corners_px"])) for card in table.truth["cards"]]
    nearly, elsewhere = ([Reading(one.face, one.corners_px + off) for one in readings] for off in (1.0, 9.0))
    looked: list[object] = []
    seen_on = emma_finder_module.seen_on

    def counted(*card: Any) -> SeenEmma:
        looked.append(card)
        return seen_on(*card)

    monkeypatch.setattr(emma_finder_module, "seen_on", counted)
    finder = EmmaFinder(own.faces, own.deck.card_mm)
    first = finder.find(table.picture, readings)
    assert len(looked) == len(readings)
    assert str(finder.find(table.picture, nearly)) == str(first)
    assert len(looked) == len(readings)
    finder.find(table.picture, elsewhere)
    finder.find(table.picture.copy(), readings)
    assert len(looked) == 3 * len(readings)
