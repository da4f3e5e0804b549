"""A tournament: so many games, and points for each (LTRN1)."""

from __future__ import annotations

from itertools import takewhile

import msgspec

from companion.games.locomotion.rules.errors import NotAllowed, NotNow
from companion.games.locomotion.rules.state import Phase, State

POINTS_OF_THE_WINNER = 5


def points(state: State) -> tuple[int, ...]:
    """What a game that is over brings each player; raises NotNow.

    The winner gets 5, another 1 for each wagon in the right order from the first place behind the locomotive on.
    """
    if state.phase is not Phase.OVER:
        raise NotNow("LTRN1", "not-over")
    return tuple(
        POINTS_OF_THE_WINNER if player == state.winner else _in_order(state, locomotive)
        for player, locomotive in enumerate(state.drawn)
    )


def _in_order(state: State, locomotive: int) -> int:
    wagons = (state.setup.colours[wagon] for wagon in state.stock.row_of(locomotive)[1:])
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(wagons, state.order, strict=False)))


class Tournament(msgspec.Struct, frozen=True):
    """What was agreed, and the points of the games so far, each for every player."""

    names: tuple[str, ...]
    games: int
    results: tuple[tuple[int, ...], ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether all games that were agreed are played."""
        return len(self.results) >= self.games

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of all games added up."""
        return tuple(sum(result[player] for result in self.results) for player in range(len(self.names)))

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has most points after all games, several where they are equal; nobody before that."""
        return tuple(p for p, total in enumerate(self.totals) if total == max(self.totals)) if self.is_over else ()


def agree(names: tuple[str, ...], games: int) -> Tournament:
    """A tournament before its first game; raises NotAllowed."""
    if games < 1:
        raise NotAllowed("LTRN1", "games-agreed", count=games)
    return Tournament(names, games)


def after_game(tournament: Tournament, state: State) -> Tournament:
    """The tournament with another game's points; raises NotNow."""
    if tournament.is_over:
        raise NotNow("LTRN1", "tournament-over")
    return msgspec.structs.replace(tournament, results=(*tournament.results, points(state)))
