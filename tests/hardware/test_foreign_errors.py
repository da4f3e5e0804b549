"""Nothing foreign leaves hardware/: each call into a driver raises each kind of exception, one after the other.

Which calls there are is not written down here: a first run without any fault finds them.
"""

from __future__ import annotations

import ast
import builtins
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from hardware.buttons import Button, Kind
from hardware.buttons.gpio_buttons import RETRY_SECONDS, GpioButtons
from hardware.camera.guarded_camera import GuardedCamera
from hardware.camera.pi_camera import PiCamera
from hardware.camera.picture_folder import PictureFolder
from hardware.camera.usb_camera import UsbCamera
from hardware.devices import open_devices
from hardware.display import oled
from hardware.display.oled import OledDisplay
from hardware.display.oled_memory import OledMemory
from hardware.errors import DeviceError, Part
from hardware.gpio_chips import Chip
from hardware.gpio_pins import open_pins
from hardware.lights import Light, Tone
from hardware.lights.gpio_lights import GpioLights
from hardware.settings import load_settings
from tests.hardware.fake_picamera2 import put_picamera2
from tests.hardware.spied_drivers import (
    DRIVERS,
    ERRORS,
    HARDWARE,
    FakeLgpio,
    Spy,
    driver_imports,
    put_lgpio,
    roots,
    stand_between,
)

OURS = {
    "hardware.buttons.gpio_buttons",
    "hardware.camera.pi_camera",
    "hardware.camera.picture_folder",
    "hardware.camera.usb_camera",
    "hardware.display.oled",
    "hardware.gpio_pins",
    "hardware.lights.gpio_lights",
}
"""The modules that speak to drivers, each with its bench below."""


class Bench:
    """A device on its driver. What its phases do may raise DeviceError, but ``close`` and what is in ``silent``."""

    silent: tuple[str, ...] = ("close",)

    def __init__(self, monkeypatch: pytest.MonkeyPatch, spy: Spy, folder: Path) -> None:
        self.monkeypatch, self.spy, self.folder, self.device = monkeypatch, spy, folder, None
        self.prepare()
        stand_between(monkeypatch, spy)

    def prepare(self) -> None:
        """Puts the driver where it is imported from."""

    def phases(self) -> dict[str, Callable[[], object]]:
        raise NotImplementedError

    def works(self) -> bool:
        """Whether it works once the driver is right again; it may be opened anew if opening has failed."""
        raise NotImplementedError

    def opened(self, device: Any) -> Any:
        self.device = device
        return device

    def close(self) -> None:
        if self.device is not None:
            self.device.close()


class Screen(Bench):
    def prepare(self) -> None:
        oled._driver.cache_clear()
        self.memory = OledMemory()
        self.now = 0.0

    def phases(self) -> dict[str, Callable[[], object]]:
        return {"open": self.open, "show": self.show, "contrast": lambda: self.device.contrast(9), "close": self.close}

    def open(self) -> None:
        self.opened(OledDisplay(load_settings().display, self, lambda: self.now)).contrast(99)

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        self.spy.note("bus.write_i2c_block_data()")
        self.memory.write_i2c_block_data(address, register, data)

    def show(self) -> None:
        self.device.show(Image.new("1", (128, 64), 1))

    def works(self) -> bool:
        if self.device is None:
            self.open()
        self.now += 10
        self.show()
        return self.memory.image().getbbox() == (0, 0, 128, 64)


class Pins(Bench):
    def prepare(self) -> None:
        self.pins = FakeLgpio()
        self.now = 100.0
        self.kept: list[DeviceError] = []
        put_lgpio(self.monkeypatch, self.spy.wrap("lgpio", self.pins))
        self.monkeypatch.setattr("hardware.gpio_pins.find_chips", lambda: [Chip(0, "pinctrl-bcm2835")])


class Buttons(Pins):
    silent = ("open", "poll", "close")

    def phases(self) -> dict[str, Callable[[], object]]:
        return {"open": self.open, "poll": self.poll, "close": self.close}

    def open(self) -> None:
        self.opened(GpioButtons({Button.ROLL: 5, Button.PASS: 6}, None, clock=lambda: self.now))
        self.kept += self.device.faults

    def poll(self) -> None:
        for _ in range(3):
            self.now += RETRY_SECONDS
            self.device.poll()
            self.kept += self.device.faults

    def works(self) -> bool:
        if self.device._devices or self.device._missing:
            self.poll()
        else:
            self.open()  # it was closed
        self.pins.levels[5] = 0
        self.device.poll()
        self.now += 1
        told = [(event.button, event.kind) for event in self.device.poll()]
        return not self.device.broken and (Button.ROLL, Kind.PRESSED) in told


