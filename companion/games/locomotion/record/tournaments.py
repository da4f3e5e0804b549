"""The games of tournaments with their points, kept from game to game (LTRN1)."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

import msgspec

from companion.games.locomotion.record.agreement import TournamentAgreed, agreement_in
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import Phase, Tournament, points
from companion.record.file import read_record
from companion.record.occasion import occasion_of
from companion.record.results import Results

_HEADER: Final = {"game": "locomotion", "what": "tournaments"}


class TournamentGame(msgspec.Struct, frozen=True):
    """A game of a tournament that is over: the points of each player, who are called by their ``names``.

    ``game`` names it as its record does, and ``date`` says when it began as there.
    """

    tournament: TournamentAgreed
    names: tuple[str, ...]
    points: tuple[int, ...]
    game: str = ""
    date: str = ""


class Tournaments(Results[TournamentGame]):
    """All tournaments in a file."""

    def __init__(self, folder: Path) -> None:
        """The file in this folder is made with the end of the first game."""
        super().__init__(folder / "locomotion-tournaments.jsonl", _HEADER, TournamentGame)

    def standing(self, agreed: TournamentAgreed, names: Sequence[str]) -> Tournament:
        """How a tournament of these players stands after the games that are in the book; raises RecordError."""
        results = [game.points for game in self.all() if game.tournament == agreed and len(game.points) == len(names)]
        return Tournament(tuple(names), agreed.games, tuple(results[: agreed.games]))

    def next_game(self, names: Sequence[str], games: int) -> TournamentAgreed:
        """Of which tournament the next game of these players is: the last one goes on, if it is not over yet.

        ``names`` are "" for who has none. Raises RecordError.
        """
        last = next(iter(self.all()[::-1]), None)
        if last is None or (last.names, last.tournament.games) != (tuple(names), games):
            return new_tournament(games)
        is_over = self.standing(last.tournament, names).is_over
        return new_tournament(games) if is_over else last.tournament


def new_tournament(games: int) -> TournamentAgreed:
    """Another one than any before."""
    return TournamentAgreed(secrets.token_hex(8), games)


def keep_points_of(record: Path, tournaments: Tournaments, nameless: Collection[str] = ()) -> None:
    """Keeps the points of a recorded game if it is one of a tournament that is over; raises RecordError.

    May be called again and again: each game counts once. ``nameless`` are names that stand for nobody.
    """
    recording = read_record(record)
    told = recording.header
    agreed = agreement_in(told).tournament
    if agreed is None:
        return
    state = RECORDS.played(record, recording).state
    if state.phase is Phase.OVER and state.setup.players > 1:
        names = tuple("" if name in nameless else name for name in state.setup.names)
        game = str(told.get("id", ""))
        tournaments.add(TournamentGame(agreed, names, points(state), game, occasion_of(told).date))
