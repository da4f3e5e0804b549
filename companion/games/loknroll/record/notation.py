"""A game in words: its set-up and its steps as the objects that a record holds, and back.

The form is described in docs/record.md.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from companion.games.loknroll.rules.edition import Edition, Mode
from companion.games.loknroll.rules.game import Game
from companion.games.loknroll.rules.setting_up import layer
from companion.games.loknroll.rules.state import Outcome, Phase, State, set_up
from companion.games.loknroll.rules.steps import AnyStep, Discard, Put, StartCard
from companion.games.recorded import NotationError
from vision.cards import Deck
from vision.cards.deck import LONGEST_WORD, checked_deck

GAME: Final = "loknroll"


class Header(msgspec.Struct, frozen=True):
    """What a record's first line tells of the game."""

    mode: Mode
    players: tuple[str, ...]
    rails: bool
    edition: Edition
    deck: Deck


def dice_in(line: dict[str, Any]) -> tuple[int, ...]:
    """The dice that fell in a line of a record."""
    return tuple(line.get("dice", ()))


def header(start: State) -> dict[str, Any]:
    """The first line of a record."""
    setup = start.setup
    people = setup.names[: setup.mode.persons]
    told = Header(setup.mode, people, setup.rails, setup.edition, setup.deck)
    return {"game": GAME, **msgspec.to_builtins(told)}


def begun(first_line: dict[str, Any]) -> Game:
    """A recorded game before its first step; raises NotationError, DeckError or RuleError."""
    if first_line.get("game") != GAME:
        raise NotationError(f"this is a game of {first_line.get('game')!r}, not of {GAME!r}.")
    try:
        told = msgspec.convert(first_line, Header)
    except msgspec.ValidationError as error:
        raise NotationError(f"the set-up cannot be read: {error}.") from error
    if any(len(name) > LONGEST_WORD for name in told.players):
        raise NotationError(f"a player's name has more than {LONGEST_WORD} letters.")
    return Game(set_up(told.edition, checked_deck(told.deck), told.mode, told.players, rails=told.rails))


def line(before: State, step: AnyStep, following: State) -> dict[str, Any]:
    """A step as a line: who did it, what it was, and what followed from it by itself."""
    player = layer(before) if isinstance(step, StartCard) else before.active
    told: dict[str, Any] = {}
    if before.phase is not Phase.SETTING_UP:
        told["turn"] = before.turn + 1
    told["player"] = before.setup.names[player]
    told |= msgspec.to_builtins(step)
    # What a card put down brought about is in the step itself.
    then = {} if isinstance(step, (Put, Discard)) else _facts(following.outcome)
    return told | {"then": then} if then else told


def _facts(outcome: Outcome) -> dict[str, Any]:
    """What is worth telling of an outcome, faces by their ids."""
    counts = {
        "moved": outcome.moved,
        "missing": outcome.missing,
        "broken": outcome.broken,
        "taken": [face.id for face in outcome.taken],
        "waived": outcome.waived,
        "put": [{"face": put.face.id, "combined": put.combined} for put in outcome.put],
        "dead_end": outcome.dead_end,
    }
    return {name: value for name, value in counts.items() if value}
