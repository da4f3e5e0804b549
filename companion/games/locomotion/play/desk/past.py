"""What the books say of games before this one; nothing where they cannot be read."""

from __future__ import annotations

from pathlib import Path

from companion.games.locomotion.record.agreement import TournamentAgreed
from companion.games.locomotion.record.solo_results import SoloResults, name_of_start
from companion.games.locomotion.record.tournaments import Tournaments
from companion.games.locomotion.rules import Game, Tournament
from companion.games.settings import nameless
from companion.record.file import RecordError


class Past:
    """Reads each book once: nothing is added to it while a game goes on."""

    def __init__(self, books: Path | None = None) -> None:
        """``books`` is their folder; None where nothing is kept."""
        self._books = books
        self._steps: dict[tuple[str, str], tuple[int, ...]] = {}
        self._standings: dict[str, Tournament] = {}

    def steps(self, game: Game) -> tuple[int, ...]:
        """How many steps the same player needed from the same start, time after time."""
        name = game.state.setup.names[0]
        asked = name_of_start(game), "" if name in nameless() else name
        if asked not in self._steps:
            self._steps[asked] = self._steps_from(*asked)
        return self._steps[asked]

    def _steps_from(self, start: str, player: str) -> tuple[int, ...]:
        try:
            return () if self._books is None else SoloResults(self._books).steps_from(start, player)
        except (RecordError, OSError):
            return ()

    def standing(self, agreed: TournamentAgreed, names: tuple[str, ...]) -> Tournament:
        """How a tournament stood before this game."""
        if agreed.id not in self._standings:
            self._standings[agreed.id] = self._standing(agreed, names)
        return self._standings[agreed.id]

    def _standing(self, agreed: TournamentAgreed, names: tuple[str, ...]) -> Tournament:
        nothing = Tournament(names, agreed.games)
        try:
            return nothing if self._books is None else Tournaments(self._books).standing(agreed, names)
        except (RecordError, OSError):
            return nothing
