"""``companion run``: pins and the screen's memory, from the list of games to a game, the dice and off."""

import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.device.session import Session
from companion.device.settings_file import SettingsFile
from companion.games.registry import games
from companion.games.settings import Settings
from companion.screen import draw
from companion.screen.screen import Screen
from companion.texts.language import Texts
from hardware.devices import Devices, open_devices
from hardware.display.oled_memory import OledMemory
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


class Evening:
    """A session that runs in a thread, and a finger for its buttons."""

    def __init__(self, session: Session, finger: Finger) -> None:
        self.session, self.finger = session, finger
        self.ended: list[bool] = []
        self.thread = threading.Thread(target=lambda: self.ended.append(session.run()), daemon=True)

    def begin(self) -> None:
        self.thread.start()
        self.finger.wait(lambda: any(self.finger.dots()))

    def is_switched_off(self) -> bool:
        """Waits for the end: whether people have switched off."""
        self.thread.join(PATIENCE_SECONDS)
        (is_off,) = self.ended
        return is_off


@pytest.fixture
def kept(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "settings.json")


@pytest.fixture
def evening(
    tmp_path: Path,
    kept: SettingsFile,
    devices: Devices,
    memory: OledMemory,
    pins: MockFactory,
    wired: DeviceSettings,
) -> Iterator[Callable[..., Evening]]:
    made: list[Evening] = []

    def make(on_turn: Callable[[], None] | None = None) -> Evening:
        session = Session(devices, kept, tmp_path, games(), on_turn=on_turn)
        made.append(Evening(session, Finger(pins, memory, wired)))
        made[-1].begin()
        return made[-1]

    yield make
    for each in made:
        each.session.stop()
        each.thread.join(PATIENCE_SECONDS)


def last_words(line: str, language: str = "en") -> bytes:
    say = Texts(language)
    return draw(Screen(main=say("run.goodbye"), lines=(say(f"run.{line}"),))).tobytes()


def test_dice_are_rolled_a_game_is_begun_left_and_found_again(
    evening: Callable[..., Evening], kept: SettingsFile, memory: OledMemory
) -> None:
    turns: list[int] = []
    first = evening(lambda: turns.append(0))
    finger = first.finger
    for name in ("up", "up", "up"):  # the list goes round: off, dice box, language
        finger.press(name)
    finger.press("roll")
    assert SettingsFile(kept.path).settings.language == "de"
    for name in ("down", "roll", "roll", "back"):  # the dice box: rolled, and left
        finger.press(name)
    finger.press("roll")  # the first game of the list
    finger.wait(first.session.record.exists)
    first.session.stop()
    assert not first.is_switched_off()
    assert memory.image().tobytes() == last_words("stopped", "de")
    assert first.session.can_resume()
    assert len(turns) > 20


def test_held_together_two_buttons_switch_off_whatever_is_shown(
    evening: Callable[..., Evening], pins: MockFactory, wired: DeviceSettings, memory: OledMemory
) -> None:
    running = evening()
    running.finger.press("roll")
    running.finger.wait(running.session.record.exists)
    for number in (wired.buttons.back, wired.buttons.pass_):
        pins.pin(number).drive_low()
    assert running.is_switched_off()
    assert memory.image().tobytes() == last_words("unplug")
    assert running.session.can_resume()


def test_a_game_that_was_left_is_there_at_once(evening: Callable[..., Evening], memory: OledMemory) -> None:
    first = evening()
    first.finger.press("roll")
    first.finger.wait(first.session.record.exists)
    assert first.session.handler is not None
    assert not first.session.handler.settings.has_camera
    game = first.finger.dots()
    first.session.stop()
    assert not first.is_switched_off()
    second = evening()
    second.finger.wait(lambda: second.finger.dots() == game)


def no_room(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_game_that_cannot_be_begun_is_told_and_the_list_comes_again(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    running = evening()
    listed = running.finger.dots()
    with monkeypatch.context() as full:
        full.setattr("companion.record.file.os.fsync", no_room)
        running.finger.press("roll")
    trouble = running.finger.dots()
    running.finger.press("roll")
    assert running.finger.dots() == listed != trouble
    running.finger.press("roll")
    running.finger.wait(running.session.record.exists)


def is_caught(process: int, number: signal.Signals) -> bool:
    """Whether a process has a handler of its own for a signal."""
    status = Path(f"/proc/{process}/status").read_text("ascii")
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (number - 1) & 1) and b"companion" in Path(f"/proc/{process}/cmdline").read_bytes()


def test_the_program_ends_cleanly_when_it_is_stopped(tmp_path: Path) -> None:
    file = tmp_path / "devices.toml"
    pins = "roll = 0\npass = 0\nup = 0\ndown = 0\nback = 0\n"
    file.write_text(f'[display]\ncontroller = "none"\n[camera]\nkind = "none"\n[buttons]\n{pins}')
    state = {"STATE_DIRECTORY": str(tmp_path)}
    words = [sys.executable, "-X", "faulthandler", "-m", "companion", "run", "--devices", str(file)]
    with subprocess.Popen(words, env=os.environ | state, stderr=subprocess.PIPE, text=True) as program:
        Finger.wait(lambda: is_caught(program.pid, signal.SIGTERM))
        program.terminate()
        _, told = program.communicate(timeout=PATIENCE_SECONDS)
    assert (program.returncode, told) == (0, "")


@pytest.mark.parametrize("word", ["--devices", "--deck"])
def test_a_service_with_a_wrong_file_starts_with_the_usual_and_a_person_is_told(tmp_path: Path, word: str) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("[buttons\n")
    notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notified.bind(str(tmp_path / "notify"))
    notified.settimeout(PATIENCE_SECONDS)
    state = {"STATE_DIRECTORY": str(tmp_path)}
    words = [sys.executable, "-m", "companion", "run", word, str(wrong)]
    by_hand = subprocess.run(words, env=os.environ | state, capture_output=True, text=True, check=False)
    assert by_hand.returncode == 1
    assert str(wrong) in by_hand.stderr
    service = os.environ | state | {"NOTIFY_SOCKET": str(tmp_path / "notify")}
    with subprocess.Popen(words, env=service, stderr=subprocess.PIPE, text=True) as program, notified:
        assert notified.recv(4096).startswith(b"READY=1")
        program.terminate()
        _, told = program.communicate(timeout=PATIENCE_SECONDS)
    assert str(wrong) in told
    assert program.returncode == 0


def test_damaged_settings_are_the_usual_ones(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(b'{"language": 3')
    kept = SettingsFile(file)
    assert kept.settings == Settings()
    kept.keep(Settings(language="es", large=True))
    assert SettingsFile(file).settings == Settings(language="es", large=True)


def test_the_first_screen_speaks_the_machines_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert SettingsFile(tmp_path / "settings.json").settings == Settings(language="de")
