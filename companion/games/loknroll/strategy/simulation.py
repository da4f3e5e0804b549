"""Many games on all cores."""

from __future__ import annotations

import re
from collections.abc import Generator
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from companion.games.loknroll.record.recorded_game import save_recorded
from companion.games.loknroll.rules import Game, State, result
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import AutomaticPlayer
from companion.games.many_games import play_many

GAMES_AT_A_TIME: Final = 10


class Plan(NamedTuple):
    """What is played: the set-up, who plays, the seed, and the folder for records if they are wanted."""

    start: State
    players: list[AutomaticPlayer]
    seed: int
    records: Path | None = None


class PlayedGame(NamedTuple):
    """How a game ended. All tuples have an entry a player; ``winners`` are numbers, none where the game was lost."""

    points: tuple[int, ...]
    cards: tuple[int, ...]
    derailments: tuple[int, ...]
    winners: tuple[int, ...]


def play_games(plan: Plan, games: int, processes: int) -> Generator[list[PlayedGame]]:
    """Plays the games and yields them as they end, some at a time; raises RecordError and RuleError.

    Game number n is the same whatever the number of processes. Closing the iterator stops the processes.
    """
    return play_many(partial(_play_batch, plan), games, processes, at_a_time=GAMES_AT_A_TIME)


def record_path(folder: Path, number: int) -> Path:
    """The record of a game, counted from 0."""
    return folder / f"game-{number + 1:06}.jsonl"


def recorded_number(path: Path) -> int | None:
    """The game, counted from 0, that has its record here; None where no game has."""
    digits = path.name.removeprefix("game-").removesuffix(".jsonl")
    if not re.fullmatch("[0-9]{6,18}", digits):
        return None
    number = int(digits) - 1
    return number if number >= 0 and record_path(path.parent, number) == path else None


def _play_batch(plan: Plan, numbers: range) -> list[PlayedGame]:
    return [_play_game(plan, number) for number in numbers]


def _play_game(plan: Plan, number: int) -> PlayedGame:
    game = Game(plan.start)
    for _ in Dealer(game, plan.players, Random(f"{plan.seed}:{number}")).play():
        pass
    if plan.records is not None:
        save_recorded(record_path(plan.records, number), game)
    outcome = result(game.state)
    if outcome is None:
        raise RuntimeError("The dealer plays every game to its end.")
    return PlayedGame(
        points=tuple(score.points for score in outcome.scores),
        cards=tuple(score.cards for score in outcome.scores),
        derailments=tuple(player.derailments for player in game.state.players),
        winners=outcome.winners,
    )
