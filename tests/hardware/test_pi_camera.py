"""The Pi's camera: what is asked of picamera2, and what becomes of what it tells."""

import sys

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.camera.lens_memory import LensMemory
from hardware.camera.pi_camera import PiCamera
from hardware.camera.pi_light import STEADY_PICTURES, is_steady, not_taken, steady_controls
from hardware.errors import DeviceError, Fault
from hardware.settings import load_settings
from tests.hardware.fake_picamera2 import put_picamera2

METADATA = {"ExposureTime": 27_345, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.5), "LensPosition": 1.25}


@pytest.fixture
def picamera2(monkeypatch):
    return put_picamera2(monkeypatch)


def settings(**changes):
    return replace(load_settings().camera, **changes)


def opened(picamera2, lens=None, **changes) -> PiCamera:
    return PiCamera(settings(**changes), lens, clock=lambda: picamera2.now)


def test_light_and_focus_are_measured_once_and_kept(picamera2) -> None:
    camera = opened(picamera2, rotation=180, width=64, height=48)
    device = picamera2.newest()
    assert device.calls == ["start", "controls", "focus", "stop", "start"]
    measured, kept = device.configurations
    assert "ExposureTime" not in measured
    assert measured["FrameDurationLimits"] == (33_333, 100_000)
    assert kept["FrameDurationLimits"] == (100_000, 100_000)
    assert kept["main"] == {"size": (64, 48), "format": "RGB888"}
    assert (kept["turned"], kept["buffers"]) == ((True, True), 2)
    assert kept["ExposureTime"] == 50_000  # of 27,345 with a gain of 2
    assert kept["AnalogueGain"] == pytest.approx(1.0938)
    assert (kept["AfMode"], kept["LensPosition"]) == (0, 1.25)
    device.picture = np.arange(48 * 64 * 3).reshape(48, 64, 3).astype(np.uint8)
    assert np.array_equal(camera.read(), device.picture)
    assert camera.notices == ()
    camera.close()
    assert device.calls[-2:] == ["cancel", "close"]


@pytest.mark.parametrize("exposure", [200, 9_999, 10_000, 19_999, 33_333, 99_000, 120_000])
@pytest.mark.parametrize(("hertz", "swing"), [(50, 10_000), (60, 8_333.3)])
def test_kept_light_is_the_measured_one_without_stripes_from_lamps(exposure: int, hertz: int, swing: float) -> None:
    kept = steady_controls(METADATA | {"ExposureTime": exposure}, hertz)
    assert kept["ExposureTime"] * kept["AnalogueGain"] == pytest.approx(exposure * 2.0)
    assert kept["AnalogueGain"] >= 1.0
    swings = kept["ExposureTime"] / swing
    assert abs(swings - round(swings)) < 0.001 or 2 * exposure < swing
    assert kept["ExposureTime"] < 100_000
    assert kept["ColourGains"] == (1.5, 2.5)


@pytest.mark.parametrize(
    ("exposure", "gain", "least_gain", "kept_exposure"),
    [
        (33_333, 8.0, 1.0, 90_000),
        (33_333, 2.0, 1.0, 60_000),
        (33_333, 2.0, 1.125, 50_000),
        (4_000, 2.0, 1.0, 8_000),
        (6_000, 2.0, 1.0, 10_000),
    ],
    ids=["dim", "a lamp", "a sensor that always amplifies", "daylight", "bright"],
)
def test_light_is_gathered_rather_than_amplified(
    exposure: int, gain: float, least_gain: float, kept_exposure: int
) -> None:
    """Cards lie still, and noise hides small numerals: as long an exposure, and as little gain, as there may be."""
    kept = steady_controls(METADATA | {"ExposureTime": exposure, "AnalogueGain": gain}, 50, least_gain)
    assert kept["ExposureTime"] == kept_exposure
    assert kept["AnalogueGain"] == pytest.approx(exposure * gain / kept_exposure)


@pytest.mark.parametrize(("least_gain", "exposure"), [(1.5, 30_000), (0.0, 50_000)])
def test_a_sensors_least_gain_is_asked_of_it(picamera2, least_gain: float, exposure: int) -> None:
    picamera2.controls["AnalogueGain"] = (least_gain, 16.0, least_gain)
    opened(picamera2)
    assert picamera2.newest().configurations[1]["ExposureTime"] == exposure


@pytest.mark.parametrize("lacking", METADATA)
def test_what_a_picture_does_not_tell_is_left_to_the_camera(picamera2, lacking: str) -> None:
    picamera2.metadata.pop(lacking)
    camera = opened(picamera2)
    assert lacking not in picamera2.newest().configurations[1] or lacking == "LensPosition"
    assert camera.read().shape == (48, 64, 3)


def test_lens_that_cannot_move_is_left_alone(picamera2) -> None:
    picamera2.controls.pop("AfMode")
    opened(picamera2)
    assert "focus" not in picamera2.newest().calls
    assert "AfMode" not in picamera2.newest().configurations[1]


@pytest.mark.parametrize("states", [[1, 3], [1], [0]])
def test_lens_that_finds_nothing_is_set_by_the_height_and_that_is_said(picamera2, states: list[int]) -> None:
    picamera2.af_states, picamera2.seconds_each = states, 0.5
    camera = opened(picamera2, table_cm=50)
    assert picamera2.newest().configurations[1]["LensPosition"] == 2.0
    assert [notice.fault for notice in camera.notices] == [Fault.NOT_SHARP]
    assert "set to 50 cm" in str(camera.notices[0])
    assert picamera2.now < 15
    assert camera.read().shape == (48, 64, 3)


