"""Many games on several processes: Ctrl-C at the worst moments."""

import signal
from collections.abc import Iterable
from concurrent.futures import Future, wait
from contextlib import closing
from multiprocessing import active_children
from typing import Any

import pytest

from companion.games import many_games
from companion.games.loknroll.rules import Mode, load_edition, set_up
from companion.games.loknroll.strategy.players import RandomPlayer
from companion.games.loknroll.strategy.simulation import Plan, play_games
from vision.cards import standard_deck


@pytest.fixture
def plan() -> Plan:
    edition = load_edition()
    return Plan(set_up(edition, standard_deck(edition.deck), Mode.TWO, ("Ann", "Ben")), [RandomPlayer()] * 2, 1)


def test_ctrl_c_waits_while_a_lock_of_the_processes_is_held(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raised between a lock and the statement that opens it again, it left the end waiting for ever."""
    pressed = []

    def wait_pressed(futures: Iterable[Future[Any]], **options: Any) -> Any:
        if not pressed:
            pressed.append("before")
            signal.raise_signal(signal.SIGINT)
            pressed.append("after")
        return wait(futures, **options)

    monkeypatch.setattr(many_games, "wait", wait_pressed)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with closing(play_games(plan, 1000, 2)) as batches, pytest.raises(KeyboardInterrupt):
            next(batches)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert pressed == ["before", "after"]
    assert not active_children()
