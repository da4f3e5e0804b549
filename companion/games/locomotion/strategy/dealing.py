"""Plays a game with automatic players: draws the lots, rolls the dice, and asks each player for its turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.games.locomotion.networks.drawing_lots import spread
from companion.games.locomotion.rules import DrawLots, Game, Knobs, Mode, Network, Phase, Roll, RollOff, State, set_up
from companion.games.locomotion.rules.state import SIDES_OF_A_DIE
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.strategy.players.players import AutomaticPlayer

if TYPE_CHECKING:
    from random import Random


def drawn_start(
    random: Random, network: Network, names: Sequence[str], colours: int, *, mode: Mode, knobs: Knobs
) -> State:
    """A game before its first step: everything is put on dots that are drawn by lot, well spread (LSET4).

    Raises NoRoom.
    """
    places = spread(random, network, len(names) * (1 + colours))
    players = len(names)
    wagons = [places[players * colour :][:players] for colour in range(1, colours + 1)]
    return set_up(network, names, places[:players], wagons, mode=mode, knobs=knobs)


def step_of_chance(state: State, random: Random) -> AnyStep | None:
    """What lots or a die decide now; None where a player does."""
    if state.phase is Phase.DRAWING_LOTS:
        return DrawLots(
            tuple(random.sample(range(1, state.setup.players + 1), state.setup.players)),
            tuple(random.sample(range(1, state.setup.wagon_colours + 1), state.setup.wagon_colours)),
        )
    if state.phase is Phase.ROLLING_OFF:
        return RollOff(tuple(_rolled(random) for _ in state.contenders))
    return Roll(_rolled(random)) if state.phase is Phase.ROLLING else None


def _rolled(random: Random) -> int:
    return 1 + random.randrange(SIDES_OF_A_DIE)


def play(game: Game, players: Sequence[AutomaticPlayer], random: Random, most_turns: int) -> Iterator[State]:
    """Plays on; yields the state after each step. Ends when somebody has won, or after so many turns of all."""
    while (state := game.state).phase is not Phase.OVER and state.turns <= most_turns:
        step = step_of_chance(state, random)
        if step is not None:
            yield game.do(step)
            continue
        for chosen in players[state.active].turn(state, random):
            yield game.do(chosen)
