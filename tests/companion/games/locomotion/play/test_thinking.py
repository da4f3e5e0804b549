"""What is worked out in a thread of its own: the loop hears of the answer only, and nothing goes on unwanted."""

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.events import Pressed, Show, Tick
from companion.games.locomotion.game import GAME
from companion.games.locomotion.networks import draw_network
from companion.games.locomotion.play.desk import suggestion
from companion.games.locomotion.play.thinking import Thought
from companion.games.locomotion.settings import BY_LOT
from companion.games.recorded_game import Keep
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import People, settings_of

_LONG = 20.0
"""Seconds: of them none is waited for unless something hangs."""


def test_it_does_not_hold_up_who_asks_and_has_an_answer_in_the_end() -> None:
    may_answer = threading.Event()

    def think(_: Callable[[], bool]) -> int:
        may_answer.wait(_LONG)
        return 42

    thought = Thought(think)
    assert not thought.is_over
    assert thought.answer is None
    may_answer.set()
    assert thought.wait(_LONG)
    assert thought.answer == 42


def test_it_ends_once_it_is_not_wanted_and_then_answers_nothing() -> None:
    thinks, ends = threading.Event(), threading.Event()

    def think(is_wanted: Callable[[], bool]) -> str:
        thinks.set()
        while is_wanted():
            ends.wait(0.001)
        return "too late"

    thought = Thought(think)
    assert thinks.wait(_LONG)
    thought.close()
    assert thought.is_over
    assert thought.answer is None


def test_what_goes_wrong_in_it_leaves_it_without_an_answer() -> None:
    def think(_: Callable[[], bool]) -> str:
        raise MemoryError

    thought = Thought(think)
    assert thought.wait(_LONG)
    assert thought.answer is None


def test_two_never_think_at_once_and_one_that_waits_can_be_stopped() -> None:
    may_end, first_thinks = threading.Event(), threading.Event()
    order: list[str] = []

    def first(_: Callable[[], bool]) -> None:
        first_thinks.set()
        may_end.wait(_LONG)
        order.append("first")

    thoughts = [Thought(first)]
    assert first_thinks.wait(_LONG)
    thoughts += [Thought(lambda _: order.append("stopped")), Thought(lambda _: order.append("last"))]
    thoughts[1].stop()
    may_end.set()
    assert all(thought.wait(_LONG) for thought in thoughts)
    assert order == ["first", "last"]


def test_a_program_ends_though_a_thought_hangs() -> None:
    program = (
        "import threading; from companion.games.locomotion.play.thinking import Thought;"
        "hangs = threading.Event(); Thought(lambda _: hangs.wait()); print('done')"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=_LONG, check=True)
    assert (ended.stdout, ended.stderr) == ("done\n", "")


def test_a_network_is_drawn_by_lot_while_the_screen_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_draw = threading.Event()

    def drawn(*asked: Any) -> Any:
        assert may_draw.wait(20)
        return draw_network(*asked)

    monkeypatch.setattr(suggestion, "draw_network", drawn)
    settings = settings_of(network=BY_LOT, pieces=12)
    play = People.recorded(GAME.begin("die", Keep(tmp_path / "game.jsonl", tmp_path), settings, None, Random(1)), 0.0)
    preparation = play.controller.desk.preparation
    assert preparation is not None
    (shown,) = play.handle(Tick(0.0))
    assert isinstance(shown, Show)
    assert shown.screen.main == "Drawing a network …"
    assert shown.screen.map is None
    play.handle(Pressed(Button.DOWN))
    play.handle(Pressed(Button.ROLL))
    assert (preparation.is_drawing, play.is_set_up) == (True, False)
    may_draw.set()
    preparation.wait(20)
    (shown,) = [effect for effect in play.handle(Tick(0.1)) if isinstance(effect, Show)]
    assert shown.screen.main == "Set this up"
    assert shown.screen.map is not None
    play.close()
