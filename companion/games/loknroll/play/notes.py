"""What a restart must find beside the record: what people have been told that is no step of the game yet."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final, Protocol

import msgspec

from companion.games.loknroll.rules import AnyStep
from companion.record.file import cannot_write
from companion.record.whole_file import put_aside, read_whole, write_whole

MOST_STEPS: Final = 800
"""More than a game has: 7 for each of the 110 cards of the largest deck."""


class Notes(msgspec.Struct, frozen=True):
    """Both hold for a moment of the game only, told as the number of steps done by then.

    ``hand``: the cards of a hand that have been shown so far, ``hand_at`` its moment. ``redo``: the steps that a
    correction has in place of those after the first ``redo_from``.
    """

    hand: tuple[str, ...] = ()
    hand_at: int = 0
    redo: tuple[AnyStep, ...] = ()
    redo_from: int = 0


class NoteKeeper(Protocol):
    """Keeps the notes over a restart."""

    were_damaged: bool
    """Whether there were notes that could not be read: they have been put aside."""

    def read(self) -> Notes:
        """The notes kept last."""

    def keep(self, notes: Notes) -> None:
        """Keeps these notes in place of the others; raises RecordError, and then the others are kept."""


class NotesInMemory:
    """Notes that last as long as the program, for games without a record."""

    were_damaged = False

    def __init__(self) -> None:
        self._notes = Notes()

    def read(self) -> Notes:
        """The notes kept last."""
        return self._notes

    def keep(self, notes: Notes) -> None:
        """Keeps these notes."""
        self._notes = notes


class NotesFile:
    """Notes in a file beside the record: the old ones or the new ones, never a part."""

    def __init__(self, path: Path) -> None:
        """The file is made with the first note. One that cannot be read is put aside under another name."""
        self._path = path
        self._notes, self.were_damaged = Notes(), False
        try:
            self._notes = _decoded(read_whole(path))
        except FileNotFoundError:
            pass
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self.were_damaged = True
            with contextlib.suppress(OSError):
                put_aside(path)

    def forget(self) -> None:
        """Another game begins, without notes; raises OSError."""
        self._path.unlink(missing_ok=True)
        self._notes = Notes()

    def read(self) -> Notes:
        """The notes kept last; none where the file is missing or is no file of notes."""
        return self._notes

    def keep(self, notes: Notes) -> None:
        """Writes the notes and waits until they are on the disk; raises RecordError."""
        try:
            write_whole(self._path, msgspec.json.encode(notes))
        except OSError as error:
            raise cannot_write(self._path, error) from error
        self._notes = notes


def _decoded(data: bytes) -> Notes:
    notes = msgspec.json.decode(data, type=Notes)
    if max(len(notes.redo), len(notes.hand)) > MOST_STEPS:
        raise msgspec.ValidationError(f"more than {MOST_STEPS} steps or cards, and no game has so many")
    return notes
