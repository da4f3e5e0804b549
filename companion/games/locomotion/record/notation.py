"""A game in words: its set-up and its steps as the objects that a record holds, and back.

The form is described in docs/record.md.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from companion.games.locomotion.rules.game import Game
from companion.games.locomotion.rules.network import PlacedPiece, lay
from companion.games.locomotion.rules.piece import Piece, checked_piece
from companion.games.locomotion.rules.state import Knobs, Mode, Phase, State, set_up
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.recorded import NotationError

GAME: Final = "locomotion"
LONGEST_NAME: Final = 40
"""Of a player, in letters."""


class Header(msgspec.Struct, frozen=True):
    """What a record's first line tells of the game. ``wagons`` holds for each colour the dots of its wagons."""

    mode: Mode
    players: tuple[str, ...]
    knobs: Knobs
    piece: Piece
    pieces: tuple[PlacedPiece, ...]
    locomotives: tuple[tuple[int, int], ...]
    wagons: tuple[tuple[tuple[int, int], ...], ...]


def dice_in(line: dict[str, Any]) -> tuple[int, ...]:
    """The dice that fell in a line of a record."""
    return tuple(line.get("rolls", [line["number"]] if "number" in line else ()))


def header(start: State) -> dict[str, Any]:
    """The first line of a record, from the state before the first step."""
    setup = start.setup
    places = [setup.network.dots[dot] for dot in start.stock.dots]
    players = setup.players
    wagons = tuple(tuple(places[at : at + players]) for at in range(players, len(places), players))
    network = setup.network
    told = Header(setup.mode, setup.names, setup.knobs, network.piece, network.pieces, tuple(places[:players]), wagons)
    return {"game": GAME, **msgspec.to_builtins(told)}


def begun(first_line: dict[str, Any]) -> Game:
    """A recorded game before its first step; raises NotationError, BadPiece or RuleError."""
    if first_line.get("game") != GAME:
        raise NotationError(f"this is a game of {first_line.get('game')!r}, not of {GAME!r}.")
    try:
        told = msgspec.convert(first_line, Header)
    except msgspec.ValidationError as error:
        raise NotationError(f"the set-up cannot be read: {error}.") from error
    if any(len(name) > LONGEST_NAME for name in told.players):
        raise NotationError(f"a player's name has more than {LONGEST_NAME} letters.")
    network = lay(checked_piece(told.piece, "the record's piece"), told.pieces)
    return Game(set_up(network, told.players, told.locomotives, told.wagons, mode=told.mode, knobs=told.knobs))


def line(before: State, step: AnyStep, following: State) -> dict[str, Any]:
    """A step as a line: in which turn and by whom it was done, what it was, and what followed from it by itself."""
    told: dict[str, Any] = {}
    if before.phase not in {Phase.DRAWING_LOTS, Phase.ROLLING_OFF}:
        told |= {"turn": before.turns, "player": before.setup.names[before.active]}
    told |= msgspec.to_builtins(step)
    then = _facts(before, following)
    return told | {"then": then} if then else told


def _facts(before: State, following: State) -> dict[str, Any]:
    names = following.setup.names
    told = {
        "begins": following.active if before.phase is Phase.ROLLING_OFF and not following.contenders else None,
        "braked": following.braked,
        "waited": following.waited,
        "won": following.winner,
    }
    return {fact: names[player] for fact, player in told.items() if player is not None}
