"""What came of each game, remembered: to play one again line by line takes long on a small computer."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from companion.games.recorded_game import RecordedGame
from companion.games.registry import game_of
from companion.record.file import LARGEST_BYTES, RecordError, Recording, RecordWriter, read_record
from companion.record.occasion import NOWHERE, Occasion, at_of, occasion_of

_HEADER: Final = {"what": "summaries of games", "form": 1}
_LONGEST_ID: Final = 64
UNKNOWN_GAME: Final = "unknown-game"
UNREADABLE: Final = "unreadable"
_log = logging.getLogger(__name__)


class DieCounts(msgspec.Struct, frozen=True):
    """How often each face of a die fell: ``counts`` are those of its different faces, the lowest first."""

    name: str
    sides: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def counted(self) -> Counter[int]:
        """How often each face fell."""
        return Counter(dict(zip(sorted(set(self.sides)), self.counts, strict=False)))


class GameSummary(msgspec.Struct, frozen=True):
    """A recorded game in a few words. ``trouble`` is why there are no more, as a key of the messages ``evenings``.

    ``seconds`` is how long it was played, None where the record does not say so.
    """

    game: str = ""
    id: str = ""
    occasion: Occasion = NOWHERE
    kind: str = ""
    players: tuple[str, ...] = ()
    persons: int = 0
    is_over: bool = False
    points: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()
    steps: int = 0
    seconds: float | None = None
    dice: tuple[DieCounts, ...] = ()
    trouble: str = ""


class State(NamedTuple):
    """A file as it was when it was read: another size or time means another content."""

    name: str
    size_bytes: int
    changed_ns: int


class _Kept(msgspec.Struct, frozen=True):
    state: State
    summary: GameSummary


class Summaries:
    """Summaries by the state of their files, kept in a file that can be lost: all of it can be worked out again."""

    def __init__(self, path: Path) -> None:
        """The file is read when it is first asked for, and made with the first game in its folder."""
        self._path = path
        self._lock = threading.Lock()
        self._kept: dict[State, GameSummary] | None = None

    def get(self, state: State) -> GameSummary | None:
        """What is remembered of a file in this state."""
        return self._all().get(state)

    def put(self, summaries: Mapping[State, GameSummary]) -> None:
        """Remembers these, if there is room for them over a restart."""
        kept = self._all()
        with self._lock:
            kept.update(summaries)
            with contextlib.suppress(RecordError, OSError):
                self._append([_Kept(state, summary) for state, summary in summaries.items()])

    def put_for_now(self, state: State, summary: GameSummary) -> None:
        """Remembers a summary as long as the program runs: of a file that will soon be another one."""
        kept = self._all()
        with self._lock:
            kept[state] = summary

    def _all(self) -> dict[State, GameSummary]:
        with self._lock:
            if self._kept is None:
                self._kept = self._read()
            return self._kept

    def _read(self) -> dict[State, GameSummary]:
        if not os.path.lexists(self._path):
            return {}
        try:
            recording = read_record(self._path)
            if recording.header.get("form") == _HEADER["form"]:
                kept = msgspec.convert(recording.lines, list[_Kept])
                return {entry.state: entry.summary for entry in kept}
        except (RecordError, msgspec.ValidationError):
            pass
        # What it said can be worked out again, so it need not be put aside.
        with contextlib.suppress(OSError):
            self._path.unlink()
        return {}

    def _append(self, kept: Sequence[_Kept]) -> None:
        if os.path.lexists(self._path):
            writer, _ = RecordWriter.resume(self._path)
        elif kept:
            writer = RecordWriter.create(self._path, _HEADER)
        else:
            return
        with writer:
            for line in map(msgspec.to_builtins, kept):
                # A larger file could not be read again.
                if self._path.stat().st_size + 2 * len(msgspec.json.encode(line)) < LARGEST_BYTES:
                    writer.append(line)


def summary_of(path: Path, games: Sequence[RecordedGame]) -> GameSummary:
    """What came of the game in a file, each line checked; a file that cannot be read has a summary, too."""
    try:
        recording = read_record(path)
    except RecordError:
        return GameSummary(trouble=UNREADABLE)
    try:
        return summarized(path, recording, games)
    except RecordError:
        return GameSummary(occasion=occasion_of(recording.header), trouble=UNREADABLE)


def summarized(path: Path, recording: Recording, games: Sequence[RecordedGame]) -> GameSummary:
    """What came of a recorded game; raises RecordError where it is against the rules."""
    game = game_of(recording.header, games)
    if game is None:
        return GameSummary(occasion=occasion_of(recording.header), trouble=UNKNOWN_GAME)
    try:
        return _summarized(path, recording, game)
    except RecordError:
        raise
    except Exception as error:
        _log.exception("%s cannot be summed up: the program has made a mistake", path)
        raise RecordError(path, "the program has made a mistake with it.") from error


def _summarized(path: Path, recording: Recording, game: RecordedGame) -> GameSummary:
    header, came = recording.header, game.summary(path, recording)
    return GameSummary(
        game.name,
        str(header.get("id", ""))[:_LONGEST_ID],
        occasion_of(header),
        **came._asdict(),
        steps=len(recording.lines),
        seconds=_seconds(recording.lines),
        dice=tuple(
            _counts(rolled.die.name, rolled.die.faces, Counter(rolled.faces)) for rolled in game.rolls(recording)
        ),
    )


def _seconds(lines: Sequence[Mapping[str, Any]]) -> float | None:
    return max((at for line in lines if (at := at_of(line)) is not None), default=None)


def _counts(name: str, sides: tuple[int, ...], counted: Counter[int]) -> DieCounts:
    return DieCounts(name, sides, tuple(counted[face] for face in sorted(set(sides))))
