"""``companion run``: pins and the screen's memory, from the list of games to a game, the dice and off."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.commands.run import Stand
from companion.control.settings import Settings
from companion.control.settings_file import SettingsFile
from hardware.devices import Devices, open_devices
from hardware.oled_memory import OledMemory
from hardware.settings import Settings as DeviceSettings
from hardware.settings import load_settings

PATIENCE_SECONDS = 20.0


@pytest.fixture
def wired(tmp_path: Path) -> DeviceSettings:
    file = tmp_path / "devices.toml"
    file.write_text('[camera]\nkind = "none"\n')
    return load_settings(file)


@pytest.fixture
def memory() -> OledMemory:
    return OledMemory("ssd1306")


@pytest.fixture
def pins() -> MockFactory:
    return MockFactory(pin_class=MockPWMPin)


@pytest.fixture
def devices(wired: DeviceSettings, memory: OledMemory, pins: MockFactory) -> Iterator[Devices]:
    opened = open_devices(wired, bus=memory, pins=pins)
    assert opened.faults == ()
    yield opened
    opened.close()


class Finger:
    """Presses real pins, and waits until the screen has changed."""

    def __init__(self, pins: MockFactory, memory: OledMemory, wired: DeviceSettings) -> None:
        self._pins, self._memory, self._wired = pins, memory, wired

    def press(self, name: str) -> None:
        before = self.dots()
        pin = self._pins.pin(getattr(self._wired.buttons, name))
        pin.drive_low()
        time.sleep(0.1)
        pin.drive_high()
        self.wait(lambda: self.dots() != before)
        time.sleep(0.1)

    def dots(self) -> bytes:
        return self._memory.image().tobytes()

    @staticmethod
    def wait(until: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not until() and time.monotonic() < end:
            time.sleep(0.02)
        assert until()


def test_dice_are_rolled_a_game_is_begun_left_and_found_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    devices: Devices,
    memory: OledMemory,
    pins: MockFactory,
    wired: DeviceSettings,
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    stand = Stand(None)
    finger = Finger(pins, memory, wired)
    kept = SettingsFile(stand.folder / "settings.json")
    ended: list[int] = []
    thread = threading.Thread(target=lambda: ended.append(stand.run(devices, kept)), daemon=True)
    thread.start()
    finger.wait(lambda: any(finger.dots()))
    for name in ("up", "up", "up"):  # the list goes round: off, dice box, language
        finger.press(name)
    finger.press("roll")
    assert SettingsFile(kept.path).settings.language != Settings().language
    for name in ("down", "roll", "roll", "back"):  # the dice box: rolled, and left
        finger.press(name)
    finger.press("roll")  # the first game of the list
    finger.wait((stand.folder / "game.jsonl").exists)
    stand.stop()
    thread.join(PATIENCE_SECONDS)
    assert ended == [0]
    assert stand.can_resume()


def test_damaged_settings_are_the_usual_ones(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(b'{"language": 3')
    kept = SettingsFile(file)
    assert kept.settings == Settings()
    kept.keep(Settings(language="es", large=True))
    assert SettingsFile(file).settings == Settings(language="es", large=True)
