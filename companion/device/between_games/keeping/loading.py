"""A backup from outside: unpacked beside what is there, and checked. Nothing else is changed."""

from __future__ import annotations

import datetime as dt
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import msgspec
from msgspec.structs import replace

from companion.device.between_games.keeping.changing_over import LOADING, NEW, drop, make_ready
from companion.device.between_games.keeping.parts import MOST_FILES, KeepingError, part_of
from companion.device.between_games.keeping.saving import FORMAT, TITLE, VERSION, Title
from companion.record.whole_file import open_file, sync_folder
from companion.texts.language import LANGUAGES
from vision.files import FileError, TooLarge, ZipDirectory, read_entry

LARGEST_FILE_BYTES: Final = 1_000_000_000
"""Of a backup, and once more of all that is unpacked from it: a lesson has up to 110 photographs."""
_LARGEST_TITLE_BYTES: Final = 1_000
_AT_ONCE: Final = 1 << 20


def title_of(file: Path) -> Title:
    """What a backup tells of itself; raises KeepingError."""
    with _opened(file) as archive:
        return _title(archive)


def load(file: Path, folder: Path) -> Title:
    """Unpacks a backup and checks all of it; ``change_over`` puts it in place with the next start.

    It takes the time that a memory card needs. Raises KeepingError, and then nothing has changed.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder), _opened(file) as archive:
            title = _title(archive)
            drop(folder)
            try:
                _unpack(archive, folder)
                _check(folder / LOADING / NEW)
                make_ready(folder)
            except BaseException:
                drop(folder)
                raise
            return title
    except OSError as error:
        raise KeepingError("kept", error.strerror or "") from error


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Raises KeepingError where another file is being loaded."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise KeepingError("busy") from error
    try:
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _opened(path: Path) -> Iterator[ZipDirectory]:
    try:
        file = os.fdopen(open_file(path, os.O_RDONLY), "rb")
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise KeepingError("unknown") from error
    with file:
        if os.fstat(file.fileno()).st_size > LARGEST_FILE_BYTES:
            raise KeepingError("large")
        try:
            archive = ZipDirectory(file, MOST_FILES + 1)
        except FileError as error:
            raise KeepingError("unknown") from error
        yield archive


def _title(archive: ZipDirectory) -> Title:
    """Raises KeepingError for what is no backup, or one that a newer program has saved."""
    if TITLE not in archive.entries:
        raise KeepingError("unknown")
    try:
        with archive.open(TITLE, _LARGEST_TITLE_BYTES) as file:
            title = msgspec.json.decode(read_entry(file, _LARGEST_TITLE_BYTES), type=Title)
    except (FileError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise KeepingError("unknown") from error
    if title.format != FORMAT or title.version < 1:
        raise KeepingError("unknown")
    if title.version > VERSION:
        raise KeepingError("newer")
    return replace(title, saved=_day(title.saved), language=title.language if title.language in LANGUAGES else "")


def _day(told: str) -> str:
    try:
        return dt.date.fromisoformat(told).isoformat()
    except ValueError:
        return ""


def _unpack(archive: ZipDirectory, folder: Path) -> None:
    """Raises KeepingError for what belongs to no companion, and for more than there is room for."""
    names = [name for name in archive.entries if name != TITLE]
    parts = {name: part for name in names if (part := part_of(name)) is not None}
    foreign = next((name for name in names if name not in parts), None)
    if foreign is not None:
        raise KeepingError("foreign", foreign)
    if not names:
        raise KeepingError("unknown")
    total = sum(archive.entries[name].file_size for name in names)
    if total > LARGEST_FILE_BYTES:
        raise KeepingError("large")
    if total > shutil.disk_usage(folder).free:
        raise KeepingError("room")
    new = folder / LOADING / NEW
    new.mkdir(parents=True)
    for name, part in parts.items():
        (new / name).parent.mkdir(exist_ok=True)
        try:
            with archive.open(name, part.largest_bytes) as packed, (new / name).open("xb") as file:
                _copy(packed, file)
        except TooLarge as error:
            raise KeepingError("part", name) from error
        except FileError as error:
            raise KeepingError("damaged", name) from error
    for below in {(new / name).parent for name in parts} | {new, new.parent, folder}:
        sync_folder(below)


def _copy(packed: IO[bytes], file: IO[bytes]) -> None:
    # No more than the entry says that there is: so many its reader gives, and then compares the checksum.
    while piece := read_entry(packed, _AT_ONCE):
        file.write(piece)
    file.flush()
    os.fsync(file.fileno())


def _check(new: Path) -> None:
    """Raises KeepingError for a part that could not be used."""
    for path in sorted(new.rglob("*")):
        name = path.relative_to(new).as_posix()
        if (part := part_of(name)) is not None:
            part.check(path, name)
