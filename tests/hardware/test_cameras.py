"""Cameras: folders, films by OpenCV, functions, and what is noticed when one fails or hangs."""

import contextlib
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.camera import EndOfPictures, VirtualCamera, notices_of
from hardware.camera.guarded_camera import GuardedCamera
from hardware.camera.light_watch import LightWatch
from hardware.camera.picture_folder import PictureFolder
from hardware.camera.picture_watch import PictureWatch
from hardware.camera.usb_camera import UsbCamera
from hardware.errors import DeviceError, Fault, Part
from hardware.settings import load_settings


def grey(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


def settings(**changes):
    return replace(load_settings().camera, **changes)


def levels(camera, count: int) -> list[int]:
    return [int(camera.read().mean()) for _ in range(count)]


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Eight pictures whose upper half is brighter each time; the lower one is black."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for level in range(8):
        writer.write(np.vstack([grey(30 * level)[:24], grey(0)[:24]]))
    writer.release()
    return path


@pytest.mark.parametrize("rotation", [0, 180])
def test_opencv_reads_pictures_turned_if_the_camera_hangs_upside_down(film: Path, rotation: int) -> None:
    camera = UsbCamera(settings(device=str(film), rotation=rotation))
    picture = camera.read()
    assert (picture.shape, picture.dtype) == ((48, 64, 3), np.uint8)
    brighter, darker = (picture[:20], picture[-20:]) if rotation == 0 else (picture[-20:], picture[:20])
    assert brighter.mean() >= darker.mean()
    with pytest.raises(DeviceError, match="gives no pictures any more: check its cable"):
        levels(camera, 8)
    camera.close()


def test_picture_that_has_waited_in_the_driver_is_passed_over(film: Path) -> None:
    for seconds_each, seen in ((0.0, 4), (0.02, 0)):
        times = iter(np.arange(0, 20) * seconds_each)
        camera = UsbCamera(settings(device=str(film)), clock=lambda times=times: float(next(times)))
        assert abs(float(camera.read()[:20].mean()) - 30 * seen) < 8
        camera.close()


def test_camera_that_is_not_there_is_told() -> None:
    with pytest.raises(DeviceError, match="There is no camera 63: check its cable") as raised:
        UsbCamera(settings(device="63"))
    assert (raised.value.part, raised.value.fault) == (Part.CAMERA, Fault.MISSING)


class Unreliable:
    """Cameras of which each reading is what the test says next; counts how they are opened and closed."""

    def __init__(self, *readings) -> None:
        self.readings = list(readings)
        self.opened = self.closed = 0

    def open(self):
        self.opened += 1
        return self

    def read(self) -> np.ndarray:
        reading = self.readings.pop(0) if self.readings else grey(99)
        if isinstance(reading, Exception):
            raise reading
        return reading() if callable(reading) else reading

    def still(self) -> np.ndarray | None:
        return self.read()

    def close(self) -> None:
        self.closed += 1


def camera_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "camera"]


def wait_until(is_so) -> None:
    patience = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < patience
        time.sleep(0.005)


def test_guarded_camera_opens_once_and_closes() -> None:
    device = Unreliable()
    camera = GuardedCamera(device.open, read_seconds=20, open_seconds=20)
    assert device.opened == 0
    assert levels(camera, 3) == [99] * 3
    camera.close()
    assert (device.opened, device.closed, camera_threads()) == (1, 1, [])


def test_unplugged_camera_is_told_and_opened_anew() -> None:
    device = Unreliable(grey(1), DeviceError(Part.CAMERA, Fault.MISSING, "gone"), grey(2))
    camera = GuardedCamera(device.open, read_seconds=20, open_seconds=20)
    assert levels(camera, 1) == [1]
    with pytest.raises(DeviceError, match="gone"):
        camera.read()
    assert device.closed == 1
    assert levels(camera, 1) == [2]
    assert device.opened == 2
    camera.close()


def test_the_end_comes_through_and_a_mistake_is_told_as_a_fault() -> None:
    device = Unreliable(EndOfPictures("over"), ZeroDivisionError("mistake"))
    camera = GuardedCamera(device.open, read_seconds=20, open_seconds=20)
    with pytest.raises(EndOfPictures, match="over"):
        camera.read()
    with pytest.raises(DeviceError, match="mistake") as raised:
        camera.read()
    assert raised.value.fault is Fault.FAILS
    camera.close()


def test_hanging_camera_is_told_and_left_while_a_new_one_gives_pictures() -> None:
    goes_on = threading.Event()
    device = Unreliable(grey(1), lambda: goes_on.wait() and grey(2), grey(3))
    camera = GuardedCamera(device.open, read_seconds=0.1, open_seconds=20)
    assert levels(camera, 1) == [1]
    with pytest.raises(DeviceError, match=r"not answered for 0.1 seconds: check its cable") as raised:
        camera.read()
    assert raised.value.fault is Fault.HANGING
    assert levels(camera, 1) == [3]
    assert len(camera_threads()) == 2
    goes_on.set()
    wait_until(lambda: len(camera_threads()) == 1)
    assert (device.opened, device.closed) == (2, 1)
    camera.close()
    assert camera_threads() == []


