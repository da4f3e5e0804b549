"""What a backup consists of: which files it may have, how large they may be, and when they are right."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from companion.games.settings import decode_settings
from companion.record.file import LARGEST_BYTES, RecordError, read_record
from companion.record.whole_file import open_file, read_whole
from companion.texts.language import Texts
from hardware.settings import SettingsError, load_settings
from vision.cards import DeckError
from vision.files import LARGEST_ARCHIVE_BYTES, MOST_ENTRIES, ZipDirectory, read_entry

MOST_FILES: Final = 5_000
"""Some thousand games, and a lesson."""
LARGEST_PHOTOGRAPH_BYTES: Final = 25_000_000
DEVICES: Final = "devices.toml"
SETTINGS: Final = "settings.json"
_AT_ONCE: Final = 1 << 20

_FAULTS: Final = (
    msgspec.MsgspecError, RecordError, DeckError, SettingsError, OSError, ValueError, RecursionError,
)  # fmt: skip
"""What a check of a part raises."""

Refusal = Literal[
    "unknown", "newer", "damaged", "foreign", "part", "large", "room", "busy", "nothing", "before", "kept"
]


class KeepingError(Exception):
    """Nothing is saved or loaded, and nothing has changed. ``saved.refused-REASON`` says why, ``part`` which file."""

    def __init__(self, reason: Refusal, part: str = "") -> None:
        super().__init__(f"{reason} {part}".rstrip())
        self.reason: Refusal = reason
        self.part = part

    def told(self, language: str) -> str:
        """A sentence for people; which part it is about, stands in ``part``."""
        return Texts(language)(f"saved.refused-{self.reason}")


class Part(NamedTuple):
    """Files of one kind. ``reads`` raises an error of its own where one is not right."""

    name: re.Pattern[str]
    largest_bytes: int
    reads: Callable[[Path], object]

    def check(self, path: Path, name: str) -> None:
        """Raises KeepingError for a file that could not be used, with its name."""
        self._check(path, name, self.reads)

    def check_quickly(self, path: Path, name: str) -> None:
        """The same in a moment: of a deck, whose pictures take long, checksums tell whether it is as it was written."""
        self._check(path, name, _read_checksums if self.reads is _read_deck else self.reads)

    @staticmethod
    def _check(path: Path, name: str, reads: Callable[[Path], object]) -> None:
        try:
            reads(path)
        except _FAULTS as error:
            raise KeepingError("part", name) from error


def _read_settings(path: Path) -> None:
    decode_settings(read_whole(path))


def _read_json(path: Path) -> None:
    """Who reads it knows what it means, and does without where it means nothing; it cannot be more than so large."""
    msgspec.json.decode(read_whole(path), type=msgspec.Raw)


def _read_deck(path: Path) -> None:
    from vision.deck_pictures import read_deck_pictures

    read_deck_pictures(path)


def _read_checksums(path: Path) -> None:
    with os.fdopen(open_file(path, os.O_RDONLY), "rb") as file:
        archive = ZipDirectory(file, MOST_ENTRIES)
        for name in archive.entries:
            with archive.open(name, LARGEST_ARCHIVE_BYTES) as entry:
                # To its end: only then its checksum is compared.
                while read_entry(entry, _AT_ONCE):
                    pass


def _read_photograph(path: Path) -> None:
    """Who goes on with a lesson leaves out what is no picture."""
    with os.fdopen(open_file(path, os.O_RDONLY), "rb") as file:
        if file.read(2) != b"\xff\xd8":
            raise ValueError("no photograph")


PARTS: Final = (
    Part(re.compile(r"settings\.json"), LARGEST_BYTES, _read_settings),
    # In this order: a game that becomes an older one meanwhile may come twice, but is not missed.
    Part(re.compile(r"game\.jsonl"), LARGEST_BYTES, read_record),
    Part(re.compile(r"game\.before\.jsonl"), LARGEST_BYTES, read_record),
    Part(re.compile(r"game(\.before)?\.notes|game\.draft\.json|table\.json"), LARGEST_BYTES, _read_json),
    Part(re.compile(r"[a-z][a-z0-9-]{0,40}\.jsonl"), LARGEST_BYTES, read_record),
    Part(re.compile(r"deck\.zip"), LARGEST_ARCHIVE_BYTES, _read_deck),
    Part(re.compile(r"devices\.toml"), LARGEST_BYTES, load_settings),
    Part(re.compile(r"lesson/(cards|emma)\.json"), LARGEST_BYTES, _read_json),
    Part(re.compile(r"lesson/[0-9]{3,5}\.jpg"), LARGEST_PHOTOGRAPH_BYTES, _read_photograph),
    # Summaries beside them are made again.
    Part(re.compile(r"games/[0-9]{4,9}(-[0-9]{4}-[0-9]{2}-[0-9]{2})?\.jsonl"), LARGEST_BYTES, read_record),
)
"""All of them. What else lies in the folder stays on its card: tokens of phones, what was damaged or is unfinished."""
_FOLDERS: Final = ("lesson", "games")


def part_of(name: str) -> Part | None:
    """What a file is, by its name below the folder; None for what belongs to no backup."""
    return next((part for part in PARTS if part.name.fullmatch(name)), None)


def names_in(folder: Path) -> Iterator[str]:
    """The files of a companion that are there: first those that change while a game is played."""
    for below in (folder, *(folder / name for name in _FOLDERS)):
        there = sorted(path.relative_to(folder).as_posix() for path in _listed(below))
        yield from sorted((name for name in there if part_of(name) is not None), key=_place)


def entries_in(folder: Path) -> list[str]:
    """What in a folder belongs to a companion, itself: files, and the folders of files."""
    return [path.name for path in _listed(folder) if path.name in _FOLDERS or part_of(path.name) is not None]


def devices_file(given: Path | None, folder: Path) -> Path | None:
    """The settings of the devices that count: this card's own, or the loaded ones if they say nothing."""
    loaded = folder / DEVICES
    if not loaded.exists():
        return given
    try:
        return loaded if given is None or load_settings(given) == load_settings() else given
    except SettingsError:
        return given


def _place(name: str) -> int:
    return next(place for place, part in enumerate(PARTS) if part.name.fullmatch(name))


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