class Lights(Pins):
    silent = ("light", "sound", "close")

    def phases(self) -> dict[str, Callable[[], object]]:
        return {
            "open": self.open,
            "light": lambda: self.device.light([Light.GOOD]),
            "sound": self.sound,
            "close": self.close,
        }

    def open(self) -> None:
        self.opened(GpioLights({Light.GOOD: 17}, 18, open_pins(Part.LIGHTS)))
        self.kept += self.device.faults

    def sound(self) -> bool:
        played = len(self.pins.tones)
        self.device.sound([Tone(440, 0.001), Tone(0, 0.001)])
        end = time.monotonic() + (0.02 if self.spy.victim else 5)
        while time.monotonic() < end:
            # At its end it is silent.
            if self.pins.tones[played:] and self.pins.tones[-1][1] == 0 and len(self.pins.tones) > played + 2:
                return True
            time.sleep(0.001)
        return False

    def works(self) -> bool:
        if self.device is None or not self.device._lights or self.device._buzzer is None:
            self.close()
            self.open()
        self.device.light([Light.GOOD])
        return self.pins.levels.get(17) == 1 and self.sound()


class PiCam(Bench):
    def prepare(self) -> None:
        put_picamera2(self.monkeypatch).sensor_resolution = (3280, 2464)

    def phases(self) -> dict[str, Callable[[], object]]:
        return {"open": self.open, "read": self.read, "still": self.still, "close": self.close}

    def read(self) -> None:
        self.device.read()

    def still(self) -> None:
        self.device.still()

    def open(self) -> None:
        self.opened(PiCamera(load_settings().camera))

    def works(self) -> bool:
        self.close()
        self.open()
        return self.device.read().shape == (48, 64, 3)


class UsbCam(PiCam):
    def prepare(self) -> None:
        path = self.folder / "film.avi"
        if not path.exists():
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
            for _ in range(20):
                writer.write(np.zeros((48, 64, 3), np.uint8))
            writer.release()
        self.settings = replace(load_settings().camera, device=str(path), rotation=180)

    def open(self) -> None:
        self.opened(UsbCamera(self.settings))


class Folder(PiCam):
    def prepare(self) -> None:
        cv2.imwrite(str(self.folder / "0.png"), np.zeros((48, 64, 3), np.uint8))

    def open(self) -> None:
        self.opened(PictureFolder(self.folder))


BENCHES: dict[type[Bench], set[str]] = {
    Screen: {"bus.write_i2c_block_data()", "i2c()", "i2c().command()", "ssd1306().preprocess()"},
    Buttons: {"import gpiozero", "import lgpio", "lgpio.gpiochip_open()", "gpiozero.DigitalInputDevice().is_active"},
    Lights: {"gpiozero.PWMOutputDevice().frequency =", "lgpio.tx_pwm()", "gpiozero.DigitalOutputDevice().close()"},
    PiCam: {
        "import picamera2",
        "picamera2.Picamera2().capture_metadata()",
        "picamera2.Picamera2().switch_mode_and_capture_array()",
        "picamera2.Picamera2().close()",
    },
    UsbCam: {"cv2.VideoCapture()", "cv2.VideoCapture().grab()", "cv2.VideoCapture().release()"},
    Folder: {"cv2.imdecode()"},
}
"""Each with some of the calls that are found."""


def test_every_module_that_speaks_to_a_driver_has_a_bench() -> None:
    assert set(driver_imports()) == OURS


