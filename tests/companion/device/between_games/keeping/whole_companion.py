"""A companion that has become something: games, results, a deck, a lesson, what people have set."""

from __future__ import annotations

import os
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import numpy as np

from companion.device.settings_file import SettingsFile
from companion.games.loknroll.gallery.rehearsal import dealt
from companion.games.loknroll.record.recorded_game import start_recorded
from companion.games.loknroll.record.solo_scores import SoloScore, solo_scores_in
from companion.games.loknroll.rules import Mode, load_edition, set_up
from companion.games.settings import Settings
from companion.record.whole_file import write_whole
from vision.cards import Deck, Face, Kind, standard_deck
from vision.files import deck_archive
from vision.picture_files import png_of

DEVICES: Final = b"[display]\nrotation = 180\n"
STAYS: Final = (
    "games/summaries.jsonl",
    "phones.json",
    "settings.json.damaged-1",
    ".lock",
    "lesson/.cards.json.unfinished",
    "lesson/notes.txt",
)
"""What is on its card alone."""


def record_game(path: Path, steps: int) -> None:
    edition = load_edition()
    setup = set_up(edition, standard_deck(edition.deck), Mode.TWO, ("Ann", "Ben"))
    game, journal = start_recorded(path, setup)
    for step in dealt(Mode.TWO, 1).steps[:steps]:
        game.do(step)
    journal.close()


def made(folder: Path) -> Path:
    """One in a folder."""
    for name, data in _files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, data)
    return folder


@cache
def _files() -> dict[str, bytes]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as name:
        folder = Path(name)
        record_game(folder / "game.jsonl", 30)
        record_game(folder / "game.before.jsonl", 20)
        (folder / "games").mkdir()
        record_game(folder / "games/0001-2026-11-28.jsonl", 10)
        SettingsFile(folder / "settings.json").keep(Settings(language="de", names=("Ann", "Ben")))
        solo_scores_in(folder).add(SoloScore("Ann", "German", "solo", points=12, cards=7, is_lost=False, game="1"))
        write_whole(folder / "game.notes", b'{"hand":["track-1-left"]}')
        write_whole(folder / "game.draft.json", b'{"game":"locomotion","kind":"die","told":{},"id":"1"}')
        write_whole(folder / "table.json", b'{"game":"1","things":{}}')
        picture = np.zeros((88, 63, 3), np.uint8)
        write_whole(
            folder / "deck.zip", deck_archive(Deck("own", (Face("x", 4, Kind.CHAOS, 2),)), {"x": png_of(picture)})
        )
        (folder / "lesson").mkdir()
        write_whole(folder / "lesson/cards.json", b"[]")
        for number in range(1, 4):
            write_whole(folder / f"lesson/{number:03}.jpg", b"\xff\xd8" + os.urandom(10_000))
        return all_in(folder)


def all_in(folder: Path) -> dict[str, bytes]:
    """Every file, by its name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def packed(files: dict[str, bytes]) -> bytes:
    """A ZIP of files."""
    data = BytesIO()
    with ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()
