"""The file of a game: JSON Lines, appended so that a power cut loses at most the line being written.

The form is described in docs/record.md. This module knows lines, not games: a line is an object that closes with a
checksum over itself and all lines before it, so that a changed, lost, moved or damaged line is noticed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from io import BufferedReader, BytesIO, FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Literal, NamedTuple, Self

import msgspec

from companion.record.occasion import Clock, Stopwatch
from companion.record.whole_file import open_file, sync_folder, write_and_go_on, write_whole

FORMAT: Final = "companion record"
VERSION: Final = 1
LONGEST_LINE_BYTES: Final = 1_000_000
LARGEST_BYTES: Final = 4_000_000
"""Of a record that is read: three times as much as a game of 10,000 lines, and what a Raspberry Pi has memory for."""

_IS_THERE: Final = "is there already and is not overwritten; choose another name."

_FLAGS: Final = {"rb": os.O_RDONLY, "r+b": os.O_RDWR, "x+b": os.O_RDWR | os.O_CREAT | os.O_EXCL}
_NO_FILE: Final = {errno.EINVAL, errno.EISDIR, errno.ENXIO, errno.ELOOP}
"""What opening a pipe, a folder, a socket or a link to itself comes to."""

_CHECK_START: Final = b',"check":"'
_CHECK_LENGTH: Final = len(_CHECK_START) + 8 + len(b'"}')


class RecordError(Exception):
    """A record cannot be read or written: which file, which line (from 1), and why."""

    def __init__(self, path: Path, reason: str, line: int | None = None) -> None:
        super().__init__(f"{path}{'' if line is None else f', line {line}'}: {reason}")
        self.path = path
        self.line = line
        self.reason = reason

    @property
    def is_of_content(self) -> bool:
        """Whether what is in the file is wrong, or it is none; not that a disk or a right keeps it from being read."""
        return not isinstance(self.__cause__, OSError) or self.__cause__.errno in _NO_FILE

    def __reduce__(self) -> tuple[type[Self], tuple[Path, str, int | None]]:
        # Out of a process of a simulation it comes pickled, and a message alone does not make one.
        return type(self), (self.path, self.reason, self.line)


class Recording(NamedTuple):
    """What a record holds. ``torn_bytes`` counts what is left of a last line that a power cut has torn."""

    header: dict[str, Any]
    lines: list[dict[str, Any]]
    torn_bytes: int


def read_record(path: Path) -> Recording:
    """Reads a record without changing it; raises RecordError. The header is line 1, the first of ``lines`` line 2."""
    with BufferedReader(_opened(path, "rb")) as file:
        return _read(path, file).recording


def decode_record(path: Path, data: bytes) -> Recording:
    """What a record of these bytes holds; raises RecordError, which names it as ``path``."""
    return _read(path, BytesIO(data)).recording


def write_record(path: Path, header: dict[str, Any], lines: Iterable[dict[str, Any]]) -> None:
    """Writes a whole record at once: the file appears complete or not at all, and replaces none; raises RecordError."""
    if path.exists():
        raise RecordError(path, _IS_THERE)
    checksum = 0
    text = bytearray()
    for line in (_titled(header), *lines):
        encoded, checksum = _encode(line, checksum)
        text += encoded
    try:
        write_whole(path, bytes(text))
    except OSError as error:
        raise cannot_write(path, error) from error


class RecordWriter:
    """Appends lines to a record; each is safely on the disk when ``append`` returns.

    One writer at a time: a second one gets a RecordError.
    """

    def __init__(self, path: Path, file: FileIO, checksum: int = 0, stopwatch: Stopwatch | None = None) -> None:
        """Use ``create`` or ``resume``."""
        self.path = path
        self._stopwatch = stopwatch
        self._file = file
        self._checksum = checksum
        self._refused_at: int | None = None
        """Where a line begins that was refused and could not be cut off; its disk takes no change at the moment."""

    @classmethod
    def create(cls, path: Path, header: dict[str, Any], clock: Clock | None = None) -> RecordWriter:
        """Begins a new record; raises RecordError, also if the file is there already.

        With a clock the first line says when that was, if the date is known, and each line how long has been played.
        """
        writer = cls(path, _opened(path, "x+b"))
        try:
            _lock(path, writer._file)
            date = clock.date() if clock is not None else ""
            writer.append(_titled({**header, "date": date} if date else header))
            writer._stopwatch = None if clock is None else Stopwatch(clock.seconds)
            _sync_folder(path)
        except RecordError:
            writer.close()
            # A record without a first line could neither be read nor be begun again.
            path.unlink()
            raise
        return writer

    @classmethod
    def resume(cls, path: Path, clock: Clock | None = None) -> tuple[RecordWriter, Recording]:
        """Goes on with a record, and what it holds. A torn last line is cut off; raises RecordError.

        On a disk that can only be read the game can be looked at: each ``append`` says what is wrong.
        """
        try:
            file = _opened(path, "r+b")
        except RecordError as error:
            if not isinstance(error.__cause__, OSError) or error.__cause__.errno != errno.EROFS:
                raise
            file = _opened(path, "rb")
        try:
            _lock(path, file)
            reader = BufferedReader(file)
            recording, checksum, good_bytes, is_ended = _read(path, reader)
            # Closing the reader would close the file, and with it give the lock away.
            reader.detach()
            stopwatch = None if clock is None else Stopwatch(clock.seconds, recording.lines)
            writer = cls(path, file, checksum, stopwatch)
            if file.writable():
                # Before the next line is written: behind a torn one it could not be read any more.
                writer._cut_to(good_bytes)
                # The line is whole and counts, only its end has not reached the disk.
                if not is_ended:
                    writer._write(b"\n")
        except RecordError:
            file.close()
            raise
        return writer, recording

    def append(self, line: dict[str, Any]) -> None:
        """Writes a line and waits until it is on the disk; raises RecordError, and then the record is as before."""
        encoded, checksum = self._ready([line])
        before = self._file.tell()
        try:
            self._write(encoded)
        except RecordError:
            try:
                self._cut_to(before)
            except OSError:
                self._refused_at = before
            raise
        self._checksum = checksum

    def append_together(self, lines: Sequence[dict[str, Any]]) -> None:
        """Writes lines of which all count or none, whatever happens meanwhile; raises RecordError as ``append``."""
        encoded, checksum = self._ready(lines)
        try:
            before = os.pread(self._file.fileno(), self._file.tell(), 0)
            file = write_and_go_on(self.path, before + encoded, lambda file: _lock(self.path, file))
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self._file.close()
        self._file, self._checksum = file, checksum
        # It has its name, and goes on; where that is not on the disk yet a power cut leaves the old file.
        with contextlib.suppress(OSError):
            sync_folder(self.path.parent)

    def _ready(self, lines: Sequence[dict[str, Any]]) -> tuple[bytes, int]:
        """Lines as they are to be written behind all others, and the checksum after them; raises RecordError."""
        encoded, checksum = b"", self._checksum
        for line in lines:
            timed = line if self._stopwatch is None else {**line, "at": self._stopwatch.at()}
            text, checksum = _encode(timed, checksum)
            encoded += text
        if not self._file.writable():
            read_only = OSError(errno.EROFS, os.strerror(errno.EROFS))
            raise cannot_write(self.path, read_only) from read_only
        self._cut_off_refused()
        return encoded, checksum

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, text: bytes) -> None:
        # Unbuffered: what a full disk has refused must not be written later, when there is room again.
        rest = memoryview(text)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def _cut_off_refused(self) -> None:
        """Nothing is written behind a line that was refused: it would make the whole record a damaged one."""
        if self._refused_at is None:
            return
        try:
            self._cut_to(self._refused_at)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self._refused_at = None

    def _cut_to(self, size_bytes: int) -> None:
        self._file.truncate(size_bytes)
        self._file.seek(size_bytes)


class _Read(NamedTuple):
    recording: Recording
    checksum: int
    good_bytes: int
    is_ended: bool


def _read(path: Path, file: BinaryIO) -> _Read:
    objects: list[dict[str, Any]] = []
    checksum = good_bytes = torn_bytes = 0
    is_ended = True
    for number, line in enumerate(_lines(path, file), start=1):
        try:
            decoded, checksum = _decode(line, checksum)
        except _BadLineError as error:
            if number == 1:
                raise _foreign(path, line) from error
            # Only at the end of the file: with lines behind it it was damaged later, and must not be cut off.
            if _is_torn(line, error) and not file.read(1):
                torn_bytes = len(line)
                break
            raise RecordError(path, error.reason, number) from error
        if number == 1:
            _check_header(path, decoded)
        objects.append(decoded)
        good_bytes += len(line)
        is_ended = line.endswith(b"\n")
    if not objects:
        raise RecordError(path, "empty, no game has been recorded in it.")
    header, *lines = objects
    return _Read(Recording(header, lines, torn_bytes), checksum, good_bytes, is_ended)


def _lines(path: Path, file: BinaryIO) -> Iterator[bytes]:
    try:
        left = LARGEST_BYTES
        # Any file may be named by mistake: what is far too long is not read into memory.
        while line := file.readline(LONGEST_LINE_BYTES):
            left -= len(line)
            if left < 0:
                raise RecordError(path, f"larger than {LARGEST_BYTES:,} bytes; this is not the record of a game.")
            yield line
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror}.") from error


class _BadLineError(Exception):
    """A line is none of ours: it cannot be read at all, or its checksum does not fit."""

    def __init__(self, reason: str, *, is_readable: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_readable = is_readable


def _is_torn(line: bytes, error: _BadLineError) -> bool:
    """Whether a line looks as a power cut leaves it: it just stops, or ends in zeros where data should have come."""
    return not error.is_readable and (not line.endswith(b"\n") or b"\0" in line)


def _decode(line: bytes, checksum: int) -> tuple[dict[str, Any], int]:
    """A line's object without its checksum, and the checksum that goes on from it."""
    text = line.rstrip(b"\r\n")
    try:
        decoded = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _BadLineError("damaged, this is not a line of a record.", is_readable=False) from error
    body, check = text[:-_CHECK_LENGTH], text[-_CHECK_LENGTH:]
    following = zlib.crc32(body, checksum)
    if check != _check(following):
        reason = "changed after it was written, or a line before it is missing; its checksum does not fit."
        raise _BadLineError(reason, is_readable=True)
    del decoded["check"]
    return decoded, following


