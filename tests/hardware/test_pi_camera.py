"""The Pi's camera: what is asked of picamera2, which only a Pi has; a recording stands in for it here."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.camera.pi_camera import PiCamera, steady_controls
from hardware.errors import DeviceError, Fault
from hardware.settings import load_settings

METADATA = {"ExposureTime": 27_345, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.5), "LensPosition": 1.25}


class RecordedPicamera2:
    """Keeps what it is asked for, with the names and arguments of picamera2 0.3."""

    cameras = ({"Num": 0},)

    def __init__(self, camera_num=0) -> None:
        self.camera_controls = {"AfMode": (0, 2, 0), "ExposureTime": (1, 1000, 1)}
        self.calls: list[str] = []
        self.configurations: list[dict] = []
        self.picture = np.zeros((48, 64, 3), np.uint8)
        self.failure: Exception | None = None
        RecordedPicamera2.newest = self

    @staticmethod
    def global_camera_info():
        return RecordedPicamera2.cameras

    def create_video_configuration(self, main, transform, buffer_count, queue, display, encode, controls):
        return {"main": main, "turned": (transform.hflip, transform.vflip), "buffers": buffer_count, **controls}

    def configure(self, camera_config) -> None:
        self.configurations.append(camera_config)

    def start(self) -> None:
        self.calls.append("start")

    def stop(self) -> None:
        self.calls.append("stop")

    def close(self) -> None:
        self.calls.append("close")

    def autofocus_cycle(self, wait) -> bool:
        self.calls.append("focus")
        return True

    def capture_metadata(self, wait) -> dict:
        if self.failure:
            raise self.failure
        return METADATA

    def capture_array(self, name, wait) -> np.ndarray:
        if self.failure:
            raise self.failure
        return self.picture


@pytest.fixture
def picamera2(monkeypatch):
    module, libcamera = ModuleType("picamera2"), ModuleType("libcamera")
    module.Picamera2 = RecordedPicamera2
    libcamera.Transform = lambda hflip, vflip: SimpleNamespace(hflip=hflip, vflip=vflip)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    return RecordedPicamera2


def settings(**changes):
    return replace(load_settings().camera, **changes)


def test_light_and_focus_are_measured_once_and_kept(picamera2) -> None:
    slept = []
    camera = PiCamera(settings(rotation=180, width=64, height=48), sleep=slept.append)
    device = picamera2.newest
    assert device.calls == ["start", "focus", "stop", "start"]
    assert slept == [2.0]
    measured, kept = device.configurations
    assert "ExposureTime" not in measured
    assert kept["main"] == {"size": (64, 48), "format": "RGB888"}
    assert (kept["turned"], kept["buffers"]) == ((True, True), 2)
    assert kept["ExposureTime"] == 20_000
    assert kept["LensPosition"] == 1.25
    device.picture = np.arange(48 * 64 * 3).reshape(48, 64, 3).astype(np.uint8)
    assert np.array_equal(camera.read(), device.picture)
    camera.close()
    assert device.calls[-1] == "close"


@pytest.mark.parametrize("exposure", [200, 9_999, 10_000, 19_999, 33_333, 99_000])
def test_kept_light_is_the_measured_one_without_stripes_from_lamps(exposure: int) -> None:
    kept = steady_controls(METADATA | {"ExposureTime": exposure})
    assert kept["ExposureTime"] * kept["AnalogueGain"] == pytest.approx(exposure * 2.0)
    assert kept["AnalogueGain"] >= 2.0
    assert kept["ExposureTime"] % 10_000 == 0 or exposure < 10_000
    assert (kept["AeEnable"], kept["AwbEnable"], kept["ColourGains"]) == (False, False, (1.5, 2.5))


def test_lens_that_cannot_move_is_left_alone() -> None:
    kept = steady_controls({name: value for name, value in METADATA.items() if name != "LensPosition"})
    assert "AfMode" not in kept


def test_missing_camera_is_told(picamera2, monkeypatch) -> None:
    monkeypatch.setattr(picamera2, "cameras", ())
    with pytest.raises(DeviceError, match=r"no camera 0, only 0 answer: .* ribbon cable") as raised:
        PiCamera(settings(), sleep=lambda _: None)
    assert raised.value.fault is Fault.MISSING


def test_camera_that_gives_no_pictures_is_told(picamera2) -> None:
    camera = PiCamera(settings(), sleep=lambda _: None)
    picamera2.newest.failure = TimeoutError()
    with pytest.raises(DeviceError, match=r"no picture in time.*ribbon cable"):
        camera.read()


def test_camera_that_fails_while_it_settles_is_closed(picamera2) -> None:
    def fail(_: float) -> None:
        picamera2.newest.failure = RuntimeError("Camera frontend has timed out!")

    with pytest.raises(DeviceError, match="Camera frontend has timed out"):
        PiCamera(settings(), sleep=fail)
    assert picamera2.newest.calls[-1] == "close"


def test_machine_without_picamera2_is_told_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceError, match="install python3-picamera2") as raised:
        PiCamera(settings())
    assert raised.value.fault is Fault.NOT_INSTALLED