def test_focus_that_was_found_is_kept_when_the_camera_is_opened_anew(picamera2) -> None:
    lens = LensMemory()
    opened(picamera2, lens).close()
    picamera2.af_states = [3]
    camera = opened(picamera2, lens)
    assert picamera2.newest().configurations[1]["LensPosition"] == 1.25
    assert camera.notices == ()


def test_focus_that_was_not_found_is_searched_again(picamera2) -> None:
    lens, picamera2.af_states = LensMemory(), [3]
    assert opened(picamera2, lens).notices
    picamera2.af_states = [1, 2]
    assert opened(picamera2, lens).notices == ()


def told(**changes) -> dict:
    return METADATA | changes


def test_light_is_waited_for_until_it_is_steady() -> None:
    creeping = [told(ColourGains=(1.5 + 0.01 * each, 2.5)) for each in range(20)]
    assert not is_steady(creeping)
    assert not is_steady([*creeping, *[told()] * (STEADY_PICTURES - 1)])
    assert is_steady([*creeping, *[told()] * STEADY_PICTURES])
    brightening = [told(ExposureTime=1000 * each) for each in range(10, 30)]
    assert not is_steady(brightening)
    assert is_steady([*brightening, told(AeLocked=True)])
    assert is_steady([*brightening, told(AeState=2)])


def test_light_that_never_comes_to_rest_is_taken_as_it_is_after_a_while(picamera2, monkeypatch) -> None:
    picamera2.seconds_each = 0.1
    monkeypatch.setattr("hardware.camera.pi_camera.is_steady", lambda _: False)
    opened(picamera2, settle_seconds=3)
    assert 3 <= picamera2.now < 5


def test_values_that_are_not_taken_are_set_again(picamera2) -> None:
    picamera2.is_stubborn = 1
    camera = opened(picamera2)
    device = picamera2.newest()
    assert device.calls[-2:] == ["start", "controls"]
    assert device.told["ExposureTime"] == 50_000
    assert camera.notices == ()


def test_values_that_are_never_taken_are_told(picamera2) -> None:
    picamera2.is_stubborn = 99
    camera = opened(picamera2)
    assert [notice.fault for notice in camera.notices] == [Fault.LIGHT_CHANGES]
    assert "(ExposureTime, AnalogueGain)" in str(camera.notices[0])


def test_steps_of_a_sensor_are_no_other_values() -> None:
    wanted = {"ExposureTime": 20_000, "AnalogueGain": 2.73, "ColourGains": (1.5, 2.5), "LensPosition": 1.25}
    assert not_taken(wanted, {"ExposureTime": 19_987, "AnalogueGain": 2.6, "ColourGains": (1.499, 2.5)}) == []
    assert not_taken(wanted, wanted | {"ExposureTime": 33_000, "ColourGains": (1.5, 3.0)}) == [
        "ExposureTime",
        "ColourGains",
    ]


def test_missing_camera_is_told(picamera2) -> None:
    picamera2.cameras = ()
    with pytest.raises(DeviceError, match=r"no camera 0, only 0 answer: .* ribbon cable") as raised:
        opened(picamera2)
    assert raised.value.fault is Fault.MISSING


def test_camera_that_gives_no_pictures_is_told(picamera2) -> None:
    camera = opened(picamera2)
    picamera2.newest().failure = TimeoutError()
    with pytest.raises(DeviceError, match=r"no picture in time.*ribbon cable"):
        camera.read()


def test_camera_that_fails_while_it_settles_is_closed(picamera2, monkeypatch) -> None:
    def fail(self, wait: float) -> None:
        raise RuntimeError("Camera frontend has timed out!")

    monkeypatch.setattr(picamera2, "capture_metadata", fail)
    with pytest.raises(DeviceError, match="Camera frontend has timed out"):
        opened(picamera2)
    assert picamera2.newest().calls[-1] == "close"


def test_machine_without_picamera2_is_told_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceError, match="install python3-picamera2") as raised:
        PiCamera(settings())
    assert raised.value.fault is Fault.NOT_INSTALLED


@pytest.mark.parametrize(
    ("sensor", "size"),
    [
        ((3280, 2464), (3280, 2464)),  # Camera Module 2
        ((4608, 2592), (3280, 2464)),  # Camera Module 3: no more than twice as large, and of the same proportion
        ((2592, 1944), (2586, 1944)),  # Camera Module 1
        ((1640, 1232), None),
        ((1920, 1080), None),
    ],
)
def test_still_shows_the_same_view_larger_in_the_light_that_was_kept(picamera2, sensor, size) -> None:
    picamera2.sensor_resolution = sensor
    camera = opened(picamera2, rotation=180)
    kept = picamera2.newest().configurations[-1]
    still = camera.still()
    assert (None if still is None else still.shape[1::-1]) == size
    if size is not None:
        mode = picamera2.newest().configurations[-1]
        assert mode == kept | {"main": {"size": size, "format": "RGB888"}, "buffers": 1}
        assert size[0] / size[1] == pytest.approx(1640 / 1232, abs=2e-3)


def test_still_that_fails_is_told_as_a_fault(picamera2) -> None:
    picamera2.sensor_resolution = (3280, 2464)
    camera = opened(picamera2)
    picamera2.newest().failure = OSError(12, "Cannot allocate memory")
    with pytest.raises(DeviceError, match="Cannot allocate memory"):
        camera.still()
