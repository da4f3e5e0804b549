"""Hands are told from all else that comes, goes and changes on a table."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards import Pose
from vision.rendering import (
    Block,
    Camera,
    Emma,
    Hand,
    Light,
    LyingCard,
    Mug,
    Renderer,
    Scene,
    Sensor,
    Tabletop,
    camera_above,
)
from vision.watching.hands import HandWatch, shows_hand

FRAMES = Path(__file__).parents[4] / "shared/frames"
SIZE = (1024, 768)
TABLES = {
    "wood": Tabletop("wood"),
    "gingham": Tabletop("gingham", (60, 80, 190)),
    "felt": Tabletop("felt", (30, 95, 55), gloss=0.03),
}

Picture = NDArray[np.uint8]

needs_frames = pytest.mark.skipif(not FRAMES.is_dir(), reason="the shared frames do not lie beside the checkout")


def frames(folder: str) -> list[dict[str, Any]]:
    truth: dict[str, Any] = json.loads((FRAMES / folder / "truth.json").read_text())
    return truth["frames"]


def picture_of(folder: str, frame: dict[str, Any]) -> Picture:
    return cv2.imread(str(FRAMES / folder / frame["image"]))


class Studio:
    """Photographs one table from one camera, each picture with noise of its own."""

    def __init__(self, tabletop: Tabletop) -> None:
        face = np.full((440, 315, 3), (90, 170, 120), dtype=np.uint8)
        cv2.rectangle(face, (0, 0), (314, 439), (235, 240, 240), 12)
        cv2.line(face, (157, 0), (157, 439), (60, 80, 110), 60)
        self.camera: Camera = camera_above((400, 300), 790, SIZE, tilt_deg=9)
        self.view = Renderer(self.camera, tabletop, {"face": face}, np.full_like(face, 60))
        self.taken = 0

    def __call__(
        self,
        *,
        cards: int = 3,
        emma: int | None = 0,
        hand: Hand | None = None,
        light: Light | None = None,
        sensor: Sensor | None = None,
    ) -> Picture:
        lying = tuple(LyingCard("face", Pose(200 + 66.0 * n, 300, 0)) for n in range(cards))
        stands = None if emma is None else Emma(Pose(200 + 66.0 * emma, 300, 10))
        scene = Scene(
            lying, stands, () if hand is None else (hand,), (Block(Pose(735, 110), (63, 88, 9)), Mug((20, 500)))
        )
        self.taken += 1
        return self.view.photograph(scene, light or Light(), sensor or Sensor(), self.taken).picture


@pytest.fixture(scope="module", params=sorted(TABLES))
def studio(request: pytest.FixtureRequest) -> Studio:
    return Studio(TABLES[request.param])


@pytest.fixture(scope="module")
def felt() -> Studio:
    return Studio(TABLES["felt"])


@needs_frames
@pytest.mark.parametrize(("folder", "first"), [("meadow-betsy", 26), ("meadow-two", 26), ("meadow-hard", 20)])
def test_every_hand_is_seen_and_nothing_else_in_other_peoples_streams(folder: str, first: int) -> None:
    watch = HandWatch()
    stream = frames(folder)[:first]
    seen = [watch.seen(picture_of(folder, frame)) for frame in stream]
    # A hand that is there from the beginning cannot be told from the table.
    wrong = [frame["image"] for frame, hand in zip(stream, seen, strict=True) if hand != frame["hand"]]
    assert set(wrong) <= ({"0000.jpg"} if stream[0]["hand"] else set())
    assert sum(seen) >= 4


def test_a_hand_is_seen_while_it_is_there(studio: Studio) -> None:
    watch = HandWatch()
    sleeves = [(70, 90, 120), (190, 190, 190), (40, 40, 44)]
    for number, sleeve in enumerate(sleeves):
        assert not watch.seen(studio())
        hand = Hand((300 + 60 * number, 330), 180 - 60 * number, sleeve=sleeve)
        assert watch.seen(studio(hand=hand))
    assert not watch.seen(studio())


def test_cards_and_emma_are_no_hands(studio: Studio) -> None:
    watch = HandWatch()
    tables = [(3, 0), (4, 0), (4, 3), (7, 3), (7, None), (2, 1), (0, None), (3, 2)]
    assert [watch.seen(studio(cards=cards, emma=emma)) for cards, emma in tables] == [False] * len(tables)


def test_light_that_changes_is_no_hand(studio: Studio) -> None:
    watch = HandWatch()
    lights = [
        Light(brightness=0.9),
        Light(brightness=1.05),
        Light(brightness=0.8, warmth=0.3),
        Light(lamp_mm=(260.0, -260.0, 1200.0)),
        Light(brightness=0.6),
    ]
    assert [watch.seen(studio(light=light)) for light in lights] == [False] * len(lights)


def test_a_soft_shadow_that_passes_is_no_hand(studio: Studio) -> None:
    watch = HandWatch()
    table = studio()
    watch.seen(table)
    width, height = SIZE
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    for middle in range(-100, width + 200, 150):
        away = np.hypot(columns - middle, rows - height) / 260
        shade = 1 - 0.4 * np.exp(-(away**2))
        assert not watch.seen((table * shade[..., None]).astype(np.uint8))


def test_a_hand_that_was_there_first_does_not_stay_when_it_has_left(studio: Studio) -> None:
    watch = HandWatch()
    watch.seen(studio(hand=Hand((300, 330), 180)))
    assert not watch.seen(studio())
    assert watch.seen(studio(hand=Hand((420, 300), 90)))
    assert not watch.seen(studio())


def test_cards_laid_under_a_hand_are_not_taken_for_it_afterwards(felt: Studio) -> None:
    watch = HandWatch()
    watch.seen(felt(cards=3))
    assert watch.seen(felt(cards=4, emma=3, hand=Hand((380, 330), 180)))
    assert not watch.seen(felt(cards=4, emma=3))


def test_a_hand_that_creeps_in_is_seen(felt: Studio) -> None:
    watch = HandWatch()
    table = felt()
    for _ in range(5):
        watch.seen(table)
    seen = []
    for reach in range(1, 120):
        table[-reach:, 500:600] = (70, 95, 140)
        seen.append(watch.seen(table))
    assert seen[-1]
    assert not seen[0]


def test_what_never_moves_is_no_hand_in_the_end(felt: Studio) -> None:
    watch = HandWatch(patience=5)
    watch.seen(felt())
    box = felt()
    cv2.rectangle(box, (0, 100), (300, 200), (200, 90, 160), -1)
    assert [watch.seen(box) for _ in range(8)] == [True] * 5 + [False] * 3
    assert not watch.seen(felt(cards=4))


def test_nothing_is_said_to_have_changed_when_nothing_has(studio: Studio) -> None:
    watch = HandWatch()
    table = studio()
    watch.seen(table)
    for count in range(1, 4):
        watch.seen(table)
        assert watch.still_for == count
    watch.seen(studio())  # the same table, and other noise
    assert watch.still_for == 4


def test_where_a_card_was_laid_something_has_changed(studio: Studio) -> None:
    watch = HandWatch()
    watch.seen(studio(cards=3))
    watch.seen(studio(cards=4))
    assert watch.still_for == 0


NOISY = Sensor(noise=0.1)


def test_much_noise_alone_is_no_change(studio: Studio) -> None:
    watch = HandWatch()
    for _ in range(6):
        watch.seen(studio(sensor=NOISY))
    assert watch.still_for == 5


@pytest.mark.parametrize(
    "change",
    [{"cards": 4}, {"emma": 1}, {"light": Light(brightness=0.6)}, {"hand": Hand((300, 330), 180)}],
    ids=["a card", "Emma", "light", "a hand"],
)
def test_in_much_noise_something_has_changed_all_the_same(studio: Studio, change: dict[str, Any]) -> None:
    watch = HandWatch()
    for _ in range(3):
        watch.seen(studio(sensor=NOISY))
    assert watch.still_for == 2
    watch.seen(studio(sensor=NOISY, **change))
    assert watch.still_for == 0


def test_pictures_smaller_than_the_parts_that_are_compared_are_looked_at_too() -> None:
    watch = HandWatch()
    for level in (0, 0, 200):
        watch.seen(np.full((20, 24, 3), level, np.uint8))
    assert watch.still_for == 0


def test_a_picture_of_another_size_begins_anew(felt: Studio) -> None:
    watch = HandWatch()
    watch.seen(felt())
    halved = cv2.resize(felt(hand=Hand((300, 330), 180)), (SIZE[0] // 2, SIZE[1] // 2))
    assert not watch.seen(halved)
    assert watch.still_for == 0


@needs_frames
def test_single_pictures_are_said_to_have_a_hand_if_they_have() -> None:
    told: dict[bool, list[bool]] = {True: [], False: []}
    for folder in ("meadow-two", "meadow-hard", "ticket-betsy"):
        for frame in frames(folder):
            told[frame["hand"]].append(shows_hand(picture_of(folder, frame)))
    assert sum(told[True]) >= 0.8 * len(told[True]) > 0
    assert sum(told[False]) == 0


@pytest.mark.parametrize("kind", TABLES)
def test_a_hand_is_seen_on_any_table_even_one_of_skins_colour(kind: str) -> None:
    studio = Studio(TABLES[kind])
    assert shows_hand(studio(hand=Hand((520, 260), 130, spread=1.2)))
    assert not shows_hand(studio())
