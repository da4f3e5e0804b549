"""Games that are on the disk before they are on the screen, whichever they are."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from companion.games.history import History
from companion.games.step import Step
from companion.record.file import RecordError, Recording, RecordWriter, write_record
from companion.record.occasion import NOWHERE, Clock, Occasion

Game = TypeVar("Game", bound=History[Any, Any])
_Game = TypeVar("_Game", bound=History[Any, Any], covariant=True)  # noqa: PLC0105 - the same word, for a protocol


class NotationError(ValueError):
    """A line of a record is no step, or tells what did not follow from the step."""


class TakeBack(Step, frozen=True, tag="take-back"):
    """The last steps are taken back. Only a record holds it: the game itself forgets what was taken back."""

    count: int


class Notation(Protocol[_Game]):
    """How a game is written: its set-up and its steps as the objects that a record holds, and back."""

    def header(self, start: Any) -> dict[str, Any]:
        """The first line of a record, from the state before the first step."""

    def begun(self, first_line: dict[str, Any]) -> _Game:
        """The game that a first line is about, before its first step; raises ValueError."""

    def line(self, before: Any, step: Any, following: Any) -> dict[str, Any]:
        """A step as a line, with the states before and after it."""


class Journal:
    """Witnesses a game and records each of its steps before it counts.

    Where a step cannot be recorded the game's ``do`` and ``take_back`` raise RecordError, and nothing has changed.
    """

    def __init__(self, records: Records[Any], writer: RecordWriter, lines: int = 0) -> None:
        """``lines`` are those that the record has already, its first one left out."""
        self._records = records
        self._writer = writer
        self._lines = lines

    def step(self, before: Any, step: Any, following: Any) -> None:
        """A step that is about to count."""
        self._append(self._records.notation.line(before, step, following))

    def take_back(self, count: int) -> None:
        """Steps that are about to be taken back; only where there is room to do them again, as a correction does."""
        self._append(msgspec.to_builtins(TakeBack(count)), room=count)

    def replace(self, count: int, moments: Sequence[tuple[Any, Any, Any]]) -> None:
        """Steps that are about to be taken back, and others in their place."""
        lines = [msgspec.to_builtins(TakeBack(count)), *(self._records.notation.line(*moment) for moment in moments)]
        self._make_sure_of_room(len(lines) - 1)
        self._writer.append_together(lines)
        self._lines += len(lines)

    def close(self) -> None:
        self._writer.close()

    def _append(self, line: dict[str, Any], room: int = 0) -> None:
        self._make_sure_of_room(room)
        self._writer.append(line)
        self._lines += 1

    def _make_sure_of_room(self, lines: int) -> None:
        """For a line and so many more; raises RecordError: else the game could not be read again."""
        if self._lines + lines >= self._records.most_lines:
            raise self._records.too_long(self._writer.path, " Begin another game.")


class Resumed(NamedTuple, Generic[Game]):
    """A game that goes on, and its record as it was found, but for a torn last line that was cut off."""

    game: Game
    journal: Journal
    recording: Recording


class Replayed(NamedTuple, Generic[Game]):
    """A line of a record that has been done: its number in the file, what it tells, and the game after it.

    ``taken_back`` counts the steps that it took back, 0 for every other line.
    """

    number: int
    told: dict[str, object]
    game: Game
    taken_back: int


class Records(Generic[Game]):
    """The records of a game: begun, gone on with, and read."""

    def __init__(self, notation: Notation[Game], steps: Any, most_lines: int) -> None:
        """``steps`` is the union of the game's steps.

        More than ``most_lines`` lines, the first one left out, no record of the game has.
        """
        self.notation = notation
        self._told = steps | TakeBack
        self.most_lines = most_lines

    def start(
        self,
        path: Path,
        begun: Game,
        occasion: Occasion = NOWHERE,
        clock: Clock | None = None,
        agreed: Mapping[str, Any] = MappingProxyType({}),
    ) -> tuple[Game, Journal]:
        """A new game, before its first step, that is recorded in a new file; raises RecordError.

        ``agreed`` are further fields of its first line, for which the rules do not ask.
        """
        # Two games may begin alike: a number tells them apart.
        header = {**self.notation.header(begun.state), **agreed, "id": secrets.token_hex(8), **occasion.fields()}
        journal = Journal(self, RecordWriter.create(path, header, clock))
        begun.witness = journal
        return begun, journal

    def resume(self, path: Path, clock: Clock | None = None) -> Resumed[Game]:
        """Goes on with a recorded game where it stands; raises RecordError."""
        writer, recording = RecordWriter.resume(path, clock)
        journal = Journal(self, writer, len(recording.lines))
        try:
            game = self.played(path, recording)
        except RecordError:
            journal.close()
            raise
        game.witness = journal
        return Resumed(game, journal, recording)

    def save(self, path: Path, game: Game) -> None:
        """Writes a game that has been played as a record; raises RecordError."""
        states = game.states
        moments = zip(states, game.steps, states[1:], strict=False)
        write_record(path, self.notation.header(states[0]), (self.notation.line(*moment) for moment in moments))

    def begun(self, path: Path, recording: Recording) -> Game:
        """The game that a record is about, before its first step; raises RecordError."""
        if len(recording.lines) > self.most_lines:
            raise self.too_long(path)
        try:
            return self.notation.begun(recording.header)
        except ValueError as error:
            raise RecordError(path, str(error), 1) from error

    def replay(self, path: Path, recording: Recording, game: Game) -> Iterator[Replayed[Game]]:
        """Does line after line on the game, each checked against the rules; raises RecordError with its number."""
        for number, told in enumerate(recording.lines, start=2):
            played = len(game.steps)
            try:
                self._play_line(game, told)
            except ValueError as error:
                raise RecordError(path, str(error), number) from error
            yield Replayed(number, told, game, max(0, played - len(game.steps)))

    def played(self, path: Path, recording: Recording, moment: int | None = None) -> Game:
        """The game where its record ends, or at a moment: 0 is its beginning, then one for each line, then its end.

        Raises RecordError, and IndexError for a moment that there is not.
        """
        lines = recording.lines
        if moment is not None:
            if not 0 <= moment <= len(lines) + 1:
                raise IndexError(moment)
            recording = recording._replace(lines=lines[:moment])
        game = self.begun(path, recording)
        for _ in self.replay(path, recording, game):
            pass
        return game

    def too_long(self, path: Path, what_to_do: str = "") -> RecordError:
        """The error for a record with more lines than a game has."""
        reason = f"the record has more than {self.most_lines:,} steps, and no game has so many.{what_to_do}"
        return RecordError(path, reason, self.most_lines + 2)

    def _play_line(self, game: Game, told: dict[str, Any]) -> None:
        """Does what a line tells, and checks all that it tells; raises NotationError or the game's error."""
        try:
            step = msgspec.convert(told, self._told)
        except msgspec.ValidationError as error:
            raise NotationError(f"this step cannot be read: {error}.") from error
        if isinstance(step, TakeBack):
            game.take_back(step.count)
            return
        # Worked out anew, not believed: a record also shows where the rules have come to say something else.
        expected = self.notation.line(game.state, step, game.after(game.state, step))
        for key in ("turn", "player", "then"):
            if expected.get(key) != told.get(key):
                raise NotationError(f"{key!r} is {told.get(key)!r}, but by the rules it is {expected.get(key)!r}.")
        game.do(step)
