"""When and where a game is played, as its record may tell it (docs/record.md): all of it may be missing, or wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

LONGEST_WORDS: Final = 40
"""Of a place, a round or a table."""


class Clock(NamedTuple):
    """What tells the time: ``seconds`` since any fixed moment, and the date in ISO 8601, "" where nobody knows it."""

    seconds: Callable[[], float]
    date: Callable[[], str]


class Occasion(NamedTuple):
    """When a game began (ISO 8601 with its offset) and where, in people's own words; "" where it is not known."""

    date: str = ""
    place: str = ""
    round: str = ""
    table: str = ""

    @property
    def moment(self) -> float | None:
        """When it began, in seconds since 1970."""
        try:
            return datetime.fromisoformat(self.date).timestamp() if self.date else None
        except OverflowError:
            return None

    def fields(self) -> dict[str, str]:
        """What is known, as it stands in a record."""
        return {name: words for name, words in self._asdict().items() if words}


NOWHERE: Final = Occasion()
"""Of which nothing is known."""


def occasion_of(header: Mapping[str, Any]) -> Occasion:
    """What the first line of a record tells; what cannot be is left out."""
    date = header.get("date")
    place, circle, table = (_words(header.get(name)) for name in ("place", "round", "table"))
    return Occasion(date if isinstance(date, str) and _is_date(date) else "", place, circle, table)


def can_be_words(words: str) -> bool:
    """Whether they can name a place, a round or a table."""
    return words.isprintable() and len(words) <= LONGEST_WORDS


def at_of(line: Mapping[str, Any]) -> float | None:
    """How many seconds of play came before a line; None where it does not say so."""
    told = line.get("at")
    if isinstance(told, bool) or not isinstance(told, int | float):
        return None
    # A whole number of a record may be too large to be any time.
    return float(told) if 0 <= told <= _MOST_SECONDS else None


_MOST_SECONDS: Final = 1e9
"""Thirty years: nobody has played so long."""


class Stopwatch:
    """Counts the seconds that a game is played; what it says never goes back, whatever its clock does."""

    def __init__(self, seconds: Callable[[], float], lines: Iterable[Mapping[str, Any]] = ()) -> None:
        """It goes on from the last of these lines: how long the companion was switched off, no clock may know."""
        self._seconds = seconds
        self._read = seconds()
        self._played = max((at for line in lines if (at := at_of(line)) is not None), default=0.0)

    def at(self) -> float:
        """How long the game has been played, to a tenth of a second."""
        before, self._read = self._read, self._seconds()
        passed = self._read - before
        if math.isfinite(passed) and passed > 0:
            self._played = min(self._played + passed, _MOST_SECONDS)
        return round(self._played, 1)


def _words(told: object) -> str:
    return told if isinstance(told, str) and can_be_words(told) else ""


def _is_date(told: str) -> bool:
    try:
        return len(told) <= LONGEST_WORDS and datetime.fromisoformat(told).utcoffset() is not None
    except ValueError:
        return False
