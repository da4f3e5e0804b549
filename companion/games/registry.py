"""The games that there are: the one place to enter another."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from companion.games.game import Game

MODULES: Final = ["companion.games.loknroll.game"]
"""Each has a ``GAME``. They are imported when they are asked for: a help page must not wait for rules."""


def games() -> tuple[Game, ...]:
    """All games, in the order of the lobby."""
    return tuple(import_module(module).GAME for module in MODULES)


def game_of(header: dict[str, Any], among: Sequence[Game] | None = None) -> Game | None:
    """The game that a record is about, by the record's first line; None where nobody knows it."""
    return next((game for game in among or games() if game.name == header.get("game")), None)
