"""A whole appliance whose drivers fail: whichever call raises whatever, the game is on the screen again and answers.

Which calls there are is found by a first run without a fault. `make tests-long` tries every call with every error.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from companion.device.appliance import Appliance
from companion.games.events import Effect, Show
from companion.games.loknroll.game import GAME
from companion.games.recorded_game import Keep
from companion.games.settings import Settings
from companion.screen import draw
from companion.screen.screen import Screen
from hardware.camera import Picture
from hardware.devices import open_devices
from hardware.display import oled
from hardware.display.oled_memory import OledMemory
from hardware.gpio_chips import Chip
from hardware.settings import load_settings
from tests.companion.web.browsers import wait_until
from tests.hardware.fake_picamera2 import put_picamera2
from tests.hardware.spied_drivers import ERRORS, FakeLgpio, Spy, put_lgpio, stand_between
from vision.watching.table_reading import TableReading

RECORD = Path(__file__).parents[1] / "games/records/loknroll/played/online-betsy-list-discarding.jsonl"
"""Where UP leads to another screen, again and again."""
FAULT_SECONDS = 0.3
BACK_SECONDS = 10.0
DOWN_SECONDS = 0.15
LOOK_SECONDS = 0.1
EACH = 1 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 197
"""Of all pairs of call and error, every so many-th is tried: a prime number meets all errors."""
SLICES = 2
"""Which two processes take."""
EMPTY = TableReading()


def another_picture(*_: object, **__: object) -> Picture:
    """One that never changes is taken for a camera that hangs."""
    return np.random.default_rng(time.monotonic_ns()).integers(0, 256, (48, 64, 3), np.uint8)


class Bus:
    """An I²C bus with a screen on it, whose writes the spy sees."""

    def __init__(self, spy: Spy) -> None:
        self.memory = OledMemory()
        self._spy = spy

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        self._spy.note("bus.write_i2c_block_data()")
        self.memory.write_i2c_block_data(address, register, data)


class Eye:
    """Sees an empty table, and counts how often."""

    def __init__(self) -> None:
        self.looked = 0

    def look(self, picture: Picture, expected: object, still: object) -> TableReading:
        self.looked += 1
        time.sleep(LOOK_SECONDS)
        return EMPTY

    def forget(self) -> None: ...

    def drawn(self) -> Picture | None:
        return None


class AtTheTable:
    """What somebody at the table sees and does."""

    def __init__(self, bus: Bus, eye: Eye, pins: FakeLgpio) -> None:
        self.turns = 0
        self._bus, self._eye, self._pins = bus, eye, pins
        self._told: Screen | None = None
        self._up = load_settings().buttons.up

    def obey(self, effect: Effect) -> None:
        if isinstance(effect, Show):
            self._told = effect.screen

    def turned(self) -> None:
        self.turns += 1

    def sees_the_game(self) -> bool:
        if self._told is None:
            return False
        shown = self._bus.memory.image().tobytes()
        return any(draw(replace(self._told, frame=self._told.frame + more)).tobytes() == shown for more in (-1, 0, 1))

    def is_answered(self) -> bool:
        """Presses a button, and looks whether another screen follows."""
        before = self._told
        self._pins.levels[self._up] = 0
        time.sleep(DOWN_SECONDS)
        self._pins.levels[self._up] = 1
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            told = self._told
            if before and told and (told.chosen, told.main) != (before.chosen, before.main) and self.sees_the_game():
                return True
            time.sleep(0.02)
        return False

    def all_is_well(self) -> bool:
        looked, turns = self._eye.looked, self.turns
        return self.is_answered() and self._eye.looked > looked and self.turns > turns


@contextmanager
def at_the_table(folder: Path, spy: Spy) -> Iterator[AtTheTable]:
    """A game on an appliance with all devices, whose drivers the spy stands before."""
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr("sys.unraisablehook", lambda _: None)
    oled._driver.cache_clear()
    pins, eye, stopped = FakeLgpio(), Eye(), threading.Event()
    put_lgpio(monkeypatch, spy.wrap("lgpio", pins))
    put_picamera2(monkeypatch).capture_array = another_picture
    monkeypatch.setattr("hardware.gpio_pins.find_chips", lambda: [Chip(0, "pinctrl-bcm2835")])
    stand_between(monkeypatch, spy)
    bus = Bus(spy)
    table = AtTheTable(bus, eye, pins)
    wired = load_settings()
    wired = replace(wired, lights=replace(wired.lights, good=17, buzzer=18))
    shutil.copy(RECORD, folder / "game.jsonl")
    play = GAME.resume(Keep(folder / "game.jsonl", folder), Settings(has_camera=False), Random(1))
    devices = open_devices(wired, bus=bus)
    appliance = Appliance(play, devices, eye, mirrors=(table.obey,), on_turn=table.turned)
    thread = threading.Thread(target=appliance.run, args=(stopped.is_set,), daemon=True)
    thread.start()
    try:
        yield table
    finally:
        spy.victim = None
        stopped.set()
        thread.join(20)
        devices.close()
        play.close()
        monkeypatch.undo()
    assert not thread.is_alive()
    assert (folder / "game.jsonl").read_bytes() == RECORD.read_bytes()


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Every call into a driver, as a short while at the table makes them."""
    spy = Spy()
    with at_the_table(tmp_path_factory.mktemp("first"), spy) as table:
        wait_until(table.all_is_well, seconds=BACK_SECONDS)
    return list(spy.calls)


def pairs(calls: list[str]) -> list[tuple[str, Callable[[], Exception]]]:
    return [(call, error) for call in calls for error in ERRORS]


def test_there_are_calls_of_every_driver(calls: list[str]) -> None:
    for some in (
        "bus.write_i2c_block_data()", "i2c().command()", "import gpiozero", "lgpio.gpiochip_open()",
        "gpiozero.DigitalInputDevice().is_active", "lgpio.tx_pwm()", "import picamera2",
        "picamera2.Picamera2().capture_metadata()",
    ):  # fmt: skip
        assert some in calls, calls


@pytest.mark.long
@pytest.mark.parametrize(
    "slice_", [0, *(pytest.param(slice_, marks=pytest.mark.further) for slice_ in range(1, SLICES))]
)
def test_whatever_a_driver_raises_the_game_is_there_again(calls: list[str], slice_: int, tmp_path: Path) -> None:
    for number, (call, error) in list(enumerate(pairs(calls)))[::EACH][slice_::SLICES]:
        folder, spy = tmp_path / str(number), Spy()
        folder.mkdir()
        spy.victim, spy.error = call, error
        with at_the_table(folder, spy) as table:
            time.sleep(FAULT_SECONDS)
            spy.victim = None
            wait_until(table.all_is_well, what=f"after {error()!r} from {call}", seconds=BACK_SECONDS)
