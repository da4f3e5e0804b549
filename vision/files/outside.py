"""Files that people bring: only regular ones, only so large, and none is waited for."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class FileError(ValueError):
    """A file cannot be read; the message says why in a few words, without the file's name."""


class TooLarge(FileError):
    """A file has more bytes than whoever reads it can use."""


def read_outside(path: Path, largest_bytes: int) -> bytes:
    """All bytes of a regular file; raises FileError for everything else, and for more bytes than these.

    A pipe nobody writes to would be waited for, and a device may never end: neither is read.
    """
    try:
        # Without O_NONBLOCK already the opening of a pipe waits for somebody who writes.
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise FileError(_reason(error)) from error
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise FileError("a folder, a pipe or a device, and no file with data")
        # At once: pieces that are put together take the memory of a large file twice.
        data = os.read(file, min(found.st_size, largest_bytes) + 1)
        while len(data) <= largest_bytes and (more := os.read(file, largest_bytes + 1 - len(data))):
            data += more
    except OSError as error:
        raise FileError(_reason(error)) from error
    finally:
        os.close(file)
    if len(data) > largest_bytes:
        raise TooLarge(f"more than {largest_bytes:,} bytes")
    return data


def within(folder: Path, name: str) -> Path:
    """The file of this name in a folder; raises FileError where it, or what it links to, lies elsewhere."""
    try:
        inside, path = folder.resolve(), (folder / name).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links that go round in a circle
        raise FileError(_reason(error)) from error
    if not path.is_relative_to(inside):
        raise FileError("it lies outside the deck's folder, and only what is in there is read")
    return path


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
