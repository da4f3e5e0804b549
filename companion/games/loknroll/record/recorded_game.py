"""Games of LOK'n'ROLL that are on the disk before they are on the screen."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.games.loknroll.record import notation
from companion.games.loknroll.rules import AnyStep, Game, RuleError, State
from companion.games.loknroll.rules.errors import NotationError
from companion.record.file import RecordError, Recording, RecordWriter, write_record
from companion.record.occasion import NOWHERE, Clock, Occasion
from vision.cards import DeckError

MOST_LINES: Final = 10_000
"""Of a game. A card makes at most 7 steps (draw, lay, roll, put, discard, end-turn, and its part of the rest), so the
110 cards of the largest deck make fewer than 800: each of them can be taken back and done anew six times over."""

_TOO_LONG: Final = f"the record has more than {MOST_LINES:,} steps, and no game has so many."


class Journal:
    """Witnesses a game and records each of its steps before it counts.

    Where a step cannot be recorded the game's ``do`` and ``take_back`` raise RecordError, and nothing has changed.
    """

    def __init__(self, writer: RecordWriter, lines: int = 0) -> None:
        """``lines`` are those that the record has already, its first one left out."""
        self._writer = writer
        self._lines = lines

    def step(self, before: State, step: AnyStep, following: State) -> None:
        """A step that is about to count."""
        self._append(notation.line(before, step, following))

    def take_back(self, count: int) -> None:
        """Steps that are about to be taken back; only where there is room to do them again, as a correction does."""
        self._append(notation.take_back_line(count), room=count)

    def close(self) -> None:
        self._writer.close()

    def _append(self, line: dict[str, Any], room: int = 0) -> None:
        # Else the game could not be read again.
        if self._lines + room >= MOST_LINES:
            raise RecordError(self._writer.path, f"{_TOO_LONG} Begin another game.", MOST_LINES + 2)
        self._writer.append(line)
        self._lines += 1


class Resumed(NamedTuple):
    """A game that goes on, and its record as it was found, but for a torn last line that was cut off."""

    game: Game
    journal: Journal
    recording: Recording


class Replayed(NamedTuple):
    """A line of a record that has been done: its number in the file, what it tells, and the game after it.

    ``taken_back`` counts the steps that it took back, 0 for every other line.
    """

    number: int
    told: dict[str, object]
    game: Game
    taken_back: int


def start_recorded(
    path: Path, state: State, occasion: Occasion = NOWHERE, clock: Clock | None = None
) -> tuple[Game, Journal]:
    """A new game from its set-up that is recorded in a new file; raises RecordError."""
    # Two games may begin alike: a number tells them apart.
    header = {**notation.header(state.setup), "id": secrets.token_hex(8), **occasion.fields()}
    journal = Journal(RecordWriter.create(path, header, clock))
    return Game(state, journal), journal


def resume_recorded(path: Path, clock: Clock | None = None) -> Resumed:
    """Goes on with a recorded game where it stands; raises RecordError."""
    writer, recording = RecordWriter.resume(path, clock)
    journal = Journal(writer, len(recording.lines))
    try:
        game = recorded_start(path, recording)
        for _ in replay(path, recording, game):
            pass
    except RecordError:
        journal.close()
        raise
    game.witness = journal
    return Resumed(game, journal, recording)


def save_recorded(path: Path, game: Game) -> None:
    """Writes a game that has been played as a record; raises RecordError."""
    states = game.states
    lines = (notation.line(*moment) for moment in zip(states, game.steps, states[1:], strict=False))
    write_record(path, notation.header(game.state.setup), lines)


def recorded_start(path: Path, recording: Recording) -> Game:
    """The game that a record is about, before its first step; raises RecordError."""
    if len(recording.lines) > MOST_LINES:
        raise RecordError(path, _TOO_LONG, MOST_LINES + 2)
    try:
        return Game(notation.start(recording.header))
    except (NotationError, DeckError, RuleError) as error:
        raise RecordError(path, str(error), 1) from error


def replay(path: Path, recording: Recording, game: Game) -> Iterator[Replayed]:
    """Does line after line on the game, each checked against the rules; raises RecordError with the line's number."""
    for number, told in enumerate(recording.lines, start=2):
        played = len(game.steps)
        try:
            notation.play_line(game, told)
        except (NotationError, RuleError) as error:
            raise RecordError(path, str(error), number) from error
        yield Replayed(number, told, game, max(0, played - len(game.steps)))
