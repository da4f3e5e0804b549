"""The loop and the wiring with virtual devices: what is pressed and seen comes out on the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from PIL import Image

from companion.appliance import Appliance, CameraWatch, begun, resumed
from companion.control.events import Effect, Event, Fault, Leave, Pressed, Restored, Seen, Show
from companion.control.settings import Settings
from companion.controller import Controller
from companion.loknroll import Game, Mode, StartCard
from companion.loop import Loop, Presses
from companion.table_reading import SeenCard, TableReading
from hardware.buttons import Button, Kind, VirtualButtons
from hardware.camera import Picture, VirtualCamera
from hardware.devices import Devices
from hardware.display import VirtualDisplay
from hardware.errors import DeviceError, Part
from hardware.errors import Fault as DeviceFault
from hardware.lights import VirtualLights
from tests.companion.control.scripted_table import fresh
from vision.cards import Pose


def test_a_button_with_two_meanings_counts_when_it_is_let_go() -> None:
    presses = Presses()
    held = {Button.BACK}
    assert presses.of(Button.ROLL, Kind.PRESSED, held) == [Pressed(Button.ROLL)]
    assert presses.of(Button.ROLL, Kind.HELD, held) == []
    assert presses.of(Button.BACK, Kind.PRESSED, held) == []
    assert presses.of(Button.BACK, Kind.RELEASED, held) == [Pressed(Button.BACK)]
    assert presses.of(Button.BACK, Kind.PRESSED, held) == []
    assert presses.of(Button.BACK, Kind.HELD, held) == [Pressed(Button.BACK, held=True)]
    assert presses.of(Button.BACK, Kind.RELEASED, held) == []


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_the_loop_accepts_a_card_that_lies_still() -> None:
    clock, shown = Clock(), []

    def sink(effect: Effect) -> None:
        if isinstance(effect, Show):
            shown.append(effect.screen)

    controller = Controller(Game(fresh(Mode.TWO)), Settings())
    loop = Loop(controller, VirtualButtons(clock), [sink], clock)
    loop.turn()
    reading = TableReading((SeenCard("track-1-left", Pose(0, 0), 1),))
    for _ in range(8):
        loop.post(Seen(reading))
        clock.seconds += 0.1
        loop.turn()
    assert [type(step) for step in controller.game.steps] == [StartCard]
    assert shown[-1].main == "Ben: draw and lay"


def test_the_game_is_left_by_the_menu(device: Callable[..., Appliance]) -> None:
    appliance = device()
    for button in (Button.UP, *[Button.DOWN] * 3, Button.ROLL, *[Button.DOWN] * 6, Button.ROLL):
        appliance.loop.post(Pressed(button))
    assert appliance.run() == Leave("dice")


class Frail(VirtualDisplay):
    """A display whose cable is loose for its first images."""

    def __init__(self, failures: int) -> None:
        super().__init__()
        self.failures = failures

    def show(self, image: Image.Image) -> None:
        self.failures -= 1
        if self.failures >= 0:
            raise DeviceError(Part.DISPLAY, DeviceFault.MISSING, "The screen does not answer: check its cable.")
        super().show(image)


@pytest.fixture
def device() -> Callable[..., Appliance]:
    def make(display: VirtualDisplay | None = None) -> Appliance:
        devices = Devices(display or VirtualDisplay(), VirtualButtons(), VirtualLights(), None, ())
        controller = Controller(Game(fresh(Mode.TWO)), Settings(has_camera=False))
        return Appliance(controller, devices, None)

    return make


def until(wanted: Callable[[], object]) -> Callable[[], bool]:
    """Over once that is so, or after ten seconds."""
    end = time.monotonic() + 10
    return lambda: bool(wanted()) or time.monotonic() > end


def test_a_display_that_comes_back_shows_what_is_to_be_seen(device: Callable[..., Appliance]) -> None:
    display = Frail(1)
    appliance = device(display)
    appliance.run(until(lambda: display.image is not None))
    assert display.image is not None
    assert display.image.size == (128, 64)


class BlindEye:
    """Sees the mean brightness of a picture as a card."""

    def look(self, picture: Picture, expected: object) -> TableReading:
        return TableReading((SeenCard("track-1-left", Pose(float(picture.mean()), 0), 1),))


def test_a_camera_that_fails_is_told_and_told_again_when_it_is_back() -> None:
    told: list[Event] = []
    answers = [DeviceError(Part.CAMERA, DeviceFault.MISSING, "The camera does not answer."), None, None]

    def take() -> Picture:
        answer = answers.pop(0) if answers else None
        if answer is not None:
            raise answer
        time.sleep(0.01)
        return np.zeros((4, 4, 3), np.uint8)

    watch = CameraWatch(VirtualCamera(take), BlindEye(), set, told.append)  # type: ignore[arg-type]
    watch.start()
    is_over = until(lambda: len(told) > 3)
    while not is_over():
        time.sleep(0.01)
    watch.end()
    watch.join(5)
    assert isinstance(told[0], Fault)
    assert isinstance(told[1], Restored)
    assert isinstance(told[2], Seen)


def test_a_game_goes_on_from_its_files(tmp_path: Path) -> None:
    first = begun(tmp_path / "game.jsonl", fresh(Mode.TWO), Settings(has_camera=False), Random(1))
    first.controller.game.do(StartCard("track-1-left", Pose(0, 0)))
    first.journal.close()
    second = resumed(tmp_path / "game.jsonl", Settings(has_camera=False), Random(1))
    second.journal.close()
    assert second.controller.game.state == first.controller.game.state
