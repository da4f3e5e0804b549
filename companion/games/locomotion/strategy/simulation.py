"""Many games between automatic players, on all cores."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from functools import partial
from random import Random
from typing import Final, NamedTuple

from companion.dice.box import Source
from companion.games.locomotion.networks.drawing_lots import draw_network
from companion.games.locomotion.rules import Game, Knobs, Mode, Network, Piece, State
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.strategy.dealing import drawn_start, play
from companion.games.locomotion.strategy.players.players import PLAYERS, AutomaticPlayer
from companion.games.many_games import play_many

TRIES: Final = 20
"""So often another network is drawn where none was found, or where not all find room on it."""


class DrawnByLot(NamedTuple):
    """A network of so many such pieces, another one for each start."""

    piece: Piece
    pieces: int


class Plan(NamedTuple):
    """What is played: on which network, who plays (names of PLAYERS), and when a game is broken off."""

    network: Network | DrawnByLot
    players: tuple[str, ...]
    colours: int
    mode: Mode
    knobs: Knobs
    seed: int
    most_turns: int


class PlayedGame(NamedTuple):
    """How a game ended, with its number: they do not end in the order in which they began.

    ``winner`` is the number of a player of the plan, None where it was broken off. ``turns`` are those of all. For each
    player of the plan: how many turns it thought about, for how many seconds of the processor in all, and at most.
    """

    number: int
    winner: int | None
    turns: int
    thought: tuple[int, ...]
    seconds: tuple[float, ...]
    longest: tuple[float, ...]


def play_games(plan: Plan, games: int, processes: int) -> Generator[list[PlayedGame]]:
    """Plays the games and yields them as they end; raises ValueError where there is no room for all.

    Each start is played as often as there are players, every time with another one in the first seat.
    """
    return play_many(partial(_play_batch, plan), games, processes, at_a_time=1)


def _play_batch(plan: Plan, numbers: range) -> list[PlayedGame]:
    return [_play_game(plan, number) for number in numbers]


def _play_game(plan: Plan, number: int) -> PlayedGame:
    start, first = divmod(number, len(plan.players))
    random = Random(f"{plan.seed}:{start}")
    state = _start(plan, random)
    timed = [_Timed(PLAYERS[name]()) for name in plan.players]
    game = Game(state)
    for _ in play(game, [*timed[first:], *timed[:first]], random, plan.most_turns):
        pass
    winner = game.state.winner
    return PlayedGame(
        number=number,
        winner=None if winner is None else (winner + first) % len(timed),
        turns=game.state.turns,
        thought=tuple(player.turns for player in timed),
        seconds=tuple(round(player.seconds, 6) for player in timed),
        longest=tuple(round(player.longest, 6) for player in timed),
    )


def _start(plan: Plan, random: Random) -> State:
    names = [str(number) for number in range(len(plan.players))]
    for tries_left in reversed(range(TRIES)):
        try:
            drawn = plan.network
            network = draw_network(random, *drawn).network if isinstance(drawn, DrawnByLot) else drawn
            return drawn_start(random, network, names, plan.colours, mode=plan.mode, knobs=plan.knobs)
        except ValueError:  # from some beginnings no network grows
            if not tries_left:
                raise
    raise AssertionError("the last attempt returns or raises")


class _Timed:
    """A player whose thinking is timed."""

    def __init__(self, player: AutomaticPlayer) -> None:
        self._player = player
        self.turns = 0
        self.seconds = self.longest = 0.0

    def turn(self, state: State, source: Source) -> Sequence[AnyStep]:
        begun = time.process_time()
        steps = self._player.turn(state, source)
        seconds = time.process_time() - begun
        self.turns += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)
        return steps
