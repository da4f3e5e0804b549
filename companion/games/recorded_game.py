"""What a game says of games that were played: all that replays and past evenings ask of it.

A game that cannot be played at the table yet is a ``RecordedGame`` already; ``companion.games.game.Game`` is one that
can. ``registry`` lists both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from companion.dice.box import Die
from companion.games.settings import Settings
from companion.games.step import RuleError
from companion.record.file import RecordError, Recording
from companion.record.occasion import Clock


class Keep(NamedTuple):
    """Where a game is kept: the file of its record, and the folder with the books of results.

    ``clock`` is for the record, and says which puzzle is that of the day: no rule of a game asks for the time.
    """

    record: Path
    books: Path
    clock: Clock | None = None


class Summary(NamedTuple):
    """What came of a recorded game: ``points`` and ``winners`` (names) are empty before its end.

    ``players`` are the names at the seats, of which the first ``persons`` are people's.
    """

    kind: str
    players: tuple[str, ...]
    persons: int
    is_over: bool
    points: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()


class Rolled(NamedTuple):
    """Dice of one kind that were rolled together, and what they showed."""

    die: Die
    faces: tuple[int, ...]


class Score(NamedTuple):
    """A result in the book. Those of the same ``player``, ``kind`` and ``rules`` can be compared.

    ``game`` is the ``id`` in the game's record, "" for one without; a game that ``is_lost`` has points that do not
    count for the best.
    """

    player: str
    kind: str
    rules: str
    points: int
    is_lost: bool
    game: str


class Tone(Enum):
    """What a line is: a heading, something that happens, or how the table lies."""

    HEADING = "heading"
    EVENT = "event"
    TABLE = "table"


class Line(NamedTuple):
    """A line of a story."""

    tone: Tone
    text: str


class BrokenRule(RecordError):
    """A line of a record is against the rules: ``clause`` says against which."""

    def __init__(self, path: Path, reason: str, line: int | None, clause: str) -> None:
        super().__init__(path, reason, line)
        self.clause = clause


class Moment(NamedTuple):
    """What a line of a record tells: sentences, and the same as plain data.

    Where the line changes what lies there, ``table`` among the facts says how it lies then. In it ``cards`` lists
    what lies in the middle from rear to front, each with ``face``, ``x``, ``y`` (mm, of its centre) and ``turn``
    (degrees clockwise), and ``figures`` what stands there, with a ``name`` in place of the face; both are missing where
    nobody has said where things lie. What a play draws itself may have its ``size``, too, in mm. How they look says
    ``RecordedGame.face``. Whatever else the table has is the game's own.
    """

    lines: Sequence[Line]
    facts: Mapping[str, Any]


def by_its_rules(moments: Iterator[Moment], say: Callable[[RuleError], str]) -> Iterator[Moment]:
    """The moments of a record; where a line is against the rules it raises BrokenRule, in the words of ``say``."""
    try:
        yield from moments
    except RecordError as error:
        cause = error.__cause__
        if not isinstance(cause, RuleError):
            raise
        raise BrokenRule(error.path, say(cause), error.line, cause.clause) from error


class Book(Protocol):
    """The results that a game keeps of one evening after another."""

    def keep_result(self, keep: Keep) -> None:
        """Enters the result of the game, if it is over and has one; each only once. Raises RecordError."""

    def scores(self, keep: Keep) -> Sequence[Score]:
        """The results in the book, in the order in which the games ended; raises RecordError."""

    def rules_called(self, rules: str, language: str) -> str:
        """What people call the ``rules`` of a score; raises ValueError for a language that is none of LANGUAGES."""


class RecordedGame(Protocol):
    """A game whose records can be read. Nothing of it needs a device, a clock or chance of its own."""

    name: str
    """In records, settings and folders: lower case, without spaces."""
    title: str
    """As people read it, the same in every language."""

    @property
    def book(self) -> Book | None:
        """Where its results are kept; None where none are."""

    def kinds(self, settings: Settings) -> Mapping[str, str]:
        """What people call each kind of it in the language of the settings, by the word that a ``Summary`` has."""

    def told(self, path: Path, recording: Recording, language: str) -> Iterator[Moment]:
        """A record told: its beginning, a moment for each line, at last how it stands.

        Raises RecordError, or BrokenRule, at the line that is wrong.
        """

    def summary(self, path: Path, recording: Recording) -> Summary:
        """What came of a game, each line checked against the rules; raises RecordError."""

    def rolls(self, recording: Recording) -> Iterator[Rolled]:
        """The dice that fell in a game, each once, whatever was taken back; of a record that has a ``summary``."""

    def picture(self, path: Path, recording: Recording, moment: int | None = None) -> str:
        """What lay in the middle of the table as an SVG, at a moment (as ``told`` counts them, from 0) or at the end.

        "" where nobody has said where it lay; raises RecordError, and IndexError for a moment that there is not.
        """

    def face(self, path: Path, recording: Recording, name: str) -> str:
        """A face or a figure of a record as an SVG of its size, drawn as in ``picture``; "" where there is none.

        Raises RecordError. Only the first line is looked at.
        """
