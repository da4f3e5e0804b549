"""A game before it has its record: what people have told of it stands in a file beside that, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

import msgspec

from companion.record.whole_file import read_whole, write_whole


class Draft(msgspec.Struct, frozen=True):
    """What is being set up: the ``kind`` of a ``game``, as an offer names both, and what only that game understands.

    ``id`` tells it from all others.
    """

    game: str
    kind: str
    told: msgspec.Raw = msgspec.Raw(b"{}")
    id: str = ""


def new_draft(game: str, kind: str) -> Draft:
    """One of which nothing is told yet."""
    return Draft(game, kind, id=secrets.token_hex(8))


def read_draft(record: Path) -> Draft | None:
    """The draft beside this record; None where there is none that can be read, and once the record is there."""
    if os.path.lexists(record):
        return None
    try:
        return msgspec.json.decode(read_whole(_beside(record)), type=Draft)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def keep_draft(record: Path, draft: Draft) -> None:
    """Keeps it in place of the one before; where it cannot be written it lasts until the power is cut."""
    with contextlib.suppress(OSError):
        write_whole(_beside(record), msgspec.json.encode(draft))


def forget_draft(record: Path) -> None:
    """It is set up no more."""
    with contextlib.suppress(OSError):
        _beside(record).unlink(missing_ok=True)


def _beside(record: Path) -> Path:
    return record.with_suffix(".draft.json")
