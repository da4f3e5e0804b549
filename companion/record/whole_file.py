"""Files written and read as a whole: whatever happens meanwhile, a power cut too, there is the old file or the new."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Final

_LARGEST_BYTES: Final = 4_000_000
"""No file that the companion keeps as a whole comes to a hundredth of it."""
_PUT_ASIDE: Final = 9


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file in place of the one that may be there, and waits until it is on the disk; raises OSError.

    Nothing half-written is left then. The folder must be there; one writer at a time.
    """
    write_and_go_on(path, data).close()
    sync_folder(path.parent)


def write_and_go_on(path: Path, data: bytes, prepare: Callable[[FileIO], None] = lambda _: None) -> FileIO:
    """As ``write_whole``; returns the new file, open behind what was written. ``prepare`` has it before its name.

    That the name is on the disk, too, is left to ``sync_folder``.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    file = FileIO(unfinished, "w+b")
    try:
        prepare(file)
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]
        # Before it gets its name: else the name may reach the disk first, and after a power cut there is no data.
        os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        file.close()
        unfinished.unlink(missing_ok=True)
        raise
    return file


def read_whole(path: Path) -> bytes:
    """What is in a file; raises OSError, also for one that is far too large and for what is no file.

    A damaged disk, or a hand, may put anything under a name: to read a pipe or a device would never end.
    """
    with os.fdopen(open_file(path, os.O_RDONLY), "rb") as file:
        data = file.read(_LARGEST_BYTES + 1)
    if len(data) > _LARGEST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def open_file(path: Path, flags: int) -> int:
    """Opens what is really a file, without waiting for anybody; raises OSError. The descriptor is the caller's."""
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "it is not a file", str(path))


def put_aside(path: Path) -> Path:
    """Gives what is damaged another name, beside its own, and returns that; raises OSError.

    So many are kept as _PUT_ASIDE says: then the last one is replaced.
    """
    names = [path.with_name(f"{path.name}.damaged-{number}") for number in range(1, _PUT_ASIDE + 1)]
    aside = next((name for name in names if not os.path.lexists(name)), names[-1])
    path.replace(aside)
    return aside


def sync_folder(folder: Path) -> None:
    """Waits until the names of the files in a folder are on the disk; raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_read_only(folder: Path) -> bool:
    """Whether the disk of a folder can only be read, as a memory card that is dying."""
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False
