"""The loop and the wiring with virtual devices: what is pressed and seen comes out on the screen."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from PIL import Image

from companion.device.appliance import TUNES, Appliance
from companion.device.between_games.dice_table import DiceTable
from companion.device.loop import PAUSE_SECONDS, Loop
from companion.device.presses import OFF_BUTTONS, OFF_SECONDS, OffWatch, Presses
from companion.device.threads.camera_watch import CameraWatch
from companion.device.threads.screen_painter import ScreenPainter
from companion.games.events import Effect, Event, Fault, Leave, Pressed, Restored, Seen, Show
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.recorded_play import begun, resumed
from companion.games.loknroll.rules import Game, Mode, StartCard
from companion.games.settings import Settings
from companion.screen import draw
from companion.screen.screen import Screen
from hardware.buttons import Button, Kind, VirtualButtons
from hardware.camera import Picture, VirtualCamera
from hardware.camera.guarded_camera import GuardedCamera
from hardware.camera.picture_watch import PictureWatch
from hardware.devices import Devices
from hardware.display import VirtualDisplay
from hardware.display.oled import OledDisplay
from hardware.display.oled_memory import OledMemory
from hardware.errors import DeviceError, Part
from hardware.errors import Fault as DeviceFault
from hardware.lights import Light, VirtualLights
from hardware.settings import load_settings
from tests.companion.games.loknroll.play.scripted_table import fresh
from vision.cards import Pose
from vision.watching.table_reading import SeenCard, TableReading


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


def test_held_together_the_off_buttons_mean_nothing_else() -> None:
    off, presses = OffWatch(), Presses()
    told = []
    for button, kind, at in (
        (Button.BACK, Kind.PRESSED, 0.0),
        (Button.PASS, Kind.PRESSED, 0.3),
        (Button.BACK, Kind.HELD, 1.0),
        (Button.PASS, Kind.HELD, 1.3),
    ):
        off.note(button, kind, at)
        told += presses.of(button, kind, OFF_BUTTONS)
        if off.is_held:
            presses.forget(OFF_BUTTONS)
    assert told == []
    assert not off.is_due(0.2 + OFF_SECONDS)
    assert off.is_due(0.3 + OFF_SECONDS)
    off.note(Button.PASS, Kind.RELEASED, 3.0)
    assert not off.is_due(0.3 + OFF_SECONDS)


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
    for button in (Button.UP, *[Button.DOWN] * 3, Button.ROLL, *[Button.DOWN] * 5, Button.ROLL):
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


def waited_for(wanted: Callable[[], bool]) -> bool:
    """Whether it has come to be so in ten seconds."""
    end = time.monotonic() + 10
    while not wanted() and time.monotonic() < end:
        time.sleep(0.02)
    return wanted()


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

    def look(self, picture: Picture, expected: object, still: object) -> TableReading:
        return TableReading((SeenCard("track-1-left", Pose(float(picture.mean()), 0), 1),))


def test_a_display_without_power_for_a_moment_shows_a_screen_again_that_stays_as_it_is() -> None:
    """Nothing was sent while it was away: nobody can have noticed."""
    now, memory, told = [0.0], OledMemory(), list[Event]()
    painter = ScreenPainter(OledDisplay(load_settings().display, memory, lambda: now[0]), told.append)
    painter.start()
    painter.show(Screen(main="Ann"), large=False)
    wanted = draw(Screen(main="Ann")).tobytes()
    assert waited_for(lambda: memory.image().tobytes() == wanted)
    memory.unplug()
    memory.plug_in()
    assert memory.image().getbbox() is None
    now[0] += 6.0
    comes_back = waited_for(lambda: memory.image().tobytes() == wanted)
    painter.end()
    painter.join()
    assert comes_back
    assert not told


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
    first.close()
    second = resumed(tmp_path / "game.jsonl", Settings(has_camera=False), Random(1))
    second.close()
    assert second.controller.game.state == first.controller.game.state


class StuckButtons(VirtualButtons):
    """Buttons of which some do not work."""

    stuck: frozenset[Button] = frozenset()

    @property
    def broken(self) -> frozenset[Button]:
        return self.stuck


def seen_screens(loop_buttons: VirtualButtons, clock: Clock) -> tuple[Loop, list[Screen]]:
    shown: list[Screen] = []

    def sink(effect: Effect) -> None:
        if isinstance(effect, Show):
            shown.append(effect.screen)

    controller = Controller(Game(fresh(Mode.TWO)), Settings(has_camera=False))
    loop = Loop(controller, loop_buttons, [sink], clock)
    loop.turn()
    return loop, shown


def test_a_button_that_does_not_work_is_named_the_others_work_and_it_comes_back() -> None:
    clock = Clock()
    buttons = StuckButtons(clock)
    loop, shown = seen_screens(buttons, clock)
    buttons.stuck = frozenset({Button.UP, Button.BACK})
    loop.turn()
    assert "Out of order: BACK, UP" in shown[-1].lines
    buttons.press(Button.ROLL)
    loop.turn()
    assert shown[-1].main == "Value?"
    buttons.press(Button.BACK, held=True)
    buttons.stuck = frozenset()
    loop.turn()
    assert not any("Out of order" in line for line in shown[-1].lines)


@pytest.mark.parametrize("jump", [-7200.0, 86400.0])
def test_a_clock_that_jumps_is_told_and_does_no_harm(jump: float) -> None:
    clock = Clock()
    loop, shown = seen_screens(VirtualButtons(clock), clock)

    def pass_time(seconds: float) -> None:
        for _ in range(round(10 * seconds)):
            clock.seconds += 0.1
            loop.turn()

    pass_time(1.0)
    before = loop.controller.desk.now  # type: ignore[attr-defined]
    clock.seconds += jump
    loop.turn()
    assert "The clock has jumped" in shown[-1].lines
    pass_time(6.0)
    assert "The clock has jumped" not in shown[-1].lines
    assert loop.controller.desk.now - before == pytest.approx(6.0, abs=0.3)  # type: ignore[attr-defined]


class BadCamera:
    """A camera that fails in some way for as long as it is told to."""

    def __init__(self, way: str) -> None:
        self.way: str | None = way
        self._count = 0

    def read(self) -> Picture:
        self._count += 1
        time.sleep(0.02)
        picture = np.full((64, 64, 3), 90 + self._count % 100, np.uint8)
        match self.way:
            case "unplugged":
                raise DeviceError(Part.CAMERA, DeviceFault.MISSING, "The camera does not answer.")
            case "frozen":
                return np.full((64, 64, 3), 90, np.uint8)
            case "black":
                return np.full((64, 64, 3), self._count % 2, np.uint8)
            case "hanging":
                time.sleep(0.6)
        return picture

    def close(self) -> None:
        pass


@pytest.mark.parametrize("way", ["unplugged", "frozen", "black", "hanging"])
def test_what_is_wrong_with_the_camera_is_told_tried_again_and_forgotten_when_it_sees(way: str) -> None:
    bad = BadCamera(way)
    told = "Too dark to read: use the buttons" if way == "black" else "No camera: use the buttons"
    watch = PictureWatch(frozen_seconds=0.2, dark_seconds=0.1)
    camera = GuardedCamera(lambda: bad, 0.3, 0.3, watch)
    shown: list[Screen] = []

    def note(effect: Effect) -> None:
        if isinstance(effect, Show):
            shown.append(effect.screen)

    devices = Devices(VirtualDisplay(), VirtualButtons(), VirtualLights(), camera, ())
    controller = Controller(Game(fresh(Mode.TWO)), Settings())
    appliance = Appliance(controller, devices, BlindEye(), mirrors=[note])

    def has_been_away_and_is_back() -> bool:
        if any(told in screen.lines for screen in shown):
            bad.way = None
        return bad.way is None and told not in shown[-1].lines

    assert not has_been_away_and_is_back()
    appliance.run(until(has_been_away_and_is_back))
    assert has_been_away_and_is_back()
    devices.close()


def test_a_display_that_goes_is_told_by_light_and_sound() -> None:
    display, lights = Frail(3), VirtualLights()
    devices = Devices(display, VirtualButtons(), lights, None, ())
    appliance = Appliance(Controller(Game(fresh(Mode.TWO)), Settings(has_camera=False)), devices, None)
    appliance.run(until(lambda: Light.WRONG in lights.lit and lights.tunes))
    assert Light.WRONG in lights.lit
    assert TUNES["wrong"] in lights.tunes


def test_what_comes_faster_than_it_is_done_is_noticed() -> None:
    loop = Loop(DiceTable(Settings()), VirtualButtons(), [])
    for _ in range(1_000):
        loop.post(Pressed(Button.UP))
    assert loop.is_behind
    loop.turn()
    assert not loop.is_behind


def test_a_signal_that_is_handled_slowly_ends_the_loop() -> None:
    """Python waits for ever where a signal takes longer than the wait for the next event: nothing would end it."""
    loop = Loop(DiceTable(Settings()), VirtualButtons(), ())
    is_over = threading.Event()

    def stop(*_: object) -> None:
        time.sleep(3 * PAUSE_SECONDS)
        is_over.set()
        loop.wake()

    rescued = threading.Timer(10.0, loop.wake)
    before = signal.signal(signal.SIGALRM, stop)
    rescued.start()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        begun = time.monotonic()
        loop.run(is_over.is_set)
        assert time.monotonic() - begun < 5.0
    finally:
        rescued.cancel()
        signal.signal(signal.SIGALRM, before)
