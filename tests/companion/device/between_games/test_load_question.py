"""The first question on a fresh memory card."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.device.between_games.keeping.changing_over import change_over
from companion.device.between_games.keeping.parts import KeepingError
from companion.device.between_games.keeping.saving import saved
from companion.device.between_games.load_question import LoadQuestion, asked_on_fresh_card
from companion.games.events import Effect, Leave, Pressed, Show, Tick
from companion.games.settings import Settings
from companion.texts.language import Texts
from hardware.buttons import Button, VirtualButtons
from hardware.devices import Devices
from hardware.display import VirtualDisplay
from hardware.lights import VirtualLights
from tests.companion.device.between_games.keeping.whole_companion import all_in, made

ROLL, BACK = Pressed(Button.ROLL), Pressed(Button.BACK)


def after_loading(question: LoadQuestion) -> list[Effect]:
    """What comes once the thread that loads has ended."""
    end = time.monotonic() + 10
    while not (effects := question.handle(Tick(0.0))):
        assert time.monotonic() < end
        time.sleep(0.001)
    return effects


def refused() -> None:
    raise KeepingError("newer")


def mistaken() -> None:
    raise ZeroDivisionError


def test_it_is_loaded_beside_the_loop_and_then_left() -> None:
    may_end = threading.Event()
    question = LoadQuestion(Settings(), "2026-11-30", may_end.wait)
    (asked,) = question.handle(Tick(0.0))
    assert isinstance(asked, Show)
    assert "30 November 2026" in asked.screen.lines[0]
    (loading,) = question.handle(ROLL)
    assert isinstance(loading, Show)
    assert question.handle(Tick(0.0)) == question.handle(BACK) == question.handle(ROLL) == []
    may_end.set()
    assert Leave("loaded") in after_loading(question)


@pytest.mark.parametrize(("loads", "reason"), [(refused, "newer"), (mistaken, "damaged")])
def test_why_it_is_not_loaded_is_told_and_the_list_comes(loads: Callable[[], None], reason: str) -> None:
    question = LoadQuestion(Settings(language="es"), "", loads)
    question.handle(ROLL)
    (told,) = after_loading(question)
    assert isinstance(told, Show)
    assert told.screen.lines == (Texts("es")(f"saved.refused-{reason}"),)
    assert Leave("lobby") in question.handle(ROLL)


def test_who_does_not_want_it_comes_to_the_list() -> None:
    question = LoadQuestion(Settings(), "", lambda: pytest.fail("nobody wants it"))
    assert question.handle(Pressed(Button.UP)) != [Leave("lobby")]
    assert Leave("lobby") in question.handle(BACK)


@pytest.fixture
def devices() -> Devices:
    return Devices(VirtualDisplay(), VirtualButtons(), VirtualLights(), None, ())


@pytest.fixture
def card(tmp_path: Path) -> Path:
    file = tmp_path / "companion-backup.zip"
    file.write_bytes(b"".join(saved(made(tmp_path / "old"))))
    return file


def test_on_a_fresh_card_the_next_start_has_all_of_it(devices: Devices, card: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    turns: list[int] = []
    buttons = VirtualButtons()

    def turned() -> None:
        turns.append(0)
        if len(turns) == 3:
            buttons.press(Button.ROLL)

    pressed = devices._replace(buttons=buttons)
    left = asked_on_fresh_card(pressed, Settings(), fresh, card, on_turn=turned, is_over=lambda: len(turns) > 1000)
    assert left == Leave("loaded")
    assert change_over(fresh)
    assert all_in(fresh) == all_in(tmp_path / "old")


def test_nothing_is_asked_where_there_is_something_or_nothing_to_load(
    devices: Devices, card: Path, tmp_path: Path
) -> None:
    def asked(folder: Path, file: Path) -> Leave | None:
        return asked_on_fresh_card(
            devices, Settings(), folder, file, on_turn=lambda: pytest.fail("asked"), is_over=bool
        )

    assert asked(tmp_path / "old", card) is None
    assert asked(tmp_path / "fresh", tmp_path / "gone.zip") is None
    card.write_bytes(b"something else")
    assert asked(tmp_path / "fresh", card) is None


def test_where_nobody_may_look_for_it_the_companion_starts_too(
    devices: Devices, card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = os.stat

    def refused_there(path: Any, **options: Any) -> os.stat_result:
        if path == card:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return really(path, **options)

    monkeypatch.setattr(os, "stat", refused_there)
    assert (
        asked_on_fresh_card(
            devices, Settings(), tmp_path / "fresh", card, on_turn=lambda: pytest.fail("asked"), is_over=bool
        )
        is None
    )
