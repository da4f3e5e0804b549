"""Screen and eye go on whatever is raised in them, and where one does not the watchdog is not fed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from companion.device.appliance import Appliance
from companion.device.between_games.dice_table import DiceTable
from companion.device.threads.camera_watch import CameraWatch
from companion.device.threads.needed_thread import NeededThread
from companion.games.events import Effect, Event, Fault, Restored, Seen
from companion.games.settings import Settings
from hardware.buttons import VirtualButtons
from hardware.camera import Picture, VirtualCamera
from hardware.devices import Devices
from hardware.display import VirtualDisplay
from hardware.errors import DeviceError, Part
from hardware.errors import Fault as DeviceFault
from hardware.lights import VirtualLights
from tests.companion.web.browsers import wait_until
from vision.watching.table_reading import TableReading

RAISED = (
    DeviceError(Part.CAMERA, DeviceFault.MISSING, "It does not answer."),
    ValueError("numpy.dtype size changed, may indicate binary incompatibility"),
    KeyError("ColourGains"),
    IndexError("list index out of range"),
    AttributeError("'NoneType' object has no attribute 'x'"),
    TypeError("an integer is required"),
    OSError(121, "Remote I/O error"),
    MemoryError(),
    RecursionError("maximum recursion depth exceeded"),
    SystemExit(1),
)
EMPTY = TableReading()


class BadPart:
    """A part that raises this the first two times, and then works; also what looks through the camera."""

    def __init__(self, raised: BaseException, where: str) -> None:
        self.raised, self.where = raised, where
        self.left = 2
        self.shown: list[Image.Image] = []
        self.looked = 0

    def fails(self, where: str) -> None:
        if where == self.where and self.left:
            self.left -= 1
            raise self.raised

    def show(self, image: Image.Image) -> None:
        self.fails("show")
        self.shown.append(image)

    def take(self) -> Picture:
        self.fails("read")
        return np.zeros((2, 2, 3), np.uint8)

    def look(self, picture: Picture, expected: object, still: object) -> TableReading:
        self.fails("look")
        self.looked += 1
        return EMPTY

    def forget(self) -> None: ...

    def drawn(self) -> Picture | None:
        return None


class Listener(DiceTable):
    """The dice table, which also keeps what it is told."""

    def __init__(self) -> None:
        super().__init__(Settings())
        self.told: list[Event] = []

    def handle(self, event: Event) -> list[Effect]:
        self.told.append(event)
        return super().handle(event)


@pytest.mark.parametrize("where", ["show", "read", "look"])
@pytest.mark.parametrize("raised", RAISED, ids=lambda raised: type(raised).__name__)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_whatever_is_raised_the_screen_and_the_eye_go_on(
    raised: BaseException, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.device.threads.needed_thread.RETRY_SECONDS", 0.05)
    part, listener, stopped = BadPart(raised, where), Listener(), threading.Event()
    display = VirtualDisplay()
    display.show = part.show  # type: ignore[method-assign]
    devices = Devices(display, VirtualButtons(), VirtualLights(), VirtualCamera(part.take), ())
    appliance = Appliance(listener, devices, part)
    thread = threading.Thread(target=appliance.run, args=(stopped.is_set,), daemon=True)
    thread.start()
    device = "display" if where == "show" else "camera"
    try:
        wait_until(lambda: bool(part.shown) and part.looked > 0 and not part.left, seconds=10)
        wait_until(lambda: Restored(device) in listener.told)
        faults = {event.device for event in listener.told if isinstance(event, Fault)}
        assert faults == {device}
    finally:
        stopped.set()
        thread.join(10)
    assert not thread.is_alive()


class Turns(NeededThread):
    """Waits where it is told to."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__("turns", 10.0, clock)
        self.may_go_on = threading.Event()

    def turn(self) -> bool:
        self.may_go_on.wait()
        return False

    def failed(self, error: Exception) -> None:
        raise error


def test_what_hangs_is_not_turning_and_what_is_done_is() -> None:
    now = 0.0
    turns = Turns(lambda: now)
    turns.start()
    now = 9.0
    assert turns.is_turning()
    now = 11.0
    assert not turns.is_turning()
    turns.may_go_on.set()
    turns.join(5)
    assert turns.is_turning()
    assert not turns.revive()


