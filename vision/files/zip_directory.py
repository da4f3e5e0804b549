"""ZIPs from outside, looked at before Python's reader makes an object of each entry."""

from __future__ import annotations

import io
import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterable
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from vision.files.outside import FileError, TooLarge

LARGEST_DIRECTORY_BYTES: Final = 1_000_000
"""Of the list of an archive's files: a thousand of them with names of a thousand bytes."""
MOST_TIMES_SMALLER: Final = 100
"""That a file is packed. Pictures are packed before; text comes to ten times, and deflated zeros to a thousand."""
SMALL_BYTES: Final = 1_000_000
"""So much may be unpacked out of any file: what is short may be packed as small as can be."""

_END: Final = b"PK\x05\x06"
"""What the record at an archive's end begins with."""
_END_BYTES: Final = 22
_LARGE_END: Final = b"PK\x06\x07"
"""What stands before that record where an archive is made for more than 4 GB, or says so."""
_LARGE_END_BYTES: Final = 20
_LONGEST_NOTE_BYTES: Final = 65_536
"""Behind that record; as far back Python's reader looks for it."""
_ENTRY: Final = b"PK\x01\x02"
"""What each entry of an archive's directory begins with."""
_HEADER_BYTES: Final = 30
"""Before the name and the bytes of a file in an archive."""
_ENCRYPTED: Final = 1
_SHOWN: Final = 100
"""Letters of a name from an archive, which may have 65,535."""
_DAMAGE: Final = (BadZipFile, RuntimeError, ValueError, OSError, EOFError, ArithmeticError, struct.error, zlib.error)
"""What zipfile raises where an archive contradicts itself."""
_NO_ZIP: Final = "no ZIP, or a broken one"


class ZipDirectory:
    """The files of an archive, by their names; nothing is unpacked before it is asked for."""

    def __init__(self, file: IO[bytes], most_entries: int) -> None:
        """Raises FileError for what is no archive, and for one whose names may mean several files, or others."""
        _check_directory(file, most_entries)
        try:
            self._archive = ZipFile(file)
        except _DAMAGE as error:
            raise FileError(_NO_ZIP) from error
        entries = self._archive.infolist()
        self.entries = _by_name(entries)
        self._starts = sorted({*(entry.header_offset for entry in entries), self._archive.start_dir})

    def open(self, name: str, most_bytes: int) -> IO[bytes]:
        """What reads the bytes of a file that is in the archive and has not more than these.

        Raises FileError, and TooLarge for more; what is read may raise one of ``DAMAGE``.
        """
        entry = self.entries[name]
        if entry.flag_bits & _ENCRYPTED:
            raise FileError("it is encrypted in the archive")
        # With other ways of compression the archive says how much memory they take: with LZMA up to 4 GB.
        if entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise FileError("it is compressed in an unusual way")
        # The reader gives no more than it says that there is.
        if entry.file_size > most_bytes:
            raise TooLarge(f"more than {most_bytes:,} bytes")
        if entry.file_size > max(SMALL_BYTES, MOST_TIMES_SMALLER * entry.compress_size):
            raise FileError(f"it unpacks to more than {MOST_TIMES_SMALLER} times its size")
        if self._reaches_into_next(entry):
            raise FileError("it is damaged in the archive: it overlaps another file")
        try:
            return self._archive.open(entry)
        except _DAMAGE as error:
            raise FileError("it is damaged in the archive") from error

    def _reaches_into_next(self, entry: ZipInfo) -> bool:
        """Whether its bytes are also those of another file: so a small archive unpacks to a huge one."""
        following = bisect_right(self._starts, entry.header_offset)
        end = entry.header_offset + _HEADER_BYTES + entry.compress_size
        return following < len(self._starts) and end > self._starts[following]


def read_entry(file: IO[bytes], most_bytes: int) -> bytes:
    """So many bytes of what was opened, and not more; raises FileError where they are damaged."""
    try:
        return file.read(most_bytes)
    except _DAMAGE as error:
        raise FileError("it is damaged in the archive") from error


def _check_directory(file: IO[bytes], most_entries: int) -> None:
    """Raises FileError where the list of files is not one that a small computer has memory for.

    A list of 100 MB may name two million files. Python's reader reads all of it, whatever number it says there are.
    """
    size = file.seek(0, io.SEEK_END)
    start = max(0, size - _LONGEST_NOTE_BYTES - _END_BYTES - _LARGE_END_BYTES)
    file.seek(start)
    tail = file.read(size - start)
    # As Python's reader does it: else the list that is looked at may be another one than the list that is read.
    at = len(tail) - _END_BYTES
    if at < 0 or not (tail.startswith(_END, at) and tail.endswith(b"\0\0")):
        at = tail.rfind(_END, max(0, len(tail) - _LONGEST_NOTE_BYTES - _END_BYTES))
    if at < 0 or at + _END_BYTES > len(tail):
        raise FileError(_NO_ZIP)
    if tail.startswith(_LARGE_END, max(0, at - _LARGE_END_BYTES)):
        raise FileError("a ZIP made for more than 4 GB")
    directory_bytes = int.from_bytes(tail[at + 12 : at + 16], "little")
    end = start + at
    if directory_bytes > end:
        raise FileError(_NO_ZIP)
    if directory_bytes > LARGEST_DIRECTORY_BYTES:
        raise FileError(f"an archive of more than {most_entries:,} files, or with names too long")
    file.seek(end - directory_bytes)
    if file.read(directory_bytes).count(_ENTRY) > most_entries:
        raise FileError(f"an archive of more than {most_entries:,} files")


def _by_name(entries: Iterable[ZipInfo]) -> dict[str, ZipInfo]:
    """Raises FileError for names that may mean several files, or others than those in the archive."""
    named: dict[str, ZipInfo] = {}
    for entry in entries:
        name = entry.orig_filename  # the other one is cut off at a zero
        parts = name.removesuffix("/").split("/")
        if not {"", ".", ".."}.isdisjoint(parts) or "\\" in name or "\0" in name:
            raise FileError(f"an archive with a file named {name[:_SHOWN]!r}")
        if name in named:
            raise FileError(f"an archive with two files named {name[:_SHOWN]!r}")
        named[name] = entry
    return named
