"""All devices together: each falls back by itself."""

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from PIL import Image

from hardware.buttons import Button, Kind
from hardware.devices import open_devices
from hardware.display import VirtualDisplay
from hardware.display.oled_memory import OledMemory
from hardware.errors import DeviceError, Fault, Part
from hardware.lights import Light
from hardware.settings import Settings, load_settings


def settings(folder: Path, text: str) -> Settings:
    path = folder / "devices.toml"
    path.write_text(text, encoding="utf-8")
    return load_settings(path)


@pytest.fixture
def whole(tmp_path: Path) -> Settings:
    cv2.imwrite(str(tmp_path / "0.png"), np.full((32, 32, 3), 77, np.uint8))
    camera = f'[camera]\nkind = "folder"\ndevice = "{tmp_path}"\n'
    return settings(tmp_path, camera + "[lights]\ngood = 17\nbuzzer = 18\n")


def test_all_devices_work_together(whole: Settings) -> None:
    memory, pins, now = OledMemory(), MockFactory(pin_class=MockPWMPin), [5.0]
    devices = open_devices(whole, bus=memory, pins=pins, clock=lambda: now[0])
    assert devices.faults == ()
    devices.display.show(Image.new("1", (128, 64), 1))
    assert memory.image().getbbox() == (0, 0, 128, 64)
    pins.pin(5).drive_low()
    now[0] += 0.1
    assert devices.buttons.poll() == [(Button.ROLL, Kind.PRESSED, 5.0)]
    devices.lights.light([Light.GOOD])
    assert pins.pin(17).state
    assert devices.camera is not None
    assert devices.camera.read().mean() == 77
    devices.close()
    assert memory.image().getbbox() is None
    assert not pins.pin(17).state


def test_missing_screen_is_told_and_comes_back_while_the_rest_works(whole: Settings) -> None:
    memory = OledMemory()
    memory.unplug()
    devices = open_devices(whole, bus=memory, pins=MockFactory(pin_class=MockPWMPin))
    assert [(fault.part, fault.fault) for fault in devices.faults] == [(Part.DISPLAY, Fault.MISSING)]
    assert devices.camera is not None
    devices.camera.read()
    memory.plug_in()
    devices.display.show(Image.new("1", (128, 64), 1))
    assert memory.image().getbbox() == (0, 0, 128, 64)
    devices.close()


def test_each_pin_that_is_missing_is_told(whole: Settings) -> None:
    devices = open_devices(whole, bus=OledMemory(), pins=MockFactory())
    assert [fault.part for fault in devices.faults] == [Part.LIGHTS]
    devices.close()


def test_settings_can_leave_everything_out(tmp_path: Path) -> None:
    text = (
        '[display]\ncontroller = "none"\n[camera]\nkind = "none"\n'
        "[buttons]\nroll = 0\npass = 0\nup = 0\ndown = 0\nback = 0\n"
    )
    devices = open_devices(settings(tmp_path, text))
    assert devices.faults == ()
    assert devices.camera is None
    assert isinstance(devices.display, VirtualDisplay)
    assert devices.buttons.poll() == []
    devices.close()


def test_machine_without_any_device_starts_and_tells_each(tmp_path: Path) -> None:
    (tmp_path / "devices.toml").write_text('[display]\nbus = 97\n[camera]\nkind = "usb"\ndevice = "63"\n')
    program = """if True:
        import os, sys
        from pathlib import Path
        os.environ.pop("GPIOZERO_PIN_FACTORY", None)
        sys.modules["lgpio"] = None
        from hardware.devices import open_devices
        from hardware.errors import DeviceError
        from hardware.settings import load_settings
        devices = open_devices(load_settings(Path("devices.toml")))
        for fault in devices.faults: print(fault.part, "|", fault.fault, "|", fault)
        try: devices.camera.read()
        except DeviceError as fault: print(fault.part, "|", fault.fault, "|", fault)
        print(devices.buttons.poll())
        devices.close()
    """
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path, timeout=100
    )
    screen, pins, camera, polled = done.stdout.splitlines()
    assert screen.startswith("display | missing | There is no I²C bus 97")
    assert pins.startswith("buttons | not installed | The pins cannot be used, lgpio is not installed")
    assert "python3-lgpio" in pins
    assert camera.startswith("camera | missing | There is no camera 63")
    assert polled == "[]"
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["devices.toml"]


def test_drivers_are_imported_only_where_they_are_used() -> None:
    program = """if True:
        import sys, hardware.devices, hardware.camera.guarded_camera, hardware.display.oled_memory
        from hardware.settings import load_settings
        load_settings()
        print(*sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {"cv2", "numpy", "gpiozero", "luma", "smbus2", "lgpio", "picamera2"}


def test_fault_says_its_part_to_programs_too() -> None:
    fault = DeviceError(Part.CAMERA, Fault.DARK, "The camera sees only black.")
    assert (f"{fault.part}", f"{fault.fault}", str(fault)) == ("camera", "dark", "The camera sees only black.")
