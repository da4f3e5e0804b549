"""A game in words: its set-up and its steps as the objects that a record holds, and back.

The form is described in docs/record.md.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from companion.games.loknroll.rules.edition import Edition, Mode
from companion.games.loknroll.rules.errors import NotationError
from companion.games.loknroll.rules.game import Game, after
from companion.games.loknroll.rules.setting_up import layer
from companion.games.loknroll.rules.state import Outcome, Phase, State, set_up
from companion.games.loknroll.rules.steps import AnyStep, Discard, Put, StartCard
from companion.games.step import Step
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


class TakeBack(Step, frozen=True, tag="take-back"):
    """The last steps are taken back. Only a record holds it: the game itself forgets what was taken back."""

    count: int


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


def take_back_line(count: int) -> dict[str, Any]:
    """The line that tells of steps taken back."""
    told: dict[str, Any] = msgspec.to_builtins(TakeBack(count))
    return told


def play_line(game: Game, told: dict[str, Any]) -> None:
    """Does what a line tells, and checks all that it tells; raises NotationError or RuleError."""
    step = _step(told)
    if isinstance(step, TakeBack):
        game.take_back(step.count)
        return
    # Worked out anew, not believed: a record also shows where the rules have come to say something else.
    expected = line(game.state, step, after(game.state, step))
    for key in ("turn", "player", "then"):
        if expected.get(key) != told.get(key):
            raise NotationError(f"{key!r} is {told.get(key)!r}, but by the rules it is {expected.get(key)!r}.")
    game.do(step)


def _step(told: dict[str, Any]) -> AnyStep | TakeBack:
    try:
        step: AnyStep | TakeBack = msgspec.convert(told, AnyStep | TakeBack)
    except msgspec.ValidationError as error:
        raise NotationError(f"this step cannot be read: {error}.") from error
    return step


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
