"""``companion see`` as a person types it."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from companion.loknroll import Mode, load_edition, set_up
from companion.pictures import drawn_deck, write_game


def see(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", "see", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first pictures of a game with our own deck."""
    folder = tmp_path_factory.mktemp("game")
    own = drawn_deck("standard-55")
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
