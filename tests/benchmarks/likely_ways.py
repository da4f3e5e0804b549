"""How often the likeliest way of a turn is the one that was gone, where automatic players have played.

A turn that could have been played in several ways, of which another one was, takes people a press more.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

from companion.games.locomotion.networks.drawing_lots import draw_network
from companion.games.locomotion.rules import Game, Knobs, Mode, Phase, State, load_piece, piece_names
from companion.games.locomotion.strategy.dealing import drawn_start, step_of_chance
from companion.games.locomotion.strategy.players.players import PLAYERS
from companion.games.locomotion.table.seen import Seen, kinds_in
from companion.games.locomotion.table.ways import ways

_MOST_TURNS: Final = 40


def turns(who: str, seed: int) -> Iterator[tuple[State, State]]:
    """Of a game each turn: how it stood when the steps were known, and after it."""
    random = Random(seed)
    players, colours = random.randint(1, 3), random.randint(2, 4)
    pieces = random.choice((10, 16, 24)) + 4 * players
    network = draw_network(random, load_piece(random.choice(piece_names())), pieces).network
    mode = random.choice(list(Mode))
    game = Game(drawn_start(random, network, ["Ann", "Ben", "Cleo"][:players], colours, mode=mode, knobs=Knobs()))
    brains = [PLAYERS[who]() for _ in range(players)]
    while game.state.phase is not Phase.OVER and game.state.turns <= _MOST_TURNS:
        step = step_of_chance(game.state, random)
        if step is not None:
            game.do(step)
            continue
        before = None
        for step in brains[game.state.active].turn(game.state, random):
            before = game.state if before is None and game.state.phase is Phase.MOVING else before
            game.do(step)
        if before is not None:
            yield before, game.state


def seen_in(state: State) -> Seen:
    """All that stands there, read without a doubt."""
    return Seen({dot: [kind] for dot, kind in zip(state.stock.dots, kinds_in(state.setup), strict=True)})


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=36)
    parser.add_argument("--seed", type=int, default=100)
    options = parser.parse_args()
    for who in ("good", "greedy"):
        counts: Counter[str] = Counter()
        for seed in range(options.seed, options.seed + options.games):
            for before, after in turns(who, seed):
                found = ways(before, seen_in(after))
                counts["turns"] += 1
                if len(found) > 1:
                    counts["in several ways"] += 1
                    counts["likeliest"] += found[0].state.stock.rows == after.stock.rows
                    counts["shortest"] += (
                        min(found, key=lambda way: len(way.motions)).state.stock.rows == after.stock.rows
                    )
        print(f"{who}: {dict(counts)}")


if __name__ == "__main__":
    main()
