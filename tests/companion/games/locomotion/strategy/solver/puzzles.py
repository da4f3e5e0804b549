"""Solo puzzles for tests: drawn at random, played, and told to the plain witness."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.games.locomotion.rules import (
    BadNetwork,
    DrawLots,
    Game,
    Knobs,
    Mode,
    Motion,
    Network,
    Phase,
    Piece,
    PlacedPiece,
    Roll,
    State,
    after,
    lay,
    load_piece,
    set_up,
)
from companion.games.locomotion.rules.network import cells_of
from companion.games.locomotion.rules.sides import beyond
from companion.games.locomotion.strategy.solver.solo import Solution, solve
from tests.companion.games.locomotion.plain import game as plain_game
from tests.companion.games.locomotion.plain.network import network_of
from tests.companion.games.locomotion.rules.networks import PINWHEEL, network

Dot = tuple[int, int]


class Puzzle(NamedTuple):
    network: Network
    locomotive: Dot
    wagons: tuple[Dot, ...]
    """Of wagon 1, 2..."""
    order: tuple[int, ...]


def random_puzzle(pieces: int, wagons: int, seed: int, shape: str = "T", tries: int = 1) -> Puzzle:
    """With more tries the network has more loops: of so many pieces the one that is joined most often is laid next."""
    chance = random.Random(f"{shape} {pieces} {wagons} {tries} {seed}")
    network = random_network(load_piece(shape), pieces, chance, tries)
    locomotive, *places = chance.sample(network.dots, wagons + 1)
    return Puzzle(network, locomotive, tuple(places), tuple(chance.sample(range(1, wagons + 1), wagons)))


def random_network(piece: Piece, count: int, chance: random.Random, tries: int) -> Network:
    laid = [PlacedPiece((0, 0), "E")]
    network = lay(piece, laid)
    while len(laid) < count:
        fitting = [found for _ in range(tries) if (found := _one_more(piece, laid, network, chance))]
        if not fitting:  # no way leads on
            laid = laid[: len(laid) // 2 + 1]
            network = lay(piece, laid)
            continue
        network = max(fitting, key=_joints)
        laid = list(network.pieces)
    return network


def _joints(network: Network) -> int:
    return sum(other is not None for joined in network.neighbours for other in joined)


def _one_more(piece: Piece, laid: list[PlacedPiece], network: Network, chance: random.Random) -> Network | None:
    open_ends = [
        beyond(dot, side)
        for number, dot in enumerate(network.dots)
        for side in {side for passage in network.passages[number] for side in passage}
        if network.neighbours[number][side] is None
    ]
    for _ in range(60):
        heading = chance.choice("ESWN")
        at = cells_of(piece, PlacedPiece((0, 0), heading))
        x, y = chance.choice(open_ends)
        across, down = chance.choice(at)
        placed = PlacedPiece((x - across, y - down), heading)
        if set(cells_of(piece, placed)) & set(network.dots):
            continue
        try:
            return lay(piece, [*laid, placed])
        except BadNetwork:
            continue
    return None


def golden(*order: int) -> Puzzle:
    return Puzzle(network(PINWHEEL), (2, 0), ((1, 3), (-2, 2), (-1, -1), (0, 2)), order)


def solved(puzzle: Puzzle, has_time: Callable[[], bool] = lambda: True, **limits: int) -> Solution:
    return solve(start_of(puzzle), has_time=has_time, **limits)


def start_of(puzzle: Puzzle, mode: Mode = Mode.DIE, knobs: Knobs | None = None) -> State:
    wagons = [[dot] for dot in puzzle.wagons]
    state = set_up(puzzle.network, ["Ann"], [puzzle.locomotive], wagons, mode=mode, knobs=knobs)
    return after(state, DrawLots((1,), puzzle.order))


def is_won_by(puzzle: Puzzle, plan: Sequence[Motion]) -> bool:
    """Whether the rules accept the plan step by step, and the game is won with its last step and no sooner."""
    game = Game(start_of(puzzle))
    for motion in plan:
        if game.state.phase is Phase.ROLLING:
            game.do(Roll(6))
        if game.state.phase is not Phase.MOVING:
            return False
        game.do(motion)
    return game.state.phase is Phase.OVER


def as_plain(puzzle: Puzzle) -> plain_game.Game:
    pieces = [(placed.cell, placed.heading) for placed in puzzle.network.pieces]
    passages = {  # as the piece's file has them: a piece is data
        dot: frozenset("".join(sorted(side.name for side in passage)) for passage in passages)
        for dot, passages in zip(puzzle.network.dots, puzzle.network.passages, strict=True)
    }
    network = network_of(puzzle.network.piece.name, pieces)._replace(passages=passages)
    wagons = [(dot, wagon) for wagon, dot in enumerate(puzzle.wagons, 1)]
    return plain_game.set_up(network, "die", puzzle.order, [puzzle.locomotive], wagons)
