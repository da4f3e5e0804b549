"""Asks for another version of the program: one that somebody has loaded, or the one before.

The service can change no program. It lays a request into its folder, which ``systemd/upgrade.sh`` answers as root.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import Final

from companion.device.between_games.keeping.parts import KeepingError
from companion.record.whole_file import open_file, read_whole, sync_folder, write_whole
from vision.files import FileError, ZipDirectory, read_entry

FOLDER: Final = "upgrade"
"""Its name in the companion's folder."""
LARGEST_WHEEL_BYTES: Final = 50_000_000
_MOST_FILES: Final = 5_000
_LARGEST_ENTRY_BYTES: Final = 50_000_000
_WHEEL: Final = "new.whl"
_METADATA: Final = re.compile(r"table_companion-([0-9][0-9A-Za-z.+]{0,40})\.dist-info/METADATA")


def version_in(wheel: Path) -> str:
    """The version of our program that a file holds, undamaged; raises KeepingError for everything else.

    Whether it is really ours nobody can tell: there is no signature. A checksum tells what was damaged on its way.
    """
    try:
        with os.fdopen(open_file(wheel, os.O_RDONLY), "rb") as file:
            if os.fstat(file.fileno()).st_size > LARGEST_WHEEL_BYTES:
                raise KeepingError("large")
            return _version(ZipDirectory(file, _MOST_FILES))
    except (OSError, FileError) as error:
        raise KeepingError("unknown") from error


def ask_for(wheel: Path, folder: Path) -> None:
    """Puts this version in place, soon; the file lies in the companion's folder, and is moved. Raises KeepingError."""
    version_in(wheel)
    try:
        below = _folder(folder)
        wheel.replace(below / _WHEEL)
        with os.fdopen(os.open(below / _WHEEL, os.O_RDONLY), "rb") as file:
            os.fsync(file.fileno())
        sync_folder(below)
        _ask(below, b"install")
    except OSError as error:
        raise KeepingError("kept", error.strerror or "") from error


def ask_for_version_before(folder: Path) -> None:
    """Puts the version before in place, soon; raises KeepingError."""
    try:
        _ask(_folder(folder), b"back")
    except OSError as error:
        raise KeepingError("kept", error.strerror or "") from error


def told(folder: Path) -> str:
    """What has come of the last request, in a word of ``systemd/upgrade.sh``; "" while nobody has answered it."""
    try:
        return read_whole(folder / FOLDER / "told").decode("ascii", "replace").strip()[:40]
    except OSError:
        return ""


def _version(archive: ZipDirectory) -> str:
    found = [match[1] for name in archive.entries if (match := _METADATA.fullmatch(name))]
    if len(found) != 1:
        raise KeepingError("unknown")
    for name in archive.entries:
        try:
            with archive.open(name, _LARGEST_ENTRY_BYTES) as file:
                # To its end: only then its checksum is compared.
                while read_entry(file, 1 << 20):
                    pass
        except FileError as error:
            raise KeepingError("damaged", name) from error
    return found[0]


def _folder(folder: Path) -> Path:
    below = folder / FOLDER
    below.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        (below / "told").unlink()
    return below


def _ask(below: Path, what: bytes) -> None:
    write_whole(below / "wanted", what)
