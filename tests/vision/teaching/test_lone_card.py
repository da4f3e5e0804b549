"""Cards lying alone: on pictures that somebody else made, on tables of ours, and where there is none."""

import json
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.reading.measuring.teaching_session import OTHER_CAMERAS_PX, lone_cards, off_mm
from tests.vision.reading.unseen_tables import renderer_of
from vision.cards import Pose
from vision.rendering import Block, Camera, Coin, Light, LyingCard, Mug, Pile, Renderer, Scene, Sensor, Tabletop
from vision.rendering import camera_above as above
from vision.rendering.conditions import draw_conditions
from vision.teaching.lone_card import CardNotFound, PhotoSession, Reason, find_lone_card, glimpse_lone_card

Image = NDArray[np.uint8]
TEACH = Path(__file__).parents[4] / "shared" / "frames" / "meadow-teach"
SIZE = (800, 600)
DARK = Tabletop("plain", (60, 70, 64), gloss=0.0)
WOOD = Tabletop("wood", (150, 110, 75), seed=4)
MIDDLE = LyingCard("face", Pose(400, 300, 12))


def face(width: int = 504, height: int = 704) -> Image:
    """A white card with a printed frame, a numeral and a band that runs to both of its sides."""
    image = np.full((height, width, 3), 250, np.uint8)
    cv2.rectangle(image, (24, 24), (width - 25, height - 25), (60, 150, 90), -1)
    cv2.rectangle(image, (0, height // 2 - 40), (width, height // 2 + 40), (110, 130, 150), -1)
    cv2.putText(image, "4", (60, 220), cv2.FONT_HERSHEY_SIMPLEX, 6, (20, 30, 160), 24)
    return image


def renderer(camera: Camera, tabletop: Tabletop, card_mm: tuple[float, float] = (63.0, 88.0)) -> Renderer:
    back = np.full((704, 504, 3), (90, 40, 30), np.uint8)
    return Renderer(camera, tabletop, {"face": face()}, back, card_mm)


def picture_of(taker: Renderer, *cards: LyingCard, clutter: tuple[Pile | Mug | Coin | Block, ...] = ()) -> Image:
    return taker.photograph(Scene(cards=cards, clutter=clutter), Light(glare=0.0), Sensor(), 3).picture


def errors_mm(found: NDArray[np.float64], truth: NDArray[np.float64]) -> NDArray[np.float64]:
    scale = np.sqrt(cv2.contourArea(truth.astype(np.float32)) / (63 * 88))
    return np.asarray(np.linalg.norm(found - truth, axis=1) / scale)


def test_pictures_that_somebody_else_made() -> None:
    if not TEACH.is_dir():
        pytest.skip("the shared frames are not here")
    frames = json.loads((TEACH / "truth.json").read_text())["frames"][::7]
    errors = []
    for frame in frames:
        truth = np.array(frame["cards"][0]["corners_px"])
        errors.append(errors_mm(find_lone_card(cv2.imread(str(TEACH / frame["image"]))).corners_px, truth))
    assert np.median(errors) < 0.35
    assert np.max(errors) < 0.6


@pytest.mark.parametrize(
    ("tabletop", "tilt_deg"),
    [(DARK, 0.0), (WOOD, 15.0), (Tabletop("felt", (30, 95, 55), gloss=0.0), 28.0)],
    ids=["dark", "wood", "felt"],
)
def test_corners_are_right_to_half_a_millimetre(tabletop: Tabletop, tilt_deg: float) -> None:
    camera = above((400, 300), 460, SIZE, tilt_deg=tilt_deg, distortion=(-0.06, 0.01, 0, 0, 0))
    taker = renderer(camera, tabletop)
    found = find_lone_card(picture_of(taker, MIDDLE))
    assert errors_mm(found.corners_px, taker.corners(MIDDLE)).max() < 0.6
    assert 0.5 < found.score <= 1


@pytest.mark.parametrize("rotation", [-160, -80, 100])
def test_the_top_is_the_short_side_nearer_to_the_top_of_the_picture(rotation: int) -> None:
    card = LyingCard("face", Pose(400, 300, rotation))
    taker = renderer(above((400, 300), 460, SIZE), DARK)
    truth = taker.corners(card)
    if truth[:2, 1].mean() > truth[2:, 1].mean():
        truth = np.roll(truth, 2, axis=0)
    assert errors_mm(find_lone_card(picture_of(taker, card)).corners_px, truth).max() < 0.6


@pytest.mark.parametrize(
    "rotation",
    [
        -30,
        pytest.param(-5, marks=pytest.mark.further),
        pytest.param(0, marks=pytest.mark.further),
        5,
        pytest.param(30, marks=pytest.mark.further),
    ],
)
@pytest.mark.parametrize("tilt_deg", [-15, 15])
def test_the_top_of_a_square_card_is_the_side_nearest_to_the_top_of_the_picture(rotation: int, tilt_deg: float) -> None:
    taker = renderer(above((400, 300), 460, SIZE, tilt_deg=tilt_deg), DARK, (70.0, 70.0))
    lying = LyingCard("face", Pose(400, 300, rotation))
    found = find_lone_card(picture_of(taker, lying), (70.0, 70.0))
    apart = np.linalg.norm(found.corners_px - taker.corners(lying), axis=1)
    assert apart.max() < 5


def test_other_sizes_of_cards() -> None:
    square = LyingCard("face", Pose(400, 300, 20))
    taker = renderer(above((400, 300), 460, SIZE), DARK, (70.0, 120.0))
    found = find_lone_card(picture_of(taker, square), (70.0, 120.0))
    assert errors_mm(found.corners_px, taker.corners(square)).max() < 0.6


@pytest.mark.further
def test_a_small_card_on_a_cloth_of_which_the_squares_look_like_cards() -> None:
    """Squares that lie together are as much like a card as it is itself: of 24 faces 4 were taught."""
    pictures, random = random_deck(276), Random("teaching 276 0")
    faces = ("track-1-left", "track-2-left", "track-3-left", "track-4-straight")
    taken = list(lone_cards(pictures, random, faces, random.choice(OTHER_CAMERAS_PX)))
    session = PhotoSession()
    for _, picture, _ in taken:
        session.add(picture)
    for _, picture, corners in taken:
        card = find_lone_card(picture, pictures.deck.card_mm, session)
        assert off_mm(card.corners_px, corners, pictures.deck.card_mm) < 1.5


def test_mugs_coins_and_telephones_are_no_cards() -> None:
    clutter = (Mug((250, 150)), Coin((520, 380)), Block(Pose(560, 200, 20), (72, 148, 9)))
    taker = renderer(above((400, 300), 520, SIZE), WOOD)
    found = find_lone_card(picture_of(taker, MIDDLE, clutter=clutter))
    assert errors_mm(found.corners_px, taker.corners(MIDDLE)).max() < 0.6


def test_a_pile_that_lies_there_in_every_picture_is_not_the_card() -> None:
    taker = renderer(above((400, 300), 520, SIZE), WOOD)
    pile = (Pile(Pose(600, 150, 3), 3),)
    cards = [LyingCard("face", Pose(400 + 12 * number, 300, 9 * number)) for number in range(3)]
    pictures = [picture_of(taker, card, clutter=pile) for card in cards]
    with pytest.raises(CardNotFound) as caught:
        find_lone_card(pictures[0])
    assert caught.value.reason is Reason.SEVERAL
    session = PhotoSession()
    for picture in pictures:
        session.add(picture)
    for picture, card in zip(pictures, cards, strict=True):
        assert errors_mm(find_lone_card(picture, session=session).corners_px, taker.corners(card)).max() < 1.0


def test_a_session_of_other_tables_does_no_harm() -> None:
    taker = renderer(above((400, 300), 460, SIZE), DARK)
    picture = picture_of(taker, MIDDLE)
    session = PhotoSession()
    for other in (picture, 255 - picture, np.zeros_like(picture), picture[:300, :300], picture[::-1, ::-1]):
        session.add(np.ascontiguousarray(other))
    assert errors_mm(find_lone_card(picture, session=session).corners_px, taker.corners(MIDDLE)).max() < 0.6


def test_two_cards_are_too_many() -> None:
    taker = renderer(above((400, 300), 460, SIZE), DARK)
    with pytest.raises(CardNotFound, match="several") as caught:
        find_lone_card(picture_of(taker, MIDDLE, LyingCard("face", Pose(250, 280, -20))))
    assert caught.value.reason is Reason.SEVERAL


def test_a_card_that_is_cut_off_is_not_taken() -> None:
    camera = above((400, 300), 460, SIZE)
    edge = float(camera.on_table([(SIZE[0], SIZE[1] / 2)])[0, 0])
    taker = renderer(camera, DARK)
    with pytest.raises(CardNotFound):
        find_lone_card(picture_of(taker, LyingCard("face", Pose(edge - 15, 300, 3))))


@pytest.mark.parametrize("tabletop", [DARK, WOOD, Tabletop("gingham", (60, 80, 190), seed=2)], ids=lambda one: one.kind)
def test_an_empty_table_has_no_card(tabletop: Tabletop) -> None:
    with pytest.raises(CardNotFound):
        find_lone_card(picture_of(renderer(above((400, 300), 460, SIZE), tabletop)))


@pytest.mark.parametrize(
    ("picture", "reason"),
    [
        (np.zeros((1, 1, 3), np.uint8), Reason.TOO_SMALL),
        (np.zeros((3, 4000, 3), np.uint8), Reason.TOO_SMALL),
        (np.full((600, 800, 3), 255, np.uint8), Reason.NOTHING),
        (np.random.default_rng(1).integers(0, 256, (600, 800, 3), dtype=np.uint8), Reason.NOTHING),
    ],
    ids=["one pixel", "a line", "white", "noise"],
)
def test_no_picture_of_a_card(picture: Image, reason: Reason) -> None:
    with pytest.raises(CardNotFound, match=r"[.]$") as caught:
        find_lone_card(picture)
    assert caught.value.reason is reason


@pytest.mark.parametrize("face_id", [pytest.param("track-2-right", marks=pytest.mark.further), "track-1-across"])
def test_a_card_on_which_something_is_plainer_than_its_edges_is_glimpsed(face_id: str) -> None:
    pictures, conditions = random_deck(100), draw_conditions("easy", Random(100))
    taker, card = renderer_of(pictures, conditions), LyingCard(face_id, Pose(352.0, 310.0, -3.0))
    picture = taker.photograph(Scene((card,)), conditions.light, conditions.sensor, 1).picture
    with pytest.raises(CardNotFound):
        find_lone_card(picture)
    glimpsed = glimpse_lone_card(picture)
    assert glimpsed is not None
    assert off_mm(glimpsed.corners_px, taker.corners(card), pictures.deck.card_mm) < 3.0


def test_several_cards_are_not_glimpsed_as_one() -> None:
    taker = renderer(above((400, 300), 460, SIZE), WOOD)
    two = (LyingCard("face", Pose(300, 300, 10)), LyingCard("face", Pose(480, 300, -20)))
    assert glimpse_lone_card(picture_of(taker, *two)) is None
    assert glimpse_lone_card(picture_of(taker)) is None


def test_where_a_card_has_come_a_picture_has_changed() -> None:
    taker = renderer(above((400, 300), 460, SIZE), WOOD)
    bare = picture_of(taker)
    random = np.random.default_rng(0)
    session = PhotoSession()
    for _ in range(2):
        session.add(np.asarray((bare + random.normal(0, 2, bare.shape)).clip(0, 255), np.uint8))
    assert session.changed_area(bare) is None
    card = LyingCard("face", Pose(300, 320, 15))
    area = session.changed_area(picture_of(taker, card))
    assert area is not None
    rows, columns = area
    corners = taker.corners(card)
    assert columns.start < corners[:, 0].min() < corners[:, 0].max() < columns.stop
    assert rows.start < corners[:, 1].min() < corners[:, 1].max() < rows.stop
    # Little more than the card: a quarter of what is searched otherwise would be too much.
    assert (rows.stop - rows.start) * (columns.stop - columns.start) < 0.2 * bare.shape[0] * bare.shape[1]