def test_camera_that_always_hangs_never_takes_more_than_two_threads() -> None:
    goes_on = threading.Event()
    opened = []

    def open_camera():
        opened.append(1)
        goes_on.wait()
        return VirtualCamera(lambda: grey(5))

    camera = GuardedCamera(open_camera, read_seconds=0.02, open_seconds=0.03)
    for attempt in range(20):
        with pytest.raises(DeviceError) as raised:
            camera.read()
        assert raised.value.fault is (Fault.HANGING if attempt < 2 else Fault.LOST)
        assert len(camera_threads()) <= 2
    assert "has to start anew" in str(raised.value)
    assert len(opened) == 2
    goes_on.set()
    wait_until(lambda: not camera_threads())

    def gives_pictures() -> bool:
        with contextlib.suppress(DeviceError):  # a busy machine may need longer than the test's short deadline
            return levels(camera, 1) == [5]
        return False

    wait_until(gives_pictures)
    camera.close()


def test_closing_a_hanging_camera_does_not_wait_for_it() -> None:
    goes_on = threading.Event()

    class HangsAtTheEnd(Unreliable):
        def close(self) -> None:
            goes_on.wait()

    camera = GuardedCamera(HangsAtTheEnd().open, read_seconds=0.1, open_seconds=20)
    camera.read()
    camera.close()
    assert len(camera_threads()) == 1
    goes_on.set()
    wait_until(lambda: not camera_threads())


