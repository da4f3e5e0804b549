"""A game and its steps as numbers, words and lists, and back: the form is told in ``__init__``."""

from __future__ import annotations

from typing import Any

from tests.companion.games.locomotion.plain.game import Game
from tests.companion.games.locomotion.plain.network import network_of
from tests.companion.games.locomotion.plain.steps import Knobs, Place, Row, Step, Vehicle, is_train, place_of


def as_json(game: Game) -> dict[str, Any]:
    return {
        "shape": game.network.shape,
        "pieces": [[*cell, heading] for cell, heading in game.network.pieces],
        "knobs": game.knobs._asdict(),
        "kind": game.kind,
        "order": list(game.order),
        "rows": rows_as_json(game.place),
        "speeds": list(game.speeds),
        "player": game.player,
        "left": game.left,
        "brakes": game.brakes,
        "came_by": game.came_by,
        "winner": game.winner,
    }


def rows_as_json(place: Place) -> list[dict[str, Any]]:
    return [
        {
            "player": row[0].what[1] if is_train(row) else None,
            "colours": [vehicle.what[1] for vehicle in row if vehicle.what[0] == "wagon"],
            "dots": [list(vehicle.dot) for vehicle in row],
            "lies": [sorted(vehicle.lie) for vehicle in row],
        }
        for row in place
    ]


def step_as_json(step: Step) -> list[Any]:
    return [list(part) if isinstance(part, tuple) else part for part in step]


def game_of(told: dict[str, Any]) -> Game:
    network = network_of(told["shape"], [((x, y), heading) for x, y, heading in told["pieces"]])
    known: dict[str, Any] = {"network": network, "knobs": Knobs(**told["knobs"]), "place": place_of_json(told["rows"])}
    known |= {"order": tuple(told["order"]), "speeds": tuple(told["speeds"])}
    known |= {name: told[name] for name in ("kind", "player", "left", "brakes", "came_by", "winner")}
    return Game(**known)


def place_of_json(rows: list[dict[str, Any]]) -> Place:
    return place_of([row_of(row) for row in rows])


def row_of(told: dict[str, Any]) -> Row:
    locomotive = [] if told["player"] is None else [("locomotive", told["player"])]
    whats = [*locomotive, *(("wagon", colour) for colour in told["colours"])]
    whole = zip(told["dots"], whats, told["lies"], strict=True)
    return tuple(Vehicle((dot[0], dot[1]), what, frozenset(lie)) for dot, what, lie in whole)


def step_of(told: list[Any]) -> Step:
    return tuple((part[0], part[1]) if isinstance(part, list) else part for part in told)
