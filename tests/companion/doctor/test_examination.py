"""The doctor on a machine whose parts are missing or wrong, one after the other."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.doctor.examination import examine
from companion.doctor.findings import Finding, Verdict
from companion.doctor.machine import Machine
from companion.texts.language import LANGUAGES, Texts
from hardware.camera import Camera, Picture, VirtualCamera
from hardware.errors import DeviceError, Fault, Part
from hardware.gpio_chips import Chip
from hardware.settings import CameraSettings

THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
NOON = 1.9e9


def photograph() -> Picture:
    """Sharp, well lit, with outlines and a little noise."""
    picture = np.full((330, 480, 3), 150, np.uint8)
    for left in range(20, 420, 90):
        cv2.rectangle(picture, (left, 120), (left + 63, 208), (235, 240, 240), -1)
        cv2.putText(picture, "3", (left + 12, 190), cv2.FONT_HERSHEY_SIMPLEX, 2, (20, 20, 20), 4)
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


class Bus:
    """An I²C bus with devices at some addresses; or one on which every message fails in the same way."""

    def __init__(self, *addresses: int, fails: int = 0) -> None:
        self.addresses, self.fails = addresses, fails

    def read_byte(self, address: int) -> int:
        if self.fails:
            raise OSError(self.fails, os.strerror(self.fails))
        if address not in self.addresses:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        return 0x43

    def close(self) -> None:
        """Nothing."""


class Bench:
    """A Raspberry Pi on which everything is right, until a test takes something away."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.settings = root / "devices.toml"
        self.settings.write_text('[camera]\nkind = "usb"\n')
        self.pins: Any = MockFactory(pin_class=MockPWMPin)
        self.other: DigitalInputDevice | None = None
        self.machine = Machine(
            root,
            bus=lambda _: Bus(0x3C),
            pins=lambda: self.pins,
            camera=lambda _: VirtualCamera(photograph),
            service=lambda: "inactive",
            now=lambda: NOON,
        )
        self.write("dev/gpiochip0", "dev/i2c-1", "dev/video0")
        self.write("run/systemd/timesync/synchronized", "etc/systemd/system/companion.service")
        self.say("proc/device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0\0")
        self.say("proc/mounts", "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\ntmpfs /tmp tmpfs rw 0 0\n")
        self.say("sys/class/thermal/thermal_zone0/temp", "48312\n")
        self.say(THROTTLED, "0\n")
        (root / "var/lib/companion").mkdir(parents=True)

    def write(self, *files: str) -> None:
        for file in files:
            self.say(file, "")

    def say(self, file: str, text: str) -> None:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def forget(self, file: str) -> None:
        (self.root / file).unlink()

    def change(self, **ways: object) -> None:
        self.machine = self.machine._replace(**ways)

    def examined(self) -> list[Finding]:
        return list(examine(self.machine, self.settings, self.root / "games"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def forbids(part: str) -> Callable[[Path, int], bool]:
    def may(path: Path, _: int) -> bool:
        return part not in str(path)

    return may


def failing(fault: Fault, message: str = "away") -> Callable[[CameraSettings], Camera]:
    def take() -> Picture:
        raise DeviceError(Part.CAMERA, fault, message)

    return lambda _: VirtualCamera(take)


def showing(change: Callable[[Picture], Picture]) -> Callable[[CameraSettings], Camera]:
    return lambda _: VirtualCamera(lambda: change(photograph()))


def pins_fail(fault: Fault) -> Callable[[], Any]:
    def opened() -> Any:
        raise DeviceError(Part.BUTTONS, fault, "no pins")

    return opened


def disk(*, free: float = 1e9, flags: int = 0) -> Callable[[Path], os.statvfs_result]:
    blocks = int(free / 4096)
    return lambda _: os.statvfs_result((4096, 4096, blocks, blocks, blocks, 0, 0, 0, flags, 255))


def blurred(picture: Picture) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 5), np.uint8)


def press_up(bench: Bench) -> None:
    bench.pins = MockFactory(pin_class=MockPWMPin)
    bench.pins.pin(13).drive_low()
    bench.pins.pin(13)._set_pull = lambda _: None  # the finger is stronger than the pull-up


def take_pin(bench: Bench) -> None:
    bench.other = DigitalInputDevice(6, pin_factory=bench.pins)


