"""The games that were played: a folder of records, each moved there whole, none ever overwritten.

Files are numbered in the order in which they came, as ``0042-2026-11-28.jsonl``; the date is that of the record and is
left out where nobody knew it. A number orders games also on a computer whose clock is wrong.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from companion.record.file import (
    LARGEST_BYTES,
    LONGEST_LINE_BYTES,
    RecordError,
    Recording,
    cannot_write,
    decode_record,
    read_record,
)
from companion.record.occasion import occasion_of
from companion.record.whole_file import open_file, put_aside, read_whole, sync_folder, write_whole

FOLDER: Final = "games"
"""Its name in the folder of all that the companion keeps."""
MOST_TOGETHER_BYTES: Final = 64_000_000
"""Of records that are given away at once: some thousand games."""
_NAME: Final = re.compile(r"([0-9]{4,9})(?:-[0-9]{4}-[0-9]{2}-[0-9]{2})?\.jsonl")


class AlreadyKept(RecordError):
    """A game is in the archive already, as far as it was played: ``kept`` is its name there."""

    def __init__(self, path: Path, kept: str) -> None:
        super().__init__(path, f"this game is kept already, as {kept}.")
        self.kept = kept


class Archive:
    """The folder of games. Several threads and programs may use it at once."""

    def __init__(self, folder: Path) -> None:
        """It is made with the first game."""
        self.folder = folder

    def names(self) -> list[str]:
        """The games by their files' names, the one that came last first; none where there is no such folder."""
        try:
            found = [entry.name for entry in os.scandir(self.folder) if _NAME.fullmatch(entry.name)]
        except OSError:
            return []
        return sorted(found, key=number_of, reverse=True)

    def path(self, name: str) -> Path:
        """Where a game lies; raises RecordError for what can be the name of none."""
        path = self.folder / name
        if not _NAME.fullmatch(name):
            raise RecordError(path, "there is no such game.")
        return path

    def take_in(self, record: Path) -> str | None:
        """Moves a record here that nobody writes to any more, and returns its name; raises RecordError and OSError.

        It is where it was, or here: there is no moment in which it is neither. A game without a step is no game; its
        record is removed. One that is damaged is put aside where it was.
        """
        try:
            recording = read_record(record)
        except RecordError as error:
            if error.is_of_content:
                put_aside(record)
                return None
            raise
        if not recording.lines:
            record.unlink()
            sync_folder(record.parent)
            return None
        with self._locked(record):
            name = self._free_name(recording)
            record.replace(self.folder / name)
            # First where it has come to: a disk that writes the one and not the other must not lose it.
            sync_folder(self.folder)
            sync_folder(record.parent)
        return name

    def add(self, data: bytes, *, record: Path | None = None) -> str:
        """Keeps a copy of a record from outside, and returns its name; raises RecordError, AlreadyKept among them.

        It is also kept already if it is in ``record``, that of the game that is played. What a power cut has torn at
        its end is left away. Whether the game is right is for its rules to say.
        """
        outside = Path("record")
        if len(data) > LARGEST_BYTES:
            raise RecordError(outside, f"larger than {LARGEST_BYTES:,} bytes; this is not the record of a game.")
        recording = decode_record(outside, data)
        # Line by line as we write it: a record that went through other hands is still the same one.
        lines = data[: len(data) - recording.torn_bytes].splitlines()
        whole = b"".join(line + b"\n" for line in lines)
        with self._locked(outside):
            for kept in (*map(self.path, self.names()), *([record] if record is not None else [])):
                if _holds(kept, whole):
                    raise AlreadyKept(outside, kept.name)
            path = self.folder / self._free_name(recording)
            try:
                write_whole(path, whole)
            except OSError as error:
                raise cannot_write(path, error) from error
        return path.name

    def exported(self, name: str) -> bytes:
        """A record as it is; raises RecordError."""
        path = self.path(name)
        try:
            return read_whole(path)
        except OSError as error:
            raise RecordError(path, f"cannot be read: {error.strerror}.") from error

    def export_all(self, file: BinaryIO) -> list[str]:
        """Writes the records as a ZIP, the last ones first, and returns those that found no room; raises OSError.

        Of these there are some where all together have more than MOST_TOGETHER_BYTES. What cannot be read is left out.
        """
        left, without = MOST_TOGETHER_BYTES, []
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in self.names():
                with contextlib.suppress(RecordError):
                    data = self.exported(name)
                    left -= len(data)
                    if left < 0:
                        without.append(name)
                    else:
                        # Not when the file was changed: a ZIP knows no year before 1980, and clocks may be wrong.
                        archive.writestr(zipfile.ZipInfo(f"{FOLDER}/{name}"), data, zipfile.ZIP_DEFLATED)
        return without

    def _free_name(self, recording: Recording) -> str:
        day = occasion_of(recording.header).date[:10]
        number = 1 + max(map(number_of, self.names()), default=0)
        name = f"{number:04}-{day}.jsonl" if _NAME.fullmatch(f"0000-{day}.jsonl") else f"{number:04}.jsonl"
        # What a hand has put there under an odd name is not overwritten either.
        if os.path.lexists(self.folder / name) or not _NAME.fullmatch(name):
            raise RecordError(self.folder / name, "is there already and is not overwritten; rename it.")
        return name

    @contextmanager
    def _locked(self, record: Path) -> Iterator[None]:
        """Alone in the folder, so that no two games get one name; raises RecordError."""
        try:
            descriptor = self._opened()
        except OSError as error:
            raise cannot_write(record, error) from error
        try:
            # However a program ends, the kernel lets go for it.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            for unfinished in self.folder.glob(".*.unfinished"):
                unfinished.unlink(missing_ok=True)
            yield
        finally:
            os.close(descriptor)

    def _opened(self) -> int:
        if os.path.lexists(self.folder) and not self.folder.is_dir():
            put_aside(self.folder)
        try:
            self.folder.mkdir(parents=True)
        except FileExistsError:
            pass
        else:
            sync_folder(self.folder.parent)
        return os.open(self.folder, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)


def number_of(name: str) -> int:
    """The how-manieth game a name is of."""
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else 0


def _holds(kept: Path, record: bytes) -> bool:
    """Whether a file holds the game of a record, as far as that goes. Its first line tells it from all others."""
    first = record[: record.index(b"\n") + 1]
    try:
        with os.fdopen(open_file(kept, os.O_RDONLY), "rb") as file:
            if file.readline(LONGEST_LINE_BYTES).rstrip(b"\r\n") != first.rstrip(b"\r\n"):
                return False
            # The line break of the last line may not have reached the disk.
            return (first + file.read(LARGEST_BYTES) + b"\n").startswith(record)
    except OSError:
        return False
