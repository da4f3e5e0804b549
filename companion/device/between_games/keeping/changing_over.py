"""Puts what was loaded in the place of what is there, whole or not at all, and what was there aside.

A companion's folder is not its own to rename, and holds more than what is loaded. So its files are moved one after the
other, in steps that are noted on the disk: whenever the power is cut, the next start goes on at the same step.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from companion.device.between_games.keeping.parts import KeepingError, entries_in
from companion.record.whole_file import put_aside, read_whole, sync_folder, write_whole

LOADING: Final = ".loading"
"""The folder of what is to be put in place: ``new``, then also ``old``, and the note."""
BEFORE: Final = "before-loading"
"""The folder of what was there before."""
NEW: Final = "new"
_OLD: Final = "old"
_NOTE: Final = "step"
_READY, _BACK, _MOVED = b"ready", b"back", b"moved"


def make_ready(folder: Path) -> None:
    """What lies in ``new`` is to be put in place with the next start; raises OSError."""
    write_whole(folder / LOADING / _NOTE, _READY)


def has_before(folder: Path) -> bool:
    """Whether there is something to have back."""
    return bool(entries_in(folder / BEFORE))


def take_back(folder: Path) -> None:
    """With the next start all is as it was before the last loading, and that is kept aside in turn.

    Raises KeepingError where nothing was loaded, and OSError.
    """
    if not has_before(folder):
        raise KeepingError("before")
    drop(folder)
    (folder / LOADING).mkdir()
    write_whole(folder / LOADING / _NOTE, _BACK)
    sync_folder(folder)


def drop(folder: Path) -> None:
    """Forgets what was unpacked; raises OSError, also where a change-over has come to a halt: it may hold the old."""
    if (folder / LOADING / _OLD).exists():
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(folder / LOADING))
    # The note first: without it what is left means nothing.
    (folder / LOADING / _NOTE).unlink(missing_ok=True)
    if (folder / LOADING).exists():
        sync_folder(folder / LOADING)
        shutil.rmtree(folder / LOADING)


def change_over(folder: Path) -> bool:
    """Puts in place what is ready, or goes on with that; whether there was something. Raises OSError.

    To be called when a companion starts, before it reads anything in its folder.
    """
    loading = folder / LOADING
    try:
        step = read_whole(loading / _NOTE)
    except OSError:
        step = b""
    if step not in {_READY, _BACK, _MOVED}:
        with contextlib.suppress(OSError):
            drop(folder)
        return False
    new, old = loading / NEW, loading / _OLD
    if step != _MOVED:
        old.mkdir(exist_ok=True)
    if step == _BACK:
        if (folder / BEFORE).exists():
            (folder / BEFORE).rename(new)
        _note(loading, _READY, (folder, loading))
    if step != _MOVED:
        _move(folder, old)
        _note(loading, _MOVED, (folder, old, loading))
    if new.exists():
        _move(new, folder)
        sync_folder(folder)
    if old.exists():
        if (folder / BEFORE).exists():
            shutil.rmtree(folder / BEFORE)
        old.rename(folder / BEFORE)
        sync_folder(folder)
    shutil.rmtree(loading)
    return True


def _move(source: Path, target: Path) -> None:
    for name in entries_in(source):
        # Only where a change-over came to a halt, and games were played before it could go on.
        if os.path.lexists(target / name):
            put_aside(target / name)
        (source / name).rename(target / name)


def _note(loading: Path, step: bytes, changed: Iterable[Path]) -> None:
    """Notes a step once what was done before it is on the disk."""
    for folder in changed:
        sync_folder(folder)
    write_whole(loading / _NOTE, step)
