"""Locomotion at the page: networks are laid and trains are moved by dragging, and the eye reads them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from companion.device.last_game import Order
from companion.games.events import Effect, Event
from companion.games.game import Pace
from companion.games.locomotion.game import GAME
from companion.games.locomotion.play.recorded_play import RecordedPlay
from companion.games.locomotion.robot.robot import Robot
from companion.games.locomotion.settings import with_own
from companion.games.locomotion.wording import Wording
from companion.games.settings import Settings
from companion.texts.language import LANGUAGES
from companion.virtual.camera import PICTURE_PX
from tests.companion.games.locomotion.robot.whole_games import check_turns, corrections
from tests.companion.web.browsers import NARROW, PERSONS, Chromium, ServedTable, said, wait_until
from tests.companion.web.virtual_table.hands import MouseHands, TouchHands

SMALL: Final = {"network": "by-lot", "pieces": 9, "colours": 2}
AGAINST_ONE: Final = {**SMALL, "people": 1, "automatic": ("good",)}
PACE: Final = Pace(pause_seconds=0.1)


def served(folder: Path, kind: str, own: dict[str, Any], language: str = "en") -> ServedTable:
    """A table at which Locomotion is begun."""
    settings = with_own(Settings(language=language, names=PERSONS), **own)
    return ServedTable(folder, None, order=Order(GAME.name, kind), settings=settings, picture_px=PICTURE_PX)


class _Turns:
    """The companion thinks in a thread of its own: the robot that looks at its desk never does so in between."""

    def __init__(self, play: RecordedPlay) -> None:
        self._lock = threading.Lock()
        self._handle = play.handle
        play.handle = self._handles  # type: ignore[method-assign]

    def _handles(self, event: Event) -> list[Effect]:
        with self._lock:
            return self._handle(event)

    def look(self, act: Callable[[], None]) -> None:
        """Lets the robot look and act."""
        with self._lock:
            act()

    def meanwhile(self, do: Callable[..., None]) -> Callable[..., None]:
        """What hands do while the robot acts takes time, in which the companion goes on."""

        def done(*given: Any) -> None:
            self._lock.release()
            try:
                do(*given)
            finally:
                self._lock.acquire()

        return done


def dragged(table: ServedTable, hands: MouseHands, *, until_turn: int | None = None, seconds: float = 240) -> Robot:
    """The robot that has played with these hands until a turn of all has begun, or else to the end of the game."""
    wait_until(lambda: table.device.play is not None)
    device, play = table.device, table.device.play
    assert isinstance(play, RecordedPlay)
    turns = _Turns(play)
    hands.place = turns.meanwhile(hands.place)  # type: ignore[method-assign]
    press = turns.meanwhile(lambda button: hands.click(f"[data-button={button}]"))
    robot = GAME.robot(play, hands, 3, press, PACE)
    assert isinstance(robot, Robot)

    def is_done() -> bool:
        turns.look(lambda: robot.act(device.clock()))
        desk = play.controller.desk
        return play.is_over or (until_turn is not None and desk.has_begun and desk.state.turns >= until_turn)

    wait_until(is_done, seconds, "it did not go on")
    assert robot.repeats == 0
    assert corrections(robot.presses_made) == 0
    assert device.alerts == []
    if play.is_over:
        check_turns(play.controller.game, robot)
    return robot


def test_a_train_is_moved_by_dragging_and_the_eye_reads_it(tmp_path: Path, chromium: Chromium) -> None:
    """From a network that lies there to the end of a person's first turn: the die, the train, the next one's turn."""
    with served(tmp_path, "die", SMALL) as table, chromium.page(table.address) as page:
        hands = MouseHands(table.device.world, page, 1)
        called = page.locator("[data-number='-1']").get_attribute("aria-label") or ""
        assert called.startswith(Wording("en")("vehicle.locomotive-1"))
        robot = dragged(table, hands, until_turn=2)
        assert hands.drags >= 1
        assert len(robot.presses_made) <= 4


@pytest.mark.further
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_puzzle_is_laid_and_solved_by_dragging(tmp_path: Path, chromium: Chromium, language: str) -> None:
    with (
        served(tmp_path, "solo", SMALL, language) as table,
        chromium.page(table.address, language=language) as page,
    ):
        hands = MouseHands(table.device.world, page, 1)
        dragged(table, hands)
        assert table.device.play.is_over
        # All pieces and vehicles were beside the table.
        assert hands.drags > SMALL["pieces"]


@pytest.mark.further
@pytest.mark.parametrize("kind", ["die", "speed"])
def test_a_game_against_an_automatic_player_by_fingers_on_a_phone(
    tmp_path: Path, chromium: Chromium, kind: str
) -> None:
    phone: dict[str, Any] = {"has_touch": True, "is_mobile": True}
    with served(tmp_path, kind, AGAINST_ONE) as table, chromium.page(table.address, NARROW, **phone) as page:
        dragged(table, TouchHands(table.device.world, page, 1))
        assert table.device.play.is_over
        assert said(page)
