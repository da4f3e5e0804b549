"""The games that there are: the one place to enter another."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, TypeVar

from companion.games.game import Game
from companion.games.recorded_game import RecordedGame

MODULES: Final = ["companion.games.loknroll.game", "companion.games.locomotion.game"]
"""Each has a ``GAME``, and is imported when it is asked for: a help page must not wait."""
_Known = TypeVar("_Known", bound=RecordedGame)


def games() -> tuple[Game, ...]:
    """All games, in the order of the lobby."""
    return tuple(import_module(module).GAME for module in MODULES)


def first_game() -> Game:
    """The first one of the lobby; no other one is imported for it."""
    game: Game = import_module(MODULES[0]).GAME
    return game


def game_of(header: dict[str, Any], among: Sequence[_Known]) -> _Known | None:
    """The one of these games that a record is about, by the record's first line; None where it is none of them."""
    return next((game for game in among if game.name == header.get("game")), None)
