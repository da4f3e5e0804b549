"""The scores of solo games, kept across games (clause SOLO1)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.loknroll import State, result
from companion.record import RecordError, RecordWriter

_HEADER: Final = {"game": "loknroll", "what": "solo scores"}


class SoloScore(msgspec.Struct, frozen=True):
    """The end of a solo game. Games lost by derailing (SOLO2) have their points too, but do not count for the best."""

    player: str
    edition: str
    mode: str
    points: int
    cards: int
    is_lost: bool

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
        """Keeps a score; returns all that can be compared with it, in the order played; raises RecordError."""
        writer, told = self._opened()
        with writer:
            kept = [self._score(line, number) for number, line in enumerate(told, start=2)]
            writer.append(msgspec.to_builtins(score))
        return [other for other in (*kept, score) if other.kind == score.kind]

    def _opened(self) -> tuple[RecordWriter, list[dict[str, Any]]]:
        if self.path.exists():
            writer, recording = RecordWriter.resume(self.path)
            return writer, recording.lines
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RecordError(self.path, f"its folder cannot be made: {error.strerror}.") from error
        return RecordWriter.create(self.path, _HEADER), []

    def _score(self, line: dict[str, Any], number: int) -> SoloScore:
        try:
            return msgspec.convert(line, SoloScore)
        except msgspec.ValidationError as error:
            raise RecordError(self.path, f"this is no solo score: {error}.", number) from error


def solo_score(state: State) -> SoloScore:
    """The score of a solo game that is over."""
    outcome = result(state)
    if outcome is None or not state.setup.mode.is_solo:
        raise ValueError("Only a solo game that is over has a solo score.")
    setup, score = state.setup, outcome.scores[0]
    return SoloScore(setup.names[0], setup.edition.title, setup.mode.value, score.points, score.cards, state.is_lost)


def best_points(scores: list[SoloScore]) -> int | None:
    """The fewest points of the games that were not lost."""
    return min((score.points for score in scores if not score.is_lost), default=None)


def default_path() -> Path:
    """Where the scores are kept: in the service's state directory, else in the user's."""
    state = os.environ.get("STATE_DIRECTORY")
    if state:
        return Path(state) / "solo-scores.jsonl"
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(home) / "companion" / "solo-scores.jsonl"