def _encode(line: dict[str, Any], checksum: int) -> tuple[bytes, int]:
    """A line with its checksum, and the checksum that goes on from it."""
    # Without the closing brace: the checksum is part of the object, so that each line is plain JSON.
    body = msgspec.json.encode(line)[:-1]
    following = zlib.crc32(body, checksum)
    return body + _check(following) + b"\n", following


def _check(checksum: int) -> bytes:
    return _CHECK_START + f"{checksum:08x}".encode() + b'"}'


def _titled(header: dict[str, Any]) -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION, **header}


def _foreign(path: Path, line: bytes) -> RecordError:
    """Why a first line is none of ours, or none that this version can read."""
    try:
        header = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return RecordError(path, "this is not the record of a game.", 1)
    try:
        _check_header(path, header)
    except RecordError as error:
        return error
    return RecordError(path, "changed after it was written; its checksum does not fit.", 1)


def _check_header(path: Path, header: dict[str, Any]) -> None:
    if header.get("format") != FORMAT:
        raise RecordError(path, "this is not the record of a game.", 1)
    version = header.get("version")
    if not isinstance(version, int) or version < 1:
        raise RecordError(path, f"{version!r} is no version of a record.", 1)
    if version > VERSION:
        raise RecordError(
            path, f"written by a newer companion (version {version}, this one reads {VERSION}); please update.", 1
        )


def _opened(path: Path, mode: Literal["rb", "r+b", "x+b"]) -> FileIO:
    try:
        return FileIO(open_file(path, _FLAGS[mode]), mode.replace("x", "w"))
    except FileExistsError as error:
        raise RecordError(path, _IS_THERE) from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = error.strerror if isinstance(error, OSError) else error
        raise RecordError(path, f"cannot be opened: {reason}.") from error


def _lock(path: Path, file: FileIO) -> None:
    try:
        # However a program ends, the kernel lets go for it: no lock is left behind by a power cut.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise RecordError(path, "another companion is writing to it; close that one first.") from error


def _sync_folder(path: Path) -> None:
    """Makes sure that a new file's name is on the disk too."""
    try:
        sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> RecordError:
    """What to tell when a file of a game cannot be written."""
    return RecordError(path, f"cannot be written: {error.strerror}. Nothing before is lost; make room, then go on.")
