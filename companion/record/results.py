"""A book of results that is kept from game to game."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from companion.record.file import RecordError, RecordWriter, cannot_write, read_record
from companion.record.occasion import Occasion
from companion.record.whole_file import put_aside

_LONGEST_BYTES: Final = 1_000
"""Of a result: one of our own games has some 200."""


class Result(Protocol):
    """What came of a game: a struct of plain data.

    ``game`` names the game as its record does, "" for one without a record, and ``date`` says when it began as there.
    """

    @property
    def game(self) -> str: ...

    @property
    def date(self) -> str: ...


Kept = TypeVar("Kept", bound=Result)


class Results(Generic[Kept]):
    """The results in a file; each is safely on the disk once it is added."""

    def __init__(self, path: Path, header: Mapping[str, Any], sort: type[Kept]) -> None:
        """The file is made with the first result, and begins with a line that says what it is: ``header``."""
        self.path = path
        self._header = dict(header)
        self._sort = sort

    def add(self, result: Kept) -> list[Kept]:
        """Keeps a result, in place of another of the same game, and returns all; raises RecordError.

        A record from outside may call its game or its players what no book has room for: such a result is left out.
        """
        if len(msgspec.json.encode(result)) > _LONGEST_BYTES:
            return self.all()
        writer, told = self._opened()
        with writer:
            kept = self._results(told)
            if not result.game or result not in kept:
                writer.append(msgspec.to_builtins(result))
        return _by_date(_last_of_each([*kept, result]))

    def all(self) -> list[Kept]:
        """All results so far, by the dates of their games; raises RecordError."""
        return _by_date(_last_of_each(self._results(read_record(self.path).lines))) if self.path.exists() else []

    def _results(self, lines: list[dict[str, Any]]) -> list[Kept]:
        return [self._result(line, number) for number, line in enumerate(lines, start=2)]

    def _opened(self) -> tuple[RecordWriter, list[dict[str, Any]]]:
        if os.path.lexists(self.path):
            try:
                self._results(read_record(self.path).lines)
            except RecordError as error:
                if not error.is_of_content:
                    raise
                # The next results must not be lost with those before.
                self._put_aside()
            else:
                writer, recording = RecordWriter.resume(self.path)
                return writer, recording.lines
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RecordError(self.path, f"its folder cannot be made: {error.strerror}.") from error
        return RecordWriter.create(self.path, self._header), []

    def _put_aside(self) -> None:
        try:
            put_aside(self.path)
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def _result(self, line: dict[str, Any], number: int) -> Kept:
        try:
            return msgspec.convert(line, self._sort)
        except msgspec.ValidationError as error:
            raise RecordError(self.path, f"this is none of its results: {error}.", number) from error


def _last_of_each(results: Sequence[Kept]) -> list[Kept]:
    """Of each game the result that was kept last: its end may have been taken back and played anew."""
    last = {result.game: result for result in results if result.game}
    firsts = {result.game: index for index, result in reversed(list(enumerate(results)))}
    return [
        last.get(result.game, result)
        for index, result in enumerate(results)
        if not result.game or firsts[result.game] == index
    ]


def _by_date(results: Sequence[Kept]) -> list[Kept]:
    """The earliest first: games from elsewhere are taken in late. One without a date stays behind the one before it."""
    latest, begun = float("-inf"), []
    for result in results:
        latest = Occasion(result.date).moment or latest
        begun.append(latest)
    return [results[index] for index in sorted(range(len(results)), key=begun.__getitem__)]