CASES: dict[str, tuple[Callable[[Bench], object], str, Verdict]] = {
    "another computer": (lambda b: b.say("proc/device-tree/model", "Desk"), "no-pi", Verdict.NOTE),
    "settings with a misspelt name": (
        lambda b: b.settings.write_text("[buttons]\nrole = 5\n"),
        "settings-bad",
        Verdict.BAD,
    ),
    "no settings": (lambda b: b.settings.unlink(), "settings-bad", Verdict.BAD),
    "no rights": (lambda b: b.change(may=forbids("video")), "not-allowed", Verdict.BAD),
    "no header": (lambda b: b.forget("dev/gpiochip0"), "no-pins", Verdict.BAD),
    "no rights for pins": (lambda b: b.change(may=forbids("gpiochip")), "pins-not-allowed", Verdict.BAD),
    "no lgpio": (lambda b: b.change(pins=pins_fail(Fault.NOT_INSTALLED)), "no-lgpio", Verdict.BAD),
    "pins that fail": (lambda b: b.change(pins=pins_fail(Fault.MISSING)), "fails", Verdict.BAD),
    "a pin in use": (take_pin, "pin-in-use", Verdict.BAD),
    "a button that is down": (press_up, "pin-down", Verdict.BAD),
    "I2C switched off": (lambda b: b.forget("dev/i2c-1"), "no-i2c", Verdict.BAD),
    "no rights for I2C": (lambda b: b.change(may=forbids("i2c")), "i2c-not-allowed", Verdict.BAD),
    "a bus that hangs": (lambda b: b.change(bus=lambda _: Bus(fails=errno.ETIMEDOUT)), "i2c-stuck", Verdict.BAD),
    "a screen elsewhere": (lambda b: b.change(bus=lambda _: Bus(0x3D)), "screen-elsewhere", Verdict.BAD),
    "no screen": (lambda b: b.change(bus=lambda _: Bus()), "screen-silent", Verdict.BAD),
    "no camera": (lambda b: b.change(camera=failing(Fault.MISSING)), "fails", Verdict.BAD),
    "no picamera2": (lambda b: b.change(camera=failing(Fault.NOT_INSTALLED)), "camera-not-installed", Verdict.BAD),
    "a camera in use": (lambda b: b.change(camera=failing(Fault.IN_USE)), "camera-in-use", Verdict.BAD),
    "a cap on the lens": (lambda b: b.change(camera=failing(Fault.DARK)), "camera-dark", Verdict.BAD),
    "no lamp": (lambda b: b.change(camera=showing(lambda seen: seen // 10)), "light-dark", Verdict.BAD),
    "a lamp that glares": (
        lambda b: b.change(camera=showing(lambda seen: cv2.add(seen, (120.0, 120.0, 120.0, 0.0)))),
        "light-glare",
        Verdict.BAD,
    ),
    "a lens out of focus": (lambda b: b.change(camera=showing(blurred)), "sharpness-low", Verdict.BAD),
    "a bare table": (
        lambda b: b.change(camera=showing(lambda seen: np.full_like(seen, 130))),
        "sharpness-unknown",
        Verdict.NOTE,
    ),
    "a full disk": (lambda b: b.change(statvfs=disk(free=5e6)), "disk-full", Verdict.BAD),
    "little room": (lambda b: b.change(statvfs=disk(free=1e8)), "disk-full", Verdict.NOTE),
    "a disk that is read-only": (lambda b: b.change(statvfs=disk(flags=os.ST_RDONLY)), "disk-read-only", Verdict.BAD),
    "an overlay": (
        lambda b: b.say("proc/mounts", "overlay / overlay rw 0 0\n"),
        "disk-fleeting",
        Verdict.BAD,
    ),
    "a clock at 1970": (lambda b: b.change(now=lambda: 3600.0), "clock-wrong", Verdict.NOTE),
    "a clock alone": (lambda b: b.forget("run/systemd/timesync/synchronized"), "clock-alone", Verdict.NOTE),
    "no thermometer": (lambda b: b.forget("sys/class/thermal/thermal_zone0/temp"), "temperature-unknown", Verdict.NOTE),
    "warmth": (lambda b: b.say("sys/class/thermal/thermal_zone0/temp", "74000"), "temperature-warm", Verdict.NOTE),
    "heat": (lambda b: b.say("sys/class/thermal/thermal_zone0/temp", "83000"), "temperature-hot", Verdict.BAD),
    "too little voltage": (lambda b: b.say(THROTTLED, "50005"), "power-low", Verdict.BAD),
    "too little voltage before": (lambda b: b.say(THROTTLED, "50000"), "power-was-low", Verdict.BAD),
    "slowed down by warmth": (lambda b: b.say(THROTTLED, "80000"), "power-slowed", Verdict.NOTE),
    "a firmware that tells nothing": (lambda b: b.forget(THROTTLED), "power-unknown", Verdict.NOTE),
    "a service that failed": (lambda b: b.change(service=lambda: "failed"), "service-failed", Verdict.BAD),
    "no service": (lambda b: b.forget("etc/systemd/system/companion.service"), "no-service", Verdict.NOTE),
    "a companion that runs": (lambda b: b.change(service=lambda: "active"), "held-by-service", Verdict.NOTE),
}


def test_nothing_is_wrong_where_everything_is_right(bench: Bench) -> None:
    wrong = [finding for finding in bench.examined() if finding.verdict is Verdict.BAD]
    assert wrong == []


@pytest.fixture(scope="module")
def usual_codes(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    return {finding.code for finding in Bench(tmp_path_factory.mktemp("usual")).examined()}


@pytest.mark.parametrize("case", CASES)
def test_each_fault_is_named_and_is_the_only_one(bench: Bench, usual_codes: set[str], case: str) -> None:
    change, code, verdict = CASES[case]
    change(bench)
    found = {finding.code: finding for finding in bench.examined()}
    assert code not in usual_codes
    assert found[code].verdict is verdict
    others = {name for name, finding in found.items() if finding.verdict is Verdict.BAD and name != code}
    assert others <= {"camera-not-installed", "not-allowed"}
    for language in LANGUAGES:
        told = found[code].told(Texts(language))
        assert told
        assert "\n" not in told


def test_it_is_useful_with_everything_unplugged(tmp_path: Path) -> None:
    said = {finding.part: finding for finding in examine(Machine(tmp_path, bus=lambda _: Bus()), None, tmp_path)}
    assert said["pins"].code == "no-pins"
    assert said["i2c"].code == "no-i2c"
    assert {"board", "versions", "settings", "camera", "disk", "clock", "temperature", "power"} <= said.keys()


def test_games_in_memory_are_told_by_the_nearest_mount(bench: Bench) -> None:
    bench.say("proc/mounts", "/dev/mmcblk0p2 / ext4 rw 0 0\ntmpfs /var/lib tmpfs rw 0 0\n")
    assert "disk-fleeting" in {finding.code for finding in bench.examined()}


def test_another_screens_address_is_found_where_the_settings_say(bench: Bench) -> None:
    bench.settings.write_text('[display]\naddress = 0x3D\n[camera]\nkind = "none"\n')
    (told,) = (finding for finding in bench.examined() if finding.code == "screen-elsewhere")
    assert "0x3C" in told.told(Texts("en"))


def test_the_settings_decide_what_is_looked_for(bench: Bench) -> None:
    bench.settings.write_text('[display]\ncontroller = "none"\n[camera]\nkind = "none"\n')
    codes = {finding.code for finding in bench.examined()}
    assert {"no-screen", "no-camera"} <= codes
    assert not codes & {"i2c", "screen", "light"}


def test_the_chip_with_the_pins_is_named_whatever_its_number(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.forget("dev/gpiochip0")
    bench.write(*(f"dev/gpiochip{number}" for number in (11, 12, 13, 14, 15)))
    (told,) = (finding for finding in bench.examined() if finding.code == "pins")
    assert "(gpiochip11, gpiochip12, gpiochip13, gpiochip14, gpiochip15)" in told.told(Texts("en"))
    chips = [Chip(11, "gpio-brcmstb@107d508500"), Chip(15, "pinctrl-rp1")]
    monkeypatch.setattr("companion.doctor.devices.find_chips", lambda _: chips)
    (told,) = (finding for finding in bench.examined() if finding.code == "pins")
    assert "(gpiochip15 pinctrl-rp1)" in told.told(Texts("en"))


def test_a_lens_that_did_not_find_its_focus_is_named_beside_the_picture(bench: Bench) -> None:
    camera = VirtualCamera(photograph)
    camera.notices = (DeviceError(Part.CAMERA, Fault.NOT_SHARP, "It is set to 80 cm."),)
    bench.change(camera=lambda _: camera)
    told = [finding for finding in bench.examined() if finding.part == "sharpness"]
    assert [finding.verdict for finding in told] == [Verdict.NOTE, Verdict.GOOD]
    assert told[0].told(Texts("en")) == "It is set to 80 cm."
