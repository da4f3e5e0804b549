"""The games that were played: listed, told, drawn, counted, given away and taken in.

    evenings = Evenings(state_folder(), games())
    for game in evenings.listed():
        print(game.name, game.summary.occasion.date, game.summary.players)

Names are those of ``listed``; every method may be called from any thread. Nothing of it changes the game that is being
played.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from companion.dice.box import Die
from companion.games.evenings.dice_check import DieCheck, checked
from companion.games.evenings.summaries import (
    UNREADABLE,
    GameSummary,
    State,
    Summaries,
    summarized,
    summary_of,
)
from companion.games.recorded_game import Keep, Line, RecordedGame, Score
from companion.games.registry import game_of
from companion.games.settings import Settings
from companion.record.archive import FOLDER, AlreadyKept, Archive
from companion.record.file import (
    LARGEST_BYTES,
    LONGEST_LINE_BYTES,
    RecordError,
    Recording,
    decode_record,
    read_record,
)
from companion.record.occasion import at_of, occasion_of
from companion.record.whole_file import open_file, read_whole
from companion.texts.language import Texts

NOW: Final = "now"
"""The name of the game that is played, or was last: it joins the others when another one begins."""


class Refused(Exception):
    """A record from outside is not taken in: a key of the messages ``evenings``, and the details."""

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(f"{key}: {details}")
        self.key = key
        self.details = details


def refusal(refused: Refused, language: str) -> str:
    """Why a record is not taken in, and what to do about it."""
    return Texts(language)(f"evenings.{refused.key}", **refused.details)


class Listed(msgspec.Struct, frozen=True):
    """A game by its name. Before ``is_known`` the summary holds what its first line tells of the occasion alone."""

    name: str
    is_known: bool
    summary: GameSummary


class Told(msgspec.Struct, frozen=True):
    """A moment of a game: sentences, after how many seconds of play, and how the table lies then.

    ``table`` is as ``companion.games.recorded_game.Moment`` says; it is empty before the first thing lies there.
    """

    lines: tuple[Line, ...]
    at: float | None
    table: dict[str, Any]


class CurvePoint(msgspec.Struct, frozen=True):
    """A result: ``date`` and ``name`` of its game where they are known, else ""."""

    points: int
    is_lost: bool
    date: str
    name: str


class Curve(msgspec.Struct, frozen=True):
    """The results of one player ("" for nobody in particular) in games that can be compared, the oldest first."""

    game: str
    player: str
    kind: str
    rules: str
    results: tuple[CurvePoint, ...]


class Evenings:
    """All games of a companion."""

    def __init__(self, folder: Path, games: Sequence[RecordedGame]) -> None:
        """``folder`` is that of all that the companion keeps."""
        self._folder, self._games = folder, games
        self._record = folder / "game.jsonl"
        self._archive = Archive(folder / FOLDER)
        self._summaries = Summaries(folder / FOLDER / "summaries.jsonl")

    def listed(self) -> list[Listed]:
        """All games, the newest first. Quick: no game is played again for it, so some may not be known yet."""
        return [listed for _, listed in self._all()]

    def learn(self, most: int = 1) -> int:
        """Gets to know so many games that are not known yet; returns how many are left.

        A game takes some hundredths of a second, on a Raspberry Pi Zero a good part of one.
        """
        # Their first lines are not read for it: there may be a thousand of them, each time.
        states = [state for state in map(self._state, reversed(self._names())) if state is not None]
        unknown = [state for state in states if self._summaries.get(state) is None]
        learnt = {state: summary_of(self._path(state.name), self._games) for state in unknown[:most]}
        for state in [state for state in learnt if state.name == NOW]:
            self._summaries.put_for_now(state, learnt.pop(state))
        self._summaries.put(learnt)
        return max(0, len(unknown) - most)

    def told(self, name: str, language: str) -> Iterator[Told]:
        """A game moment by moment: its beginning, a moment for each line, how it ended; raises RecordError.

        A record from outside may have thousands of lines: who shows them should not keep all of them.
        """
        path, recording, game = self._opened(name)
        table: dict[str, Any] = {}
        ats = [None, *map(at_of, recording.lines), None]
        for moment, at in zip(game.told(path, recording, language), ats, strict=True):
            table = moment.facts.get("table", table)
            yield Told(tuple(moment.lines), at, table)

    def picture(self, name: str, moment: int | None = None) -> str:
        """What lay on the table at the end or at a moment, from 0 as ``told`` tells them: an SVG to keep.

        "" where there is none; raises RecordError, and IndexError for a moment that there is not.
        """
        path, recording, game = self._opened(name)
        return game.picture(path, recording, moment)

    def face(self, name: str, face: str) -> str:
        """A card as ``picture`` has it: an SVG of its size in mm, "" where there is none; raises RecordError."""
        path, recording, game = self._opened(name)
        return game.face(path, recording, face)

    def dice(self, name: str | None = None) -> list[DieCheck]:
        """Whether the dice of one game, or of all that are known, fell as chance has it; a check for each kind."""
        counted: dict[Die, Counter[int]] = {}
        for listed in self.listed():
            if name in {None, listed.name}:
                for counts in listed.summary.dice:
                    die = Die(counts.name, tuple(sorted(counts.sides)))
                    counted.setdefault(die, Counter()).update(counts.counted)
        return [checked(die, counts) for die, counts in counted.items() if counts.total()]

    def curves(self) -> list[Curve]:
        """The results in the games' books, each curve in the order in which its games were played; raises RecordError.

        Those that were taken in are among them.
        """
        by_id = {listed.summary.id: listed for listed in self.listed() if listed.summary.id}
        keep = Keep(self._record, self._folder)
        curves: dict[tuple[str, str, str, str], list[CurvePoint]] = {}
        for game in self._games:
            for score in () if game.book is None else game.book.scores(keep):
                point = _point(score, by_id.get(score.game))
                curves.setdefault((game.name, score.player, score.kind, score.rules), []).append(point)
        return [Curve(*series, tuple(points)) for series, points in curves.items()]

    def kinds(self, settings: Settings) -> dict[tuple[str, str], str]:
        """What people call the kinds of all games, by the game and its own word."""
        return {(game.name, kind): title for game in self._games for kind, title in game.kinds(settings).items()}

    def rules_called(self, curve: Curve, language: str) -> str:
        """What people call the rules of a curve."""
        game = next((game for game in self._games if game.name == curve.game), None)
        return curve.rules if game is None or game.book is None else game.book.rules_called(curve.rules, language)

    def exported(self, name: str) -> bytes:
        """A game's record, to be given away; raises RecordError."""
        if name != NOW:
            return self._archive.exported(name)
        try:
            return read_whole(self._record)
        except OSError as error:
            raise RecordError(self._record, f"cannot be read: {error.strerror}.") from error

    def export_all(self, file: BinaryIO) -> list[str]:
        """Writes the records of all games but that of NOW as a ZIP; returns what found no room. Raises OSError."""
        return self._archive.export_all(file)

    def take_in(self, data: bytes) -> str:
        """Keeps a record from outside, and returns the game's name; raises Refused, and then nothing has changed.

        Each line is played by the rules before. Its result, if it has one, goes into the game's book. Where the power
        is cut before it is there, or the book cannot be written, taking the same record in once more puts it there.
        """
        if len(data) > LARGEST_BYTES:
            raise Refused("too-large", megabytes=LARGEST_BYTES // 1_000_000)
        outside = Path("record")
        try:
            recording = decode_record(outside, data)
        except RecordError as error:
            raise Refused("no-record") from error
        if not recording.lines:
            raise Refused("no-step")
        try:
            summary = summarized(outside, recording, self._games)
        except RecordError as error:
            raise Refused("against-rules", line=error.line or 1) from error
        if summary.trouble:
            raise Refused(summary.trouble)
        try:
            name = self._archive.add(data, record=self._record)
            self._keep_result(name, summary)
        except AlreadyKept as error:
            self._find_result(error.kept, summary)
            raise Refused("kept-already") from error
        except (RecordError, OSError) as error:
            raise Refused("not-kept") from error
        state = self._state(name)
        if state is not None:
            self._summaries.put({state: summary})
        return name

    def _keep_result(self, name: str, summary: GameSummary) -> None:
        """Puts the result of a game that was taken in into the book, where it is not there; raises RecordError."""
        keep = Keep(self._archive.path(name), self._folder)
        book = next((game.book for game in self._games if game.name == summary.game), None)
        if book is None:
            return
        # One that is there is our own, or the same: what another record says of that game changes nothing.
        if not (summary.id and any(score.game == summary.id for score in book.scores(keep))):
            book.keep_result(keep)

    def _find_result(self, name: str, summary: GameSummary) -> None:
        """The same for a game that is here already; of one without an id nobody could say whether it is there."""
        if summary.id and name != self._record.name:
            with contextlib.suppress(RecordError, OSError):
                self._keep_result(name, summary)

    def _all(self) -> list[tuple[State, Listed]]:
        """All games, the newest first: by their dates; one without a date follows on the one that came before it."""
        found = [(state, self._listed(state)) for state in map(self._state, self._names()) if state is not None]
        latest, begun = float("-inf"), []
        for _, listed in found:
            latest = listed.summary.occasion.moment or latest
            begun.append(latest)
        # Of several that began at once, the one that came last is first.
        newest_first = sorted(range(len(found)), key=lambda index: (begun[index], index), reverse=True)
        return [found[index] for index in newest_first]

    def _names(self) -> list[str]:
        """All games in the order in which they came."""
        return [*reversed(self._archive.names()), NOW]

    def _state(self, name: str) -> State | None:
        try:
            found = self._path(name).stat()
        except OSError:
            return None
        return State(name, found.st_size, found.st_mtime_ns)

    def _path(self, name: str) -> Path:
        return self._record if name == NOW else self._archive.path(name)

    def _listed(self, state: State) -> Listed:
        known = self._summaries.get(state)
        if known is not None:
            return Listed(state.name, is_known=True, summary=known)
        return Listed(state.name, is_known=False, summary=_first_line(self._path(state.name)))

    def _opened(self, name: str) -> tuple[Path, Recording, RecordedGame]:
        path = self._path(name)
        recording = read_record(path)
        game = game_of(recording.header, self._games)
        if game is None:
            raise RecordError(path, "a game that this companion does not know; please update.", 1)
        return path, recording, game


def _first_line(path: Path) -> GameSummary:
    """What the first line alone tells, not checked against anything."""
    try:
        with os.fdopen(open_file(path, os.O_RDONLY), "rb") as file:
            header = msgspec.json.decode(file.readline(LONGEST_LINE_BYTES), type=_Header)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return GameSummary(trouble=UNREADABLE)
    return GameSummary(occasion=occasion_of(msgspec.structs.asdict(header)))


class _Header(msgspec.Struct):
    """Of a first line what is wanted of it: decks and editions are long."""

    date: Any = ""
    place: Any = ""
    round: Any = ""
    table: Any = ""


def _point(score: Score, listed: Listed | None) -> CurvePoint:
    date, name = ("", "") if listed is None else (listed.summary.occasion.date, listed.name)
    return CurvePoint(score.points, score.is_lost, date, name)
