"""Networks and moments that the tests of the plain program begin with."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from tests.companion.games.locomotion.plain.game import (
    Game,
    do,
    set_up,
)
from tests.companion.games.locomotion.plain.network import (
    network_of,
)
from tests.companion.games.locomotion.plain.neutral import place_of_json
from tests.companion.games.locomotion.plain.pieces import Dot, Laid, Lie
from tests.companion.games.locomotion.plain.steps import Knobs, Step, train_of

PINWHEEL: Final[list[Laid]] = [((0, 0), "E"), ((1, 1), "S"), ((0, 2), "W"), ((-1, 1), "N")]
"""A ring of eight dots, clockwise from (0, 0), and a spur off it on each piece: (2, 0), (1, 3) and so on."""
SPURS: Final = [((1, 3), 1), ((-2, 2), 2), ((-1, -1), 3), ((0, 2), 4)]
LINE: Final[list[Laid]] = [((0, 0), "E"), ((3, 0), "E"), ((6, 0), "E")]
"""Nine dots in a row, (0, 0) to (8, 0). The arcs, at 1, 4 and 7, lead south to nowhere."""


def golden(*order: int) -> Game:
    return set_up(network_of("T", PINWHEEL), "die", order, [(2, 0)], SPURS)


def standing(kind: str, rows: list[dict[str, Any]], pieces: list[Laid] = LINE, shape: str = "T", **other: Any) -> Game:
    """A game in the middle of which the rows stand, without lies: those are all passages of their dots."""
    network = network_of(shape, pieces)
    for row in rows:
        row.setdefault("lies", [sorted(network.passages[dot]) for dot in row["dots"]])
    place = place_of_json(rows)
    players = sum(row["player"] is not None for row in rows)
    fields: dict[str, Any] = {"order": (1, 2), "speeds": (None,) * players, "knobs": Knobs()} | other
    return Game(network=network, kind=kind, place=place, **fields)


def train(*dots: int, colours: tuple[int, ...] = (), player: int = 0) -> dict[str, Any]:
    return {"player": player, "dots": [(x, 0) for x in dots], "colours": list(colours)}


def cut(*dots: int, colours: tuple[int, ...]) -> dict[str, Any]:
    return {"player": None, "dots": [(x, 0) for x in dots], "colours": list(colours)}


def lie_of_locomotive(game: Game, player: int = 0) -> Lie:
    return train_of(game.place, player)[0].lie


def lie_at(game: Game, dot: Dot) -> Lie:
    return next(vehicle.lie for row in game.place for vehicle in row if vehicle.dot == dot)


def driven(game: Game, *dots: Dot) -> Game:
    """A turn in which a train follows dots, from that of the vehicle ahead on."""
    for step in pairwise(dots):
        game = do(game, ("run", *step))
    return game


def kinds(steps: list[Step]) -> set[object]:
    return {step[0] for step in steps}
