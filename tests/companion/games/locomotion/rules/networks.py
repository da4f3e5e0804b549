"""Networks and games on them, for tests."""

from collections.abc import Sequence
from itertools import pairwise

from companion.games.locomotion.rules import (
    DrawLots,
    Game,
    Knobs,
    Mode,
    Network,
    PlacedPiece,
    Roll,
    RollOff,
    lay,
    load_piece,
    set_up,
)

Dot = tuple[int, int]
Placed = tuple[Dot, str]

PINWHEEL: Sequence[Placed] = [((0, 0), "E"), ((1, 1), "S"), ((0, 2), "W"), ((-1, 1), "N")]
"""Four pieces whose arcs make a ring, each with two dots outside it."""
LINE: Sequence[Placed] = [((0, 0), "E"), ((3, 0), "E"), ((6, 0), "E")]
"""Nine dots in a row, from (0, 0) to (8, 0); their arcs lead nowhere."""
TURNOUT: Sequence[Placed] = [((0, 0), "E"), ((1, 1), "S"), ((3, 0), "E")]
"""(0, 0) to (5, 0) in a row; from (1, 0) an arc, from the west, to (1, 1), (1, 2) and (1, 3)."""
NAMES = ("Ann", "Ben", "Cem", "Dan")


def network(pieces: Sequence[Placed], shape: str = "T") -> Network:
    return lay(load_piece(shape), [PlacedPiece(cell, heading) for cell, heading in pieces])


def game_on(
    pieces: Sequence[Placed],
    locomotives: Sequence[Dot],
    wagons: Sequence[Sequence[Dot]],
    *,
    mode: Mode = Mode.DIE,
    knobs: Knobs | None = None,
    order: Sequence[int] = (),
) -> Game:
    """A game in which lots are drawn, player 0 has locomotive 1 and begins."""
    players = len(locomotives)
    game = Game(set_up(network(pieces), NAMES[:players], locomotives, wagons, mode=mode, knobs=knobs))
    game.do(DrawLots(tuple(range(1, players + 1)), tuple(order) or tuple(range(1, len(wagons) + 1))))
    if players > 1:
        game.do(RollOff((6, *(1,) * (players - 1))))
    return game


def rolled(game: Game, number: int = 6) -> Game:
    game.do(Roll(number))
    return game


def places(game: Game) -> list[Dot]:
    """Where every vehicle stands."""
    return [game.state.setup.network.dots[dot] for dot in game.state.stock.dots]


def follow_one_another(network: Network, dots: Sequence[int]) -> bool:
    """Whether these dots are a way that a train can stand on: joined one by one, round no corner (LRUN2)."""
    for before, dot, after in zip(dots, dots[1:], dots[2:], strict=False):
        sides = {network.side_towards(dot, before), network.side_towards(dot, after)}
        if not any(set(passage) == sides for passage in network.passages[dot]):
            return False
    return all(network.side_towards(first, second) is not None for first, second in pairwise(dots))
