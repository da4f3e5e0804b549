"""The scores of solo games, kept across games (clause SOLO1)."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from companion.games.loknroll.record.recorded_game import recorded_start, replay
from companion.games.loknroll.rules import Phase, State, result
from companion.games.loknroll.rules.variant import comparable
from companion.record.file import RecordError, RecordWriter, cannot_write, read_record
from companion.record.occasion import Occasion, occasion_of
from companion.record.whole_file import put_aside

_LONGEST_BYTES: Final = 1_000
"""Of a score: one of our own games has some 200."""
_HEADER: Final = {"game": "loknroll", "what": "solo scores"}


class SoloScore(msgspec.Struct, frozen=True):
    """The end of a solo game. Games lost by derailing (SOLO2) have their points too, but do not count for the best.

    ``edition`` is its title, for another deck or other rules than the edition's with what tells them from it.
    ``game`` names the game as its record does, "" for one without a record, and ``date`` says when it began as there.
    """

    player: str
    edition: str
    mode: str
    points: int
    cards: int
    is_lost: bool
    game: str = ""
    date: str = ""

    @property
    def kind(self) -> tuple[str, str, str]:
        """Scores of the same player in the same game can be compared."""
        return self.player, self.edition, self.mode


class SoloScores:
    """The solo scores in a file; each is safely on the disk once it is added."""

    def __init__(self, path: Path) -> None:
        """The file is made with the first score."""
        self.path = path

    def add(self, score: SoloScore) -> list[SoloScore]:
        """Keeps a score, in place of another of the same game; raises RecordError.

        Returns all that can be compared with it, in the order of ``all``.
        """
        writer, told = self._opened()
        with writer:
            kept = self._scores(told)
            if not score.game or score not in kept:
                writer.append(msgspec.to_builtins(score))
        return [other for other in _by_date(_last_of_each([*kept, score])) if other.kind == score.kind]

    def past(self, kind: tuple[str, str, str]) -> list[SoloScore]:
        """The scores of this kind so far, in the order played; raises RecordError."""
        return [score for score in self.all() if score.kind == kind]

    def all(self) -> list[SoloScore]:
        """All scores so far, by the dates of their games; raises RecordError."""
        return _by_date(_last_of_each(self._scores(read_record(self.path).lines))) if self.path.exists() else []

    def _scores(self, lines: list[dict[str, Any]]) -> list[SoloScore]:
        return [self._score(line, number) for number, line in enumerate(lines, start=2)]

    def _opened(self) -> tuple[RecordWriter, list[dict[str, Any]]]:
        if os.path.lexists(self.path):
            try:
                self._scores(read_record(self.path).lines)
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
        return RecordWriter.create(self.path, _HEADER), []

    def _put_aside(self) -> None:
        try:
            put_aside(self.path)
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def _score(self, line: dict[str, Any], number: int) -> SoloScore:
        try:
            return msgspec.convert(line, SoloScore)
        except msgspec.ValidationError as error:
            raise RecordError(self.path, f"this is no solo score: {error}.", number) from error


def solo_scores_in(folder: Path) -> SoloScores:
    """The solo scores that are kept in a folder."""
    return SoloScores(folder / "solo-scores.jsonl")


def _last_of_each(scores: Sequence[SoloScore]) -> list[SoloScore]:
    """Of each game the score that was kept last: its end may have been taken back and played anew."""
    last = {score.game: score for score in scores if score.game}
    firsts = {score.game: index for index, score in reversed(list(enumerate(scores)))}
    return [
        last.get(score.game, score)
        for index, score in enumerate(scores)
        if not score.game or firsts[score.game] == index
    ]


def _by_date(scores: Sequence[SoloScore]) -> list[SoloScore]:
    """The earliest first: games from elsewhere are taken in late. One without a date stays behind the one before it."""
    latest, begun = float("-inf"), []
    for score in scores:
        latest = Occasion(score.date).moment or latest
        begun.append(latest)
    return [scores[index] for index in sorted(range(len(scores)), key=begun.__getitem__)]


def keep_score_of(record: Path, scores: SoloScores, nameless: Collection[str] = ()) -> None:
    """Keeps the score of a recorded game if it is a solo game that is over; raises RecordError.

    May be called at any time and again and again: each game has one score, so none is lost when the power is cut
    between the last card and its score. ``nameless`` are names that stand for nobody. A record from outside may call
    its game or its player what no book has room for: such a score is left out.
    """
    recording = read_record(record)
    game = recorded_start(record, recording)
    for _ in replay(record, recording, game):
        pass
    if game.state.setup.mode.is_solo and game.state.phase is Phase.OVER:
        score = solo_score(game.state)
        score = replace(
            score,
            player="" if score.player in nameless else score.player,
            game=str(recording.header.get("id", "")),
            date=occasion_of(recording.header).date,
        )
        if len(msgspec.json.encode(score)) <= _LONGEST_BYTES:
            scores.add(score)


def curve_for(scores: SoloScores, start: State, nameless: Collection[str] = ()) -> tuple[int, ...]:
    """The points of past games like the one that starts so, the lost ones left out; none where they are unreadable."""
    setup = start.setup
    player = "" if setup.names[0] in nameless else setup.names[0]
    try:
        past = scores.past((player, comparable(setup), setup.mode.value)) if setup.mode.is_solo else []
    except RecordError:
        return ()
    return tuple(score.points for score in past if not score.is_lost)


def solo_score(state: State) -> SoloScore:
    """The score of a solo game that is over."""
    outcome = result(state)
    if outcome is None or not state.setup.mode.is_solo:
        raise ValueError("Only a solo game that is over has a solo score.")
    setup, score = state.setup, outcome.scores[0]
    return SoloScore(setup.names[0], comparable(setup), setup.mode.value, score.points, score.cards, state.is_lost)


def best_points(scores: list[SoloScore]) -> int | None:
    """The fewest points of the games that were not lost."""
    return min((score.points for score in scores if not score.is_lost), default=None)
