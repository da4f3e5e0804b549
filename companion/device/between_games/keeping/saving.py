"""A companion into one file, also while a game is played."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import msgspec

from companion.device.between_games.keeping.parts import DEVICES, MOST_FILES, SETTINGS, KeepingError, names_in, part_of
from companion.games.settings import decode_settings
from companion.record.file import LARGEST_BYTES
from companion.record.whole_file import open_file
from companion.texts.language import LANGUAGES, preferred_language

TITLE: Final = "companion-backup.json"
"""The name of the first file, which tells what the others are."""
FORMAT: Final = "companion backup"
VERSION: Final = 1
_AT_ONCE: Final = 1 << 18
_PACKED: Final = (".json", ".jsonl", ".toml", ".notes")
"""Pictures and decks are packed already."""


class Title(msgspec.Struct, frozen=True):
    """What the first file tells: the day on which the companion was saved, and the language that it spoke."""

    format: str
    version: int
    saved: str = ""
    language: str = ""


class _Pieces:
    """A file that is only written to; what was written is taken out again."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def taken(self) -> bytes:
        data = b"".join(self._written)
        self._written.clear()
        return data


def saved(folder: Path, devices: Path | None = None) -> Iterator[bytes]:
    """The file with all of a companion, piece by piece: its folder, and the settings of its devices.

    Nothing of it is kept in memory or on the disk. Raises KeepingError, and OSError.
    """
    files = {name: path for name, path in _files(folder, devices).items() if _is_right(name, path)}
    if not files:
        raise KeepingError("nothing")
    if len(files) > MOST_FILES:
        raise KeepingError("large")
    pieces = _Pieces()
    with ExitStack() as stack:
        # All that changes while a game is played is opened at the same moment: it is what a power cut now would leave.
        changing = {name: _opened(path, stack) for name, path in files.items() if _changes(name)}
        others = {name: (path, _identity(path)) for name, path in files.items() if name not in changing}
        with ZipFile(pieces, "w") as archive:  # type: ignore[call-overload]  # it needs no more than these methods
            archive.writestr(_entry(TITLE), msgspec.json.encode(_title(changing.get(SETTINGS))))
            for name, file in changing.items():
                if file is not None:
                    yield from _packed(archive, pieces, name, file)
            for name, (path, identity) in others.items():
                with ExitStack() as closing:
                    file = _opened(path, closing)
                    # One that was written anew in between belongs to another list.
                    if file is not None and identity == _identity(path):
                        yield from _packed(archive, pieces, name, file)
        yield pieces.taken()


def left_out(folder: Path, devices: Path | None = None) -> list[str]:
    """The names of the files that ``saved`` leaves out, as they are damaged: people have to know."""
    return [name for name, path in _files(folder, devices).items() if path.exists() and not _is_right(name, path)]


def _files(folder: Path, devices: Path | None) -> dict[str, Path]:
    files = {name: folder / name for name in names_in(folder)}
    return files if devices is None else files | {DEVICES: devices}


def _is_right(name: str, path: Path) -> bool:
    """Whether it can be loaded again: one damaged file must not keep people from all others."""
    part = part_of(name)
    try:
        if part is None or path.stat().st_size > part.largest_bytes:
            return False
        part.check_quickly(path, name)
    except (OSError, KeepingError):
        return False
    return True


def _changes(name: str) -> bool:
    return "/" not in name or name.endswith(".json")


def _opened(path: Path, stack: ExitStack) -> IO[bytes] | None:
    """None for what has gone meanwhile; raises OSError."""
    try:
        return stack.enter_context(os.fdopen(open_file(path, os.O_RDONLY), "rb"))
    except FileNotFoundError:
        return None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _packed(archive: ZipFile, pieces: _Pieces, name: str, file: IO[bytes]) -> Iterator[bytes]:
    # A record grows while it is read: as long as it is now, even if that is in the middle of a line.
    left = os.fstat(file.fileno()).st_size
    file.seek(0)
    with archive.open(_entry(name), "w") as packed:
        while left and (piece := file.read(min(left, _AT_ONCE))):
            left -= len(piece)
            packed.write(piece)
            yield pieces.taken()


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name)
    entry.compress_type = ZIP_DEFLATED if name.endswith(_PACKED) else ZIP_STORED
    return entry


def _title(settings: IO[bytes] | None) -> Title:
    language = ""
    if settings is not None:
        with contextlib.suppress(msgspec.DecodeError, OSError):
            language = decode_settings(settings.read(LARGEST_BYTES)).language
    today = dt.datetime.now(tz=dt.UTC).astimezone().date()
    return Title(FORMAT, VERSION, today.isoformat(), language if language in LANGUAGES else preferred_language())
