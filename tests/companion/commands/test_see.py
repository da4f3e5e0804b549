"""``companion see`` as a person types it."""

import json
import subprocess
import sys
import weakref
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.commands.cli import main
from companion.games.loknroll.robot.pictures import write_game
from companion.games.loknroll.rules import Mode, load_edition, set_up
from vision import deck_pictures
from vision.arrays import Picture
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.files import deck_archive
from vision.picture_files import png_of
from vision.reading.reader import CardReading, Reader
from vision.rendering import Emma, Hand, LyingCard, Renderer, Scene
from vision.rendering.conditions import draw_conditions


def see(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", "see", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture(scope="module")
def game(own: DeckPictures, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first pictures of a game with our own deck."""
    folder = tmp_path_factory.mktemp("game")
    written = write_game(
        folder, own, set_up(load_edition(), own.deck, Mode.SOLO, ["Ann"]), "easy", seed=5, size=(1640, 1232)
    )
    while not (folder / "0001.jpg").exists():
        next(written)
    return folder


def test_a_picture_is_told_drawn_over_and_given_to_programs(game: Path, tmp_path: Path) -> None:
    told = see(game / "0001.jpg", "--json", "--overlay", tmp_path / "seen")
    assert told.returncode == 0
    reading = json.loads(told.stdout)
    assert reading["image"] == "0001.jpg"
    assert len(reading["railway"]) == 4
    assert reading["emma"] is not None
    assert all(len(card["corners_px"]) == 4 for card in reading["cards"])
    assert all(0 < card["probability"] < 1 for card in reading["cards"])
    assert [card["others"] for card in reading["cards"]] == [[]] * len(reading["cards"])
    drawn, plain = (cv2.imread(str(path)) for path in (tmp_path / "seen/0001.jpg", game / "0001.jpg"))
    assert drawn.shape == plain.shape
    assert cv2.absdiff(drawn, plain).max() > 100


def test_a_picture_that_cannot_be_read_does_not_stop_the_others(game: Path, tmp_path: Path) -> None:
    (tmp_path / "damaged.jpg").write_bytes(Random(0).randbytes(2000))
    told = see(tmp_path / "damaged.jpg", tmp_path / "missing.jpg", game / "0000.jpg")
    assert told.returncode == 1
    assert told.stderr.count("\n") == 2
    assert "Traceback" not in told.stderr
    assert "railway" in told.stdout


def test_pictures_are_forgotten_before_the_next_is_taken(
    game: Path, coarse_own: DeckPictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small computer has no room for those of a whole deck, nor for two of a table."""
    kept: list[weakref.ref[Picture]] = []
    faces, alive = {face: picture.copy() for face, picture in coarse_own.faces.items()}, []
    deck = coarse_own._replace(faces=faces)
    kept += map(weakref.ref, faces.values())
    del faces

    def look(_: Reader, picture: Picture) -> list[CardReading]:
        alive.append(sum(one() is not None for one in kept))
        kept.append(weakref.ref(picture))
        return []

    handed = [deck]
    del deck
    monkeypatch.setattr(deck_pictures, "read_deck_pictures", lambda _: handed.pop())
    monkeypatch.setattr(Reader, "read", look)
    assert main(["see", str(game / "0000.jpg"), str(game / "0001.jpg"), "--deck", "taught"]) == 0
    assert alive == [0, 0]


def test_a_deck_may_be_one_file(game: Path, coarse_own: DeckPictures, tmp_path: Path) -> None:
    pngs = {face: png_of(picture) for face, picture in coarse_own.faces.items()}
    (tmp_path / "my-deck.zip").write_bytes(deck_archive(coarse_own.deck, pngs))
    told = see(game / "0001.jpg", "--json", "--deck", tmp_path / "my-deck.zip")
    assert told.returncode == 0, told.stderr
    assert len(json.loads(told.stdout)["railway"]) == 4


def test_a_missing_deck_gets_one_line(game: Path) -> None:
    told = see(game / "0000.jpg", "--deck", "/nowhere")
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1


def test_a_deck_with_nothing_on_its_cards_gets_one_line(game: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "plain.png"), np.full((352, 252, 3), 240, np.uint8))
    face = {"id": "plain", "value": 1, "kind": "track", "count": 1, "image": "plain.png"}
    (tmp_path / "deck.json").write_text(json.dumps({"name": "plain", "faces": [face]}))
    told = see(game / "0000.jpg", "--deck", tmp_path)
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert "too plain" in told.stderr


@pytest.fixture(scope="module")
def stream(own: DeckPictures, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of one camera: a table with three cards, a hand over it, a fourth card, and a card that is shown."""
    folder = tmp_path_factory.mktemp("stream")
    conditions = draw_conditions("easy", Random(4), (1230, 924))
    view = Renderer(conditions.camera, conditions.tabletop, own.faces, own.back, own.deck.card_mm)
    faces = ("track-2-straight", "track-1-straight", "track-2-straight", "track-3-straight")
    laid = tuple(LyingCard(face, Pose(300, 450 - 88.5 * row, 0), row) for row, face in enumerate(faces))
    shown = LyingCard("chaos-1", Pose(740, 530, 0))
    emma = Emma(Pose(300, 450 - 88.5, 0), 1, 1)
    scenes = [
        Scene(laid[:3], emma),
        Scene(laid[:3], emma, (Hand((310, 250), 180),)),
        Scene(laid, emma),
        Scene((*laid, shown), emma),
        Scene(laid, replace(emma, pose=Pose(300, 450, 0), serial=0, index=0)),
    ]
    for number, scene in enumerate(scenes):
        picture = view.photograph(scene, conditions.light, conditions.sensor, number)
        (folder / f"{number}.jpg").write_bytes(picture.jpeg(conditions.sensor))
    (folder / "2-broken.jpg").write_bytes(b"no picture")
    return folder


def test_a_stream_keeps_what_it_knows_from_picture_to_picture(stream: Path) -> None:
    told = see(*sorted(stream.glob("*.jpg")), "--stream", "--json")
    assert told.returncode == 1  # one of them is broken, which does not disturb the others
    assert "2-broken.jpg" in told.stderr
    readings = [json.loads(line) for line in told.stdout.splitlines()]
    assert [reading["hands"] for reading in readings] == [False, True, False, False, False]
    three = ["track-2-straight", "track-1-straight", "track-2-straight"]
    four = [*three, "track-3-straight"]
    # Emma's drive back does not turn the railway round, as it would in a picture seen alone.
    assert [reading["railway"] for reading in readings] == [three, three, four, four, four]
    assert all(reading["emma"] is not None and reading["ms"] > 0 for reading in readings)
    zones = [
        [(card["face"], card["zone"]) for card in reading["cards"] if card["zone"] != "railway"] for reading in readings
    ]
    assert zones == [[], [], [], [("chaos-1", "show")], []]
    again = [card["corners_px"] for card in readings[0]["cards"]]
    assert [card["corners_px"] for card in readings[1]["cards"]] == again


def test_a_card_beside_the_show_spot_is_not_shown(stream: Path) -> None:
    told = see(stream / "3.jpg", "--json", "--show-spot", "0,0,200,200")
    (zone,) = (card["zone"] for card in json.loads(told.stdout)["cards"] if card["face"] == "chaos-1")
    assert zone == "apart"


@pytest.mark.parametrize("spot", ["1,2,3", "a,b,c,d", "-1,0,5,5"])
def test_a_show_spot_that_is_no_region_gets_one_line(stream: Path, spot: str) -> None:
    told = see(stream / "3.jpg", f"--show-spot={spot}")
    assert told.returncode == 2
    assert told.stderr.count("\n") == 1
    assert "left, top, width and height" in told.stderr
