"""The scores of solo games, kept across games (clause SOLO1)."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from companion.games.loknroll.record.recorded_game import recorded_start, replay
from companion.games.loknroll.rules import Phase, State, result
from companion.games.loknroll.rules.variant import comparable
from companion.record.file import RecordError, read_record
from companion.record.occasion import occasion_of
from companion.record.results import Results

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


class SoloScores(Results[SoloScore]):
    """The solo scores in a file."""

    def __init__(self, path: Path) -> None:
        """The file is made with the first score."""
        super().__init__(path, _HEADER, SoloScore)

    def add(self, score: SoloScore) -> list[SoloScore]:
        """Keeps a score, in place of another of the same game; raises RecordError.

        Returns all that can be compared with it, in the order of ``all``.
        """
        return [other for other in super().add(score) if other.kind == score.kind]

    def past(self, kind: tuple[str, str, str]) -> list[SoloScore]:
        """The scores of this kind so far, in the order played; raises RecordError."""
        return [score for score in self.all() if score.kind == kind]


def solo_scores_in(folder: Path) -> SoloScores:
    """The solo scores that are kept in a folder."""
    return SoloScores(folder / "solo-scores.jsonl")


def keep_score_of(record: Path, scores: SoloScores, nameless: Collection[str] = ()) -> None:
    """Keeps the score of a recorded game if it is a solo game that is over; raises RecordError.

    May be called at any time and again and again: each game has one score, so none is lost when the power is cut
    between the last card and its score. ``nameless`` are names that stand for nobody.
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
