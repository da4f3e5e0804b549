"""Files written as a whole: whatever happens meanwhile, a power cut too, there is the old file or the new one."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file in place of the one that may be there, and waits until it is on the disk; raises OSError.

    Nothing half-written is left then. The folder must be there; one writer at a time.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            # Before it gets its name: else the name may reach the disk first, and after a power cut there is no data.
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Waits until the names of the files in a folder are on the disk; raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
