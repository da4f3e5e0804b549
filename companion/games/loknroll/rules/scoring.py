"""The end of a game: penalty points, ties, and who has won (END3, END4, SOLO2, BET8)."""

from collections import Counter

import msgspec

from companion.games.loknroll.rules.state import Phase, State, total


class Score(msgspec.Struct, frozen=True):
    """A player's result. For the automaton ``points`` is the number of its cards (BET8)."""

    points: int
    cards: int
    values: tuple[int, int, int, int]
    """How many cards of the values 4, 3, 2 and 1: ties are broken in this order."""


class Result(msgspec.Struct, frozen=True):
    """The scores of all players, and the numbers of those who have won; none in a solo game that is lost."""

    scores: tuple[Score, ...]
    winners: tuple[int, ...]


def scores(state: State) -> tuple[Score, ...]:
    """What the piles are worth as they lie; hands that are still hidden do not count."""
    return tuple(_score(state, number) for number in range(len(state.players)))


def result(state: State) -> Result | None:
    """The result of a game that is over; None before."""
    if state.phase is not Phase.OVER:
        return None
    standing = scores(state)
    if state.is_lost:
        return Result(standing, ())
    if state.setup.automaton is not None:
        # An equal number is no win (BET8).
        return Result(standing, (0,) if standing[0].points < standing[1].points else (1,))
    best = min(_rank(score) for score in standing)
    return Result(standing, tuple(number for number, score in enumerate(standing) if _rank(score) == best))


def _score(state: State, number: int) -> Score:
    pile = state.players[number].pile
    count = Counter(face.value for face in pile)
    points = len(pile) if number == state.setup.automaton else total(pile)
    return Score(points, len(pile), (count[4], count[3], count[2], count[1]))


def _rank(score: Score) -> tuple[int, ...]:
    """Smaller is better: fewest points, then cards, then 4s, 3s, 2s and 1s (END4)."""
    return (score.points, score.cards, *score.values)
