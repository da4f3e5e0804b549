"""Whether there is a newer version where the owner has said that versions lie, and what has come of looking for it.

The service has no network. It asks by a file. ``companion newer``, which systemd starts for that, answers with others.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from companion.record.whole_file import read_whole, sync_folder, write_whole

FOLDER: Final = "newer"
"""Its name in the companion's folder."""
WANTED: Final = "wanted"
_WHEEL: Final = "new.whl"
_FOUND: Final = "found.json"
_DAY_SECONDS: Final = 24 * 60 * 60
_NUMBERS: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,5}")

Trouble = Literal["", "unreachable", "wrong", "room"]


class Found(msgspec.Struct, frozen=True):
    """What has come of looking: a version that is there as a file, "" for none; or why nobody knows."""

    version: str = ""
    trouble: Trouble = ""


class Looked(NamedTuple):
    """What was found, None where nothing is to be said; whether somebody looks now, and whether it is time to look."""

    found: Found | None
    is_asked: bool
    is_due: bool


def is_newer(version: str, running: str) -> bool:
    """Whether a version comes after the one that runs; what is not numbered like ours does not."""
    if not (_NUMBERS.fullmatch(version) and _NUMBERS.fullmatch(running)):
        return False
    there, here = ([int(part) for part in each.split(".")] for each in (version, running))
    most = max(len(there), len(here))
    return there + [0] * (most - len(there)) > here + [0] * (most - len(here))


def look(folder: Path) -> None:
    """Asks whether there is one; raises OSError. ``looked`` says what has come of it."""
    below = folder / FOLDER
    below.mkdir(parents=True, exist_ok=True)
    (below / _FOUND).unlink(missing_ok=True)
    write_whole(below / WANTED, b"")


def looked(folder: Path, running: str) -> Looked:
    """What has come of it; once a day it is due."""
    below = folder / FOLDER
    is_asked = (below / WANTED).exists()
    try:
        age = time.time() - (below / _FOUND).stat().st_mtime
        found = msgspec.json.decode(read_whole(below / _FOUND), type=Found)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Looked(None, is_asked, is_due=not is_asked)
    is_due = not 0 <= age < _DAY_SECONDS
    if not is_newer(found.version, running):
        return Looked(Found(trouble=found.trouble), is_asked, is_due)
    # Where it has been taken already there is nothing to be said of it.
    return Looked(found if (below / _WHEEL).is_file() else None, is_asked, is_due)


def take(folder: Path, wheel: Path) -> None:
    """The file that was found is from now on this one; raises OSError."""
    (folder / FOLDER / _WHEEL).replace(wheel)


def answer(folder: Path, found: Found, wheel: Path | None = None) -> None:
    """Tells what was found, with the file of a version; now nobody looks any more. Raises OSError."""
    below = folder / FOLDER
    if wheel is not None:
        wheel.replace(below / _WHEEL)
        sync_folder(below)
    write_whole(below / _FOUND, msgspec.json.encode(found))
    (below / WANTED).unlink(missing_ok=True)
