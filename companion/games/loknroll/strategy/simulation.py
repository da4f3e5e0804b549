"""Many games on all cores."""

from __future__ import annotations

import re
import signal
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from companion.games.loknroll.record.recorded_game import save_recorded
from companion.games.loknroll.rules import Game, State, result
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import AutomaticPlayer

GAMES_AT_A_TIME: Final = 10
"""As many as a core plays before it reports: small, so that Ctrl-C need not wait."""


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
    batches = iter(range(0, games, GAMES_AT_A_TIME))
    with ProcessPoolExecutor(processes, initializer=_ignore_interrupts) as pool:
        running: set[Future[list[PlayedGame]]] = set()
        try:
            while True:
                with _ctrl_c_waits():
                    # Only as many ahead as keep the cores busy: a million games must not wait in memory.
                    while len(running) < 2 * processes and (first := next(batches, None)) is not None:
                        numbers = range(first, min(first + GAMES_AT_A_TIME, games))
                        running.add(pool.submit(_play_batch, plan, numbers))
                    if not running:
                        return
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    played = [batch.result() for batch in done]
                yield from played
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _ctrl_c_waits() -> Generator[None]:
    """While the processes are begun, given games and asked for them, Ctrl-C waits: a batch at most.

    It would leave some processes going, or leave a lock of theirs closed behind it for which their end waits forever.
    """
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)


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


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of the terminal; the main one decides what becomes of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
