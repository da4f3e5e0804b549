"""The game that is played, or was last: its record, whether it can go on, and its way to the others once it is over."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from companion.games.game import Game
from companion.games.recorded_game import Keep
from companion.games.registry import game_of
from companion.record.archive import FOLDER, Archive
from companion.record.draft import forget_draft, read_draft
from companion.record.file import RecordError, read_record
from companion.record.occasion import Clock
from companion.record.whole_file import put_aside

_log = logging.getLogger(__name__)


class Order(NamedTuple):
    """A game that is wanted: which, and its kind, as an ``Offer`` names both."""

    game: str
    kind: str


class LastGame:
    """A record, and what stands in it."""

    def __init__(self, folder: Path, clock: Clock, games: Sequence[Game]) -> None:
        """``folder`` is that of all that the companion keeps."""
        self.keep = Keep(folder / "game.jsonl", folder, clock)
        self.archive = Archive(folder / FOLDER)
        self._games = games

    @property
    def record(self) -> Path:
        """The file of the record; it need not be there."""
        return self.keep.record

    def game(self) -> Game | None:
        """Which game it is, begun or still set up; None where there is none, or nobody knows it."""
        draft = read_draft(self.record)
        if draft is not None:
            return self._by_name(draft.game)
        try:
            return game_of(read_record(self.record).header, self._games)
        except (RecordError, OSError):
            return None

    def checked_left(self) -> Order | None:
        """As ``left``; raises RecordError and OSError."""
        draft = read_draft(self.record)
        if draft is not None:
            return None if self._by_name(draft.game) is None else Order(draft.game, draft.kind)
        if not os.path.lexists(self.record):
            return None
        recording = read_record(self.record)
        game = game_of(recording.header, self._games)
        standing = None if game is None else game.standing(self.record, recording)
        return None if game is None or standing is None or standing.is_over else Order(game.name, standing.kind)

    def _by_name(self, name: str) -> Game | None:
        return next((game for game in self._games if game.name == name), None)

    def left(self) -> Order | None:
        """What was left before its end, or before it began, if it can go on."""
        try:
            return self.checked_left()
        except (RecordError, OSError):
            return None
        except Exception:  # noqa: BLE001 - another game can still be begun
            _log.exception("the game that was left cannot go on: the program has made a mistake")
            return None

    def keep_result(self) -> None:
        """Keeps its result; where that cannot be done now, it is tried again before the next game."""
        game = self.game()
        try:
            if game is not None and game.book is not None:
                game.book.keep_result(self.keep)
        except (RecordError, OSError):
            return
        except Exception:  # noqa: BLE001 - games can be played without it
            _log.exception("a result is not kept: the program has made a mistake")

    def put_away(self) -> None:
        """Makes room for the next game: the record goes to the others. Raises RecordError and OSError."""
        self.record.parent.mkdir(parents=True, exist_ok=True)
        # An older version of the program has kept one game beside the record; where this fails it stays there.
        before = self.record.with_suffix(".before.jsonl")
        if os.path.lexists(before):
            with contextlib.suppress(RecordError, OSError):
                self.archive.take_in(before)
        if os.path.lexists(self.record):
            self.archive.take_in(self.record)
        forget_draft(self.record)

    def put_aside(self) -> None:
        """Gives a record that cannot be read another name, if that can be done."""
        with contextlib.suppress(OSError):
            put_aside(self.record)
