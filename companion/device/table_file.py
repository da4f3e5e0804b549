"""The things of a virtual table in a file: a program that was killed goes on with the same cards in the hands."""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Final

import msgspec

from companion.record.draft import read_draft
from companion.record.file import LONGEST_LINE_BYTES
from companion.record.whole_file import open_file, read_whole, write_whole
from companion.virtual.snapshot import Snapshot, SnapshotError, read_snapshot
from companion.virtual.things import EMMAS_LOOK
from vision.cards import Deck

_NO_GAME: Final = ""


class _Kept(msgspec.Struct, frozen=True):
    """``game`` tells whose things they are; ``by_robot``: the robot has played in it, so its result is nobody's."""

    game: str
    things: msgspec.Raw
    by_robot: bool = False


class TableFile:
    """Beside the record of a game. What cannot be written or read is laid anew: only who held what is lost by it."""

    def __init__(self, path: Path, record: Path) -> None:
        """``record`` is that of the game whose things are kept."""
        self._path, self._record = path, record

    def keep(self, things: Snapshot, *, by_robot: bool) -> None:
        """Keeps these things in place of the others."""
        kept = _Kept(self.game, msgspec.Raw(things.json()), by_robot)
        with contextlib.suppress(OSError):
            write_whole(self._path, msgspec.json.encode(kept))

    def read(self, deck: Deck, looks: Collection[str] = (EMMAS_LOOK,)) -> Snapshot | None:
        """The things of the recorded game, figures of these looks too; None where nobody kept them, or not whole."""
        kept = self._kept()
        try:
            return None if kept is None else read_snapshot(bytes(kept.things), deck, looks)
        except SnapshotError:
            return None

    @property
    def game(self) -> str:
        """What tells the recorded game, or the one that is set up, from all others; "" where there is none."""
        return _name_of(self._record)

    @property
    def record_bytes(self) -> int:
        """How long the record of the game is; 0 where there is none."""
        try:
            return self._record.stat().st_size
        except OSError:
            return 0

    @property
    def by_robot(self) -> bool:
        """Whether the robot has played in the recorded game."""
        kept = self._kept()
        return kept is not None and kept.by_robot

    def _kept(self) -> _Kept | None:
        """What is kept of the recorded game."""
        try:
            kept = msgspec.json.decode(read_whole(self._path), type=_Kept)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        return kept if kept.game == self.game != _NO_GAME else None


def _name_of(record: Path) -> str:
    """What tells a game from all others: the first line of its record, before that what is kept of its set-up."""
    draft = read_draft(record)
    if draft is not None:
        return draft.id
    try:
        with os.fdopen(open_file(record, os.O_RDONLY), "rb") as file:
            return f"{zlib.crc32(file.readline(LONGEST_LINE_BYTES)):08x}"
    except OSError:
        return _NO_GAME
