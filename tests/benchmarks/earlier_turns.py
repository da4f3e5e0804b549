"""How long it takes to find in which other ways the last turns may have been played, on 45 pieces with four players.

Run it as ``python -m tests.benchmarks.earlier_turns``. It happens where nothing leads to what lies on the table:
seldom, and only once people have let go of it.
"""

from __future__ import annotations

import time
from random import Random

from companion.games.locomotion.networks import draw_network
from companion.games.locomotion.play.pasts import other_pasts
from companion.games.locomotion.rules import ChooseSpeed, EndTurn, Game, Knobs, Mode, Phase, Roll, Run, load_piece
from companion.games.locomotion.rules.game import legal_motions
from companion.games.locomotion.rules.turn import speeds_allowed
from companion.games.locomotion.strategy.dealing import drawn_start, step_of_chance

GAMES = 3
STEPS = 400
FIRST = 60
"""Steps before the first turns that are measured: by then trains hang together."""


def any_step(game: Game, random: Random):
    """The fastest speed, and couplings and uncouplings rather often."""
    state = game.state
    if state.phase is Phase.CHOOSING:
        return ChooseSpeed(max(speeds_allowed(state)))
    motions = list(legal_motions(state))
    changes = [motion for motion in motions if not isinstance(motion, Run)]
    return random.choice(changes if changes and random.random() < 0.5 else motions or [EndTurn()])


def measured(mode: Mode, shape: str) -> list[float]:
    """Seconds for each beginning of a turn."""
    seconds = []
    for seed in range(GAMES):
        random = Random(seed)
        network = draw_network(random, load_piece(shape), 45).network
        game = Game(drawn_start(random, network, ["A", "B", "C", "D"], 4, mode=mode, knobs=Knobs()))
        while len(game.steps) < STEPS and game.state.phase is not Phase.OVER:
            step = step_of_chance(game.state, random) or any_step(game, random)
            game.do(step)
            begins = isinstance(step, Roll | ChooseSpeed) and game.state.phase is Phase.MOVING
            if begins and len(game.steps) > FIRST and random.random() < 0.3:
                begun = time.perf_counter()
                list(other_pasts(game))
                seconds.append(time.perf_counter() - begun)
    return sorted(seconds)


def main() -> None:
    for mode in Mode:
        for shape in "TXD":
            seconds = measured(mode, shape)
            median, worst = seconds[len(seconds) // 2], seconds[-1]
            print(f"{mode:5} {shape}  {len(seconds):3} turns  median {median:.3f} s  worst {worst:.3f} s")


if __name__ == "__main__":
    main()