def test_only_drivers_and_what_reaches_for_nothing_is_imported() -> None:
    harmless = {"hardware", "msgspec", "numpy", "PIL", *sys.stdlib_module_names}
    trees = [ast.parse(path.read_text()) for path in HARDWARE.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert {root for node in nodes for root in roots(node)} <= harmless | DRIVERS


def on_fresh(kind: type[Bench], spy: Spy, folder: Path) -> tuple[Bench, pytest.MonkeyPatch]:
    monkeypatch = pytest.MonkeyPatch()
    # A pin that cannot be closed is closed once more when Python forgets it. pytest would keep what fails then, and
    # with it the pin.
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    return kind(monkeypatch, spy, folder), monkeypatch


def found_calls(kind: type[Bench], folder: Path) -> list[tuple[str, str]]:
    """Each phase with the calls that it makes."""
    spy, found = Spy(), []
    bench, monkeypatch = on_fresh(kind, spy, folder)
    with monkeypatch.context():
        for phase, do in bench.phases().items():
            spy.calls.clear()
            do()
            found += [(phase, call) for call in spy.calls]
    monkeypatch.undo()
    return found


def tried(kind: type[Bench], folder: Path, phase: str, call: str, error: Callable[[], Exception]) -> str | None:
    """What goes wrong when a call raises an error in one of the phases."""
    spy = Spy()
    bench, monkeypatch = on_fresh(kind, spy, folder)
    try:
        for name, do in bench.phases().items():
            spy.victim, spy.error = (call, error) if name == phase else (None, error)
            try:
                do()
            except DeviceError as fault:
                if name in bench.silent:
                    return f"{name} raises {fault}"
                if not str(fault).rstrip().endswith((".", "?")) or "\n" in str(fault) or len(str(fault)) > 320:
                    return f"{name} says {fault}"
            except Exception as foreign:  # noqa: BLE001 - that is what is looked for
                return f"{name} lets out {foreign!r}"
            if name == phase:
                break
        spy.victim = None
        if not bench.works():
            return "it does not work again"
    except Exception as foreign:  # noqa: BLE001
        return f"afterwards: {foreign!r}"
    else:
        return None
    finally:
        spy.victim = None
        bench.close()
        monkeypatch.undo()


@pytest.mark.parametrize("kind", BENCHES)
def test_what_a_driver_raises_becomes_a_fault_of_the_device_and_passes(kind: type[Bench], tmp_path: Path) -> None:
    found = found_calls(kind, tmp_path)
    assert {call for _, call in found} >= BENCHES[kind]
    wrong = {}
    for phase, call in found:
        for error in ERRORS:
            trouble = tried(kind, tmp_path, phase, call, error)
            if trouble:
                wrong[phase, call, repr(error())] = trouble
    assert wrong == {}
    gc.collect()


def lazy_imports() -> list[str]:
    """The modules that the devices import when they are opened, and which import something heavy at once."""
    tree = ast.parse((HARDWARE / "devices.py").read_text())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    nodes = [node for function in functions for node in ast.walk(function) if isinstance(node, ast.ImportFrom)]
    at_once = {name for name, own in driver_imports().items() if any(node.col_offset == 0 for node in own)}
    return sorted({str(node.module) for node in nodes} & (at_once | {"hardware.camera.pi_camera"}))


@pytest.mark.parametrize("module", lazy_imports())
def test_a_library_that_does_not_load_takes_only_its_own_part_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, module: str
) -> None:
    put_lgpio(monkeypatch, FakeLgpio())
    put_picamera2(monkeypatch)
    cv2.imwrite(str(tmp_path / "0.png"), np.zeros((48, 64, 3), np.uint8))
    really, error = builtins.__import__, [RuntimeError]

    def imported(name: str, *rest: Any) -> Any:
        if name == module:
            failure = error[0]()
            raise failure
        return really(name, *rest)

    kind = {"hardware.camera.usb_camera": "usb", "hardware.camera.picture_folder": "folder"}.get(module, "pi")
    settings = load_settings()
    settings = replace(
        settings, camera=replace(settings.camera, kind=kind, device="0" if kind == "pi" else str(tmp_path))
    )
    settings = replace(settings, lights=replace(settings.lights, good=17))
    for error[0] in ERRORS:
        with monkeypatch.context() as blocked:
            blocked.setattr(builtins, "__import__", imported)
            devices = open_devices(settings, bus=OledMemory())
            faults = list(devices.faults)
            try:
                devices.camera.read()
            except DeviceError as fault:
                faults.append(fault)
            devices.close()
        assert len(faults) == 1, (faults, error[0]())


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("where", ["open", "read", "close"])
def test_a_guarded_camera_lets_nothing_foreign_out(where: str, error: Callable[[], Exception]) -> None:
    class Camera:
        fails = True

        def at(self, here: str) -> None:
            if here == where and self.fails:
                raise error()

        def open(self) -> Camera:
            self.at("open")
            return self

        def read(self) -> np.ndarray:
            self.at("read")
            return np.zeros((8, 8, 3), np.uint8)

        def close(self) -> None:
            self.at("close")

    device = Camera()
    camera = GuardedCamera(device.open, 20, 20)
    if where != "close":
        with pytest.raises(DeviceError):
            camera.read()
    camera.close()
    device.fails = False
    assert camera.read().shape == (8, 8, 3)
    camera.close()
