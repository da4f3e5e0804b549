"""How long it takes to find how a turn was played, and how often the likeliest way is the one that was gone.

    python -m tests.companion.games.locomotion.table.measure_ways 100

Games of automatic players on the networks that ship, in all modes and with all knobs. The times are those of the
processor alone; a Raspberry Pi Zero 2 takes some ten times as long.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from typing import TypeVar

from companion.games.locomotion.networks import NoRoom
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.rules import ChooseSpeed, EndTurn, Mode, Phase, State, after
from companion.games.locomotion.strategy.dealing import drawn_start, step_of_chance
from companion.games.locomotion.strategy.players.players import PLAYERS
from companion.games.locomotion.table.explanation import explained
from companion.games.locomotion.table.search import hanging
from companion.games.locomotion.table.seen import Seen, standing_so
from companion.games.locomotion.table.ways import ways
from tests.companion.games.locomotion.rules.knobs import KNOBS

Answer = TypeVar("Answer")
TURNS = 40
"""Of a game at most."""


class Measured:
    """All that was measured."""

    def __init__(self) -> None:
        self.found: list[float] = []
        self.refused: list[float] = []
        self.turns = self.several = self.wrong = 0

    def turn(self, begun: State, ended: State, random: Random) -> None:
        """A turn that was played, and the same with what stands on two dots exchanged."""
        setup = begun.setup
        seen = standing_so(setup, ended.stock)
        found = timed(self.found, lambda: ways(begun, seen))
        hung = [hanging(setup, way.state.stock) for way in found]
        self.turns += 1
        self.several += len(found) > 1
        self.wrong += hung[0] != hanging(setup, ended.stock)
        one, other = random.sample(range(len(setup.network.dots)), 2)
        places = {one: other, other: one}
        kinds = {places.get(dot, dot): kind for dot, kind in seen.kinds.items()}
        if not ways(begun, Seen(kinds)):
            timed(self.refused, lambda: explained(begun, Seen(kinds)))

    def __str__(self) -> str:
        return (
            f"{self.turns} turns, {self.several} that may have been played in several ways; the likeliest was wrong in "
            f"{self.wrong}.\nWays: {in_ms(self.found)}.\nWhy there is none: {in_ms(self.refused)}."
        )


def timed(times: list[float], ask: Callable[[], Answer]) -> Answer:
    begun = time.process_time()
    answer = ask()
    times.append(time.process_time() - begun)
    return answer


def in_ms(times: Sequence[float]) -> str:
    return f"median {1000 * median(times):.1f} ms, longest {1000 * max(times):.1f} ms"


def play(random: Random, measured: Measured) -> None:
    """A game of good or greedy players."""
    players, mode = random.randint(1, 4), random.choice(list(Mode))
    network = random.choice(list(named_networks().values())).network()
    names = ("Ann", "Ben", "Cem", "Dan")[:players]
    try:
        state = drawn_start(random, network, names, random.randint(2, 4), mode=mode, knobs=random.choice(KNOBS))
    except NoRoom:
        return
    playing = [PLAYERS[random.choice(["good", "greedy"])]() for _ in names]
    while state.phase is not Phase.OVER and state.turns <= TURNS:
        step = step_of_chance(state, random)
        if step is not None:
            state = after(state, step)
            continue
        begun, turn = state, playing[state.active].turn(state, random)
        for motion in turn:
            if isinstance(motion, EndTurn):
                break
            state = after(state, motion)
            if isinstance(motion, ChooseSpeed):
                begun = state
        if begun.phase is Phase.MOVING:
            measured.turn(begun, state, random)
        if state.phase is Phase.MOVING:
            state = after(state, EndTurn())


def main(games: int) -> None:
    random, measured = Random(1), Measured()
    for _ in range(games):
        play(random, measured)
    print(measured)


if __name__ == "__main__":
    main(int(sys.argv[1]))