@pytest.mark.parametrize("hangs", [False, True])
def test_the_watchdog_is_fed_only_while_the_screen_turns(hangs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.device.threads.screen_painter._PATIENCE_SECONDS", 0.5)
    goes_on, stopped, display = threading.Event(), threading.Event(), VirtualDisplay()
    if not hangs:
        goes_on.set()

    def show(_: Image.Image) -> None:
        goes_on.wait()

    display.show = show  # type: ignore[method-assign]
    fed: list[int] = []
    listener = Listener()
    appliance = Appliance(
        listener, Devices(display, VirtualButtons(), VirtualLights(), None, ()), None, on_turn=lambda: fed.append(1)
    )
    thread = threading.Thread(target=appliance.run, args=(stopped.is_set,), daemon=True)
    thread.start()
    stopped.wait(1.5)
    before = len(fed)
    stopped.wait(1.0)
    is_fed = len(fed) > before
    goes_on.set()
    stopped.set()
    thread.join(10)
    assert is_fed is not hangs


def test_a_camera_that_is_lost_to_the_program_ends_it_but_not_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    part = BadPart(DeviceError(Part.CAMERA, DeviceFault.LOST, "Its driver hangs."), "read")
    watch = CameraWatch(VirtualCamera(part.take), part, lambda: (), lambda _: None)
    with pytest.raises(DeviceError) as lost:
        watch.turn()
    watch.failed(lost.value)
    monkeypatch.setattr("companion.device.threads.camera_watch._STARTED_AT", time.monotonic())
    assert watch.is_turning()  # it has just been started
    monkeypatch.setattr("companion.device.threads.camera_watch._STARTED_AT", float("-inf"))
    assert not watch.is_turning()
    part.left = 0
    assert watch.turn()
    assert watch.is_turning()


def test_pictures_that_are_not_sharp_are_told_until_they_are() -> None:
    part, told = BadPart(ValueError(), ""), list[Event]()
    camera = VirtualCamera(part.take)
    watch = CameraWatch(camera, part, lambda: (), told.append)
    notices = (DeviceError(Part.CAMERA, DeviceFault.NOT_SHARP, "Its lens is guessed."),)
    for now in (notices, notices, ()):
        camera.notices = now  # type: ignore[attr-defined]
        watch.turn()
    assert [event for event in told if isinstance(event, Fault | Restored)] == [
        Fault("not-sharp"),
        Restored("not-sharp"),
    ]


class Night:
    """An eye for which it is dark until it is not."""

    def __init__(self) -> None:
        self.is_dark = True

    def look(self, picture: Picture, expected: object, still: object) -> TableReading:
        return TableReading(is_still=False, is_dark=self.is_dark)

    def forget(self) -> None: ...

    def drawn(self) -> Picture | None:
        return None


def test_darkness_is_told_once_it_stays_and_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Event] = []
    now = 100.0
    monkeypatch.setattr("companion.device.threads.camera_watch.time.monotonic", lambda: now)
    eye = Night()
    watch = CameraWatch(VirtualCamera(lambda: np.zeros((2, 2, 3), np.uint8)), eye, tuple, told.append)
    watch.turn()
    now += 1.0
    watch.turn()
    assert Fault("dark") not in told
    now += 1.0
    watch.turn()
    watch.turn()
    assert told.count(Fault("dark")) == 1
    eye.is_dark = False
    watch.turn()
    assert Restored("dark") in told


def test_a_camera_that_sees_only_black_says_that_it_is_dark() -> None:
    told: list[Event] = []
    watch = CameraWatch(VirtualCamera(lambda: np.zeros((2, 2, 3), np.uint8)), Night(), tuple, told.append)
    watch.failed(DeviceError(Part.CAMERA, DeviceFault.DARK, "It sees only black."))
    assert told == [Fault("dark", "It sees only black.")]
    watch.failed(DeviceError(Part.CAMERA, DeviceFault.MISSING, "It is gone."))
    assert told[1:] == [Restored("dark"), Fault("camera", "It is gone.")]


class StrangeDeck(Night):
    """Sees more and more cards of a deck that it was not taught."""

    def __init__(self) -> None:
        self.count = 0

    def look(self, picture: Picture, expected: object, still: object) -> TableReading:
        return TableReading(strange=self.count)


def test_cards_of_which_none_is_known_are_told_until_one_is() -> None:
    told: list[Event] = []
    eye = StrangeDeck()
    watch = CameraWatch(VirtualCamera(lambda: np.zeros((2, 2, 3), np.uint8)), eye, tuple, told.append)
    for eye.count in (0, 1, 2, 3, 0):
        watch.turn()
    assert [event for event in told if isinstance(event, Fault | Restored)] == [
        Fault("strange-cards"),
        Restored("strange-cards"),
    ]


class Doubtful(Night):
    """An eye that asks for a larger picture, and whether it was given one."""

    def look(self, picture: Picture, expected: object, still: Callable[[], Picture | None]) -> TableReading:
        larger = still()
        return TableReading(strange=0 if larger is None else larger.shape[0] // picture.shape[0])


def test_the_eye_may_have_a_still_of_the_camera() -> None:
    told: list[Event] = []
    sizes = (np.zeros((side, side, 3), np.uint8) for side in (2, 6))
    camera = VirtualCamera(lambda: next(sizes), lambda: next(sizes))
    CameraWatch(camera, Doubtful(), tuple, told.append).turn()
    assert Seen(TableReading(strange=3)) in told