def noisy(seed: int, level: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(max(0, level - 5), level + 5, (96, 128, 3)).astype(np.uint8)


def fault(watch: PictureWatch, picture: np.ndarray, at_seconds: float) -> Fault | None:
    try:
        watch.look(picture, at_seconds)
    except DeviceError as error:
        return error.fault
    return None


def test_frozen_camera_is_noticed_until_it_goes_on() -> None:
    watch = PictureWatch(frozen_seconds=5)
    same = noisy(0, 120)
    assert [fault(watch, same.copy(), at) for at in (10, 12, 14.9)] == [None] * 3
    assert [fault(watch, same.copy(), at) for at in (15, 16)] == [Fault.FROZEN] * 2
    assert fault(watch, noisy(1, 120), 17) is None
    assert [fault(watch, noisy(at, 120), at) for at in range(20, 60)] == [None] * 40


def test_camera_that_takes_every_picture_into_the_same_memory_is_not_frozen() -> None:
    watch, memory = PictureWatch(frozen_seconds=5), noisy(0, 120)
    for at in range(20):
        memory[:] = noisy(at, 120)
        assert fault(watch, memory, at) is None


def test_black_camera_is_noticed_but_a_dark_table_is_none() -> None:
    watch = PictureWatch(dark_seconds=3)
    assert [fault(watch, noisy(at, 6), at) for at in range(3)] == [None] * 3
    assert [fault(watch, noisy(at, 6), at) for at in (3, 4)] == [Fault.DARK] * 2
    assert fault(watch, noisy(5, 90), 5) is None
    assert fault(watch, noisy(6, 6), 6) is None
    lit = noisy(0, 6)
    lit[30:50, 40:60] = 80
    assert [fault(PictureWatch(), lit, at) for at in (0, 4)] == [None] * 2


def test_black_picture_that_never_changes_is_told_as_black() -> None:
    watch = PictureWatch()
    black = np.zeros((96, 128, 3), np.uint8)
    assert [fault(watch, black, at) for at in (0, 10, 20)] == [None, Fault.DARK, Fault.DARK]


def test_frozen_camera_is_opened_anew_by_the_guard() -> None:
    device, now = Unreliable(*[noisy(0, 120)] * 3, noisy(1, 120)), [0.0]
    camera = GuardedCamera(device.open, 20, 20, PictureWatch(frozen_seconds=5), clock=lambda: now[0])
    camera.read()
    now[0] = 5.0
    for opened in (1, 2):
        with pytest.raises(DeviceError, match="same picture again and again"):
            camera.read()
        assert device.opened == opened
    camera.read()
    assert (device.opened, device.closed) == (3, 2)
    camera.close()


def test_camera_that_hangs_in_closing_and_is_in_use_from_then_on_is_lost() -> None:
    goes_on, now = threading.Event(), [0.0]

    class HangsAtTheEnd(Unreliable):
        def open(self):
            if self.opened:
                raise DeviceError(Part.CAMERA, Fault.IN_USE, "does another program use it?")
            return super().open()

        def close(self) -> None:
            goes_on.wait()

    device = HangsAtTheEnd(grey(1), DeviceError(Part.CAMERA, Fault.MISSING, "gone"))
    camera = GuardedCamera(device.open, read_seconds=0.1, open_seconds=0.1, clock=lambda: now[0])
    camera.read()
    told = []
    for now[0] in (0, 1, 20, 21, 22):
        with pytest.raises(DeviceError) as raised:
            camera.read()
        told.append(raised.value.fault)
    assert told == [Fault.HANGING, Fault.IN_USE, Fault.IN_USE, Fault.LOST, Fault.LOST]
    camera.close()
    goes_on.set()
    wait_until(lambda: not camera_threads())


def test_camera_that_another_program_has_from_the_start_is_not_lost() -> None:
    now = [0.0]

    def taken():
        raise DeviceError(Part.CAMERA, Fault.IN_USE, "does another program use it?")

    camera = GuardedCamera(taken, 20, 20, clock=lambda: now[0])
    for now[0] in (0, 100, 200):
        with pytest.raises(DeviceError) as raised:
            camera.read()
        assert raised.value.fault is Fault.IN_USE
    camera.close()


def lit(level: int, white: float = 0.0) -> np.ndarray:
    picture = np.full((160, 160, 3), level, np.uint8)
    picture[: int(160 * white)] = 255
    return picture


@pytest.mark.parametrize("picture", [lit(39), lit(161), lit(60, white=0.3)])
def test_other_light_is_noticed_when_it_stays_for_five_seconds(picture: np.ndarray) -> None:
    watch = LightWatch()
    assert [watch.is_other(lit(80), at) for at in range(10)] == [False] * 10
    assert [watch.is_other(picture, at) for at in range(10, 17)] == [False] * 5 + [True] * 2
    watch.forget()
    assert [watch.is_other(picture, at) for at in range(20, 40)] == [False] * 20


def test_hands_are_no_other_light() -> None:
    watch = LightWatch()
    levels_seen = [80, 30, 20, 80, *[30, 20] * 20, 80]
    assert not any(watch.is_other(lit(level), at) for at, level in enumerate(levels_seen))


def test_small_changes_of_light_are_left_alone_and_so_is_a_table_that_was_white_from_the_start() -> None:
    watch = LightWatch()
    assert not any(watch.is_other(lit(level), at) for at, level in enumerate([80, *[45] * 20, *[155] * 20]))
    watch.forget()
    assert not any(watch.is_other(lit(60, white=0.4), at) for at in range(30))


def test_other_light_lets_the_guard_open_the_camera_anew_without_a_fault() -> None:
    device, now = Unreliable(grey(80), *[grey(20)] * 9), [0.0]
    camera = GuardedCamera(device.open, 20, 20, clock=lambda: now[0], light=LightWatch())
    for now[0] in range(10):
        camera.read()
    assert (device.opened, device.closed) == (2, 1)
    camera.close()


def test_what_is_not_right_with_pictures_that_come_is_told_beside_them() -> None:
    blurred = DeviceError(Part.CAMERA, Fault.NOT_SHARP, "The camera does not find its focus.")
    device = Unreliable()
    device.notices = (blurred,)
    camera = GuardedCamera(device.open, 20, 20)
    assert notices_of(camera) == ()
    camera.read()
    assert notices_of(camera) == (blurred,)
    assert notices_of(VirtualCamera(lambda: grey(1))) == ()
    camera.close()


@pytest.mark.parametrize("number", ["99999999999999999999", "9" * 5000])
def test_a_number_no_camera_can_have_is_told(number: str) -> None:
    with pytest.raises(DeviceError, match="There is no camera 99999"):
        UsbCamera(settings(device=number))


def test_cameras_without_larger_pictures_have_no_stills(film: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), grey(1))
    for camera in (UsbCamera(settings(device=str(film))), PictureFolder(tmp_path), VirtualCamera(lambda: grey(1))):
        assert camera.still() is None
        camera.close()


def test_still_comes_from_the_camera_that_is_open() -> None:
    device = Unreliable(grey(1), grey(2), grey(3), None)
    camera = GuardedCamera(device.open, read_seconds=20, open_seconds=20)
    assert camera.still() is None
    assert device.opened == 0
    assert levels(camera, 1) == [1]
    still = camera.still()
    assert still is not None
    assert still.mean() == 2
    assert levels(camera, 1) == [3]
    assert device.opened == 1
    camera.close()


def test_after_a_still_that_fails_there_are_pictures_again_and_no_more_stills() -> None:
    device = Unreliable(grey(1), OSError(12, "Cannot allocate memory"), grey(2), grey(3))
    camera = GuardedCamera(device.open, read_seconds=20, open_seconds=20)
    camera.read()
    assert camera.still() is None
    assert (levels(camera, 1), device.opened, device.closed) == ([2], 2, 1)
    assert camera.still() is None
    assert levels(camera, 1) == [3]
    camera.close()


def test_still_that_hangs_is_given_up_and_pictures_go_on() -> None:
    goes_on = threading.Event()
    device = Unreliable(grey(1), lambda: goes_on.wait() and grey(2), grey(3))
    camera = GuardedCamera(device.open, read_seconds=0.1, open_seconds=20)
    camera.read()
    assert camera.still() is None
    assert levels(camera, 1) == [3]
    assert camera.still() is None
    goes_on.set()
    wait_until(lambda: len(camera_threads()) == 1)
    camera.close()
