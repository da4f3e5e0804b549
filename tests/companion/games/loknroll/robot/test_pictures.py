"""Folders of rendered pictures: complete, repeatable, and understood by the scorer."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.games.loknroll.robot.pictures import write_game, write_tables
from companion.games.loknroll.rules import Mode, load_edition, set_up
from companion.record.file import read_record
from vision.deck_pictures import DeckPictures

SIZE = (820, 616)
SCORER = Path(__file__).parents[6] / "shared/tools/score_frames.py"


@pytest.fixture(scope="module")
def game_folder(own: DeckPictures, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("game")
    start = set_up(load_edition(), own.deck, Mode.SOLO_HARD, ["Ann"])
    told = list(write_game(folder, own, start, "normal", seed=2, size=SIZE))
    assert told == [(done + 1, len(told)) for done in range(len(told))]
    return folder


def truth_of(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "truth.json").read_text())
    return told


def test_every_picture_has_its_truth_and_the_right_size(game_folder: Path) -> None:
    frames = truth_of(game_folder)["frames"]
    assert {frame["image"] for frame in frames} == {path.name for path in game_folder.glob("*.jpg")}
    for frame in frames:
        assert cv2.imread(str(game_folder / frame["image"])).shape == (SIZE[1], SIZE[0], 3)


def test_a_picture_with_a_hand_is_followed_by_the_same_moment_without(game_folder: Path) -> None:
    frames = truth_of(game_folder)["frames"]
    assert any(frame["hand"] for frame in frames)
    for frame, following in pairwise(frames):
        if frame["hand"]:
            assert not following["hand"]
            assert (frame["why"], frame["turn"]) == (following["why"], following["turn"])
            assert [card["mm"] for card in frame["cards"]] == [card["mm"] for card in following["cards"]]


def test_the_game_is_recorded_beside_its_pictures(game_folder: Path) -> None:
    steps = [line["step"] for line in read_record(game_folder / "game.jsonl").lines]
    laid = sum(frame["why"] == "laid" and not frame["hand"] for frame in truth_of(game_folder)["frames"])
    assert steps.count("lay") == laid


@pytest.mark.skipif(not SCORER.is_file(), reason="the scorer in ../shared is not here")
def test_the_scorer_finds_a_perfect_reading_perfect(game_folder: Path, tmp_path: Path) -> None:
    readings = tmp_path / "readings.jsonl"
    with readings.open("w") as file:
        for frame in truth_of(game_folder)["frames"]:
            reading = {"image": frame["image"], "hands": frame["hand"], "cards": frame["cards"], "emma": frame["emma"]}
            file.write(json.dumps(reading) + "\n")
    command = [sys.executable, str(SCORER), str(game_folder), str(readings), "--json"]
    score = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for figure in ("recall", "face_accuracy", "upright", "emma", "hand_seen", "whole_table_right"):
        assert score[figure] == 1.0, figure
    assert score["false_cards"] == 0
    assert score["corner_mm_p95"] == 0


def test_the_same_seed_gives_the_same_bytes(own: DeckPictures, tmp_path: Path) -> None:
    start = set_up(load_edition(), own.deck, Mode.BETSY, ["Ann"])
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        for _ in write_tables(tmp_path / name, own, start, ["easy", "normal", "hard"], seed=6, size=SIZE):
            pass
    first = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    second = {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    assert first == second
    assert len(first) == 4


def test_single_tables_each_have_a_camera_of_their_own(own: DeckPictures, tmp_path: Path) -> None:
    start = set_up(load_edition(), own.deck, Mode.BETSY, ["Ann"])
    list(write_tables(tmp_path, own, start, ["normal"] * 3, seed=1, size=SIZE))
    cameras = [json.dumps(frame["camera"]) for frame in truth_of(tmp_path)["frames"]]
    assert len(set(cameras)) == 3
