"""Folders of rendered pictures with the truth beside them, for the eye's tests and for other people's recognisers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from companion.games.loknroll.record.recorded_game import save_recorded
from companion.games.loknroll.robot.pictured_games import Moment, pictured_game, with_hand
from companion.games.loknroll.rules import State
from vision.deck_pictures import DeckPictures
from vision.rendering import Renderer, Scene
from vision.rendering.conditions import Conditions, Difficulty, draw_conditions
from vision.rendering.truth import folder_truth, picture_truth


class PictureTaker:
    """Photographs scenes under the same conditions into a folder."""

    def __init__(self, pictures: DeckPictures, conditions: Conditions, folder: Path) -> None:
        """The folder is there already."""
        self.deck = pictures.deck
        self.conditions = conditions
        self.folder = folder
        camera, tabletop = conditions.camera, conditions.tabletop
        self.renderer = Renderer(camera, tabletop, pictures.faces, pictures.back, pictures.deck.card_mm)

    def take(self, scene: Scene, name: str, seed: int) -> dict[str, Any]:
        """Writes a picture; returns its truth."""
        conditions = self.conditions
        whole = Scene(scene.cards, scene.emma, scene.hands, conditions.clutter)
        photograph = self.renderer.photograph(whole, conditions.light, conditions.sensor, seed)
        (self.folder / name).write_bytes(photograph.jpeg(conditions.sensor))
        return {"image": name, **picture_truth(self.renderer, self.deck, whole, photograph.visible)}


def write_game(
    folder: Path, pictures: DeckPictures, start: State, difficulty: Difficulty, *, seed: int, size: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Writes the pictures of a whole game, its truth and its record into a new folder.

    As at a real table, each picture with a hand is followed by the same moment without it. Yields how many moments
    are done, and of how many.
    """
    random = Random(seed)
    game, moments = pictured_game(start, random)
    taker = PictureTaker(pictures, draw_conditions(difficulty, random, size), folder)
    truths: list[dict[str, Any]] = []
    for number, moment in enumerate(moments):
        for scene in _with_and_without_hand(moment, random):
            truth = taker.take(scene, f"{len(truths):04}.jpg", random.randrange(1 << 30))
            truths.append({"why": moment.why, "turn": moment.turn, **truth})
        yield number + 1, len(moments)
    save_recorded(folder / "game.jsonl", game)
    _write_truth(folder, folder_truth(pictures.deck, taker.conditions, truths))


def write_tables(
    folder: Path,
    pictures: DeckPictures,
    start: State,
    difficulties: Sequence[Difficulty],
    *,
    seed: int,
    size: tuple[int, int],
) -> Iterator[tuple[int, int]]:
    """Writes single pictures into a new folder, each of another game, table, lamp and camera.

    The truth of each picture holds its own camera. Yields how many are done, and of how many.
    """
    truths: list[dict[str, Any]] = []
    for number, difficulty in enumerate(difficulties):
        random = Random(f"{seed}:{number}")
        moments = pictured_game(start, random).moments
        # Long railways are the harder ones to read.
        (moment,) = random.choices(moments, [len(moment.scene.cards) ** 2 for moment in moments])
        taker = PictureTaker(pictures, draw_conditions(difficulty, random, size), folder)
        truth = taker.take(moment.scene, f"{number:04}.jpg", random.randrange(1 << 30))
        about = folder_truth(pictures.deck, taker.conditions, ())
        own = {key: about[key] for key in ("condition", "tabletop", "camera")}
        truths.append({"why": moment.why, "turn": moment.turn, **truth, **own})
        yield number + 1, len(difficulties)
    _write_truth(folder, {"deck": pictures.deck.name, "frames": truths})


def _with_and_without_hand(moment: Moment, random: Random) -> list[Scene]:
    if random.random() < 0.4:
        return [with_hand(moment, random), moment.scene]
    return [moment.scene]


def _write_truth(folder: Path, truth: dict[str, Any]) -> None:
    (folder / "truth.json").write_text(json.dumps(truth, separators=(",", ":")), "utf-8")
