"""A game that is only registered is offered, played, recorded, killed, resumed, replayed and taken back."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from websockets.sync.client import connect

from companion.commands.cli import main
from companion.commands.shared.virtual_table import without_pins
from companion.device.between_games.lobby import Lobby
from companion.device.last_game import Order
from companion.device.virtual_device import VirtualDevice
from companion.games import registry
from companion.games.events import Leave, Pressed
from companion.games.settings import Settings
from companion.record.file import RecordError, read_record
from hardware.buttons import Button
from tests.companion.web.browsers import small_camera, wait_until

TOY = "tests.companion.games.rising"
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MODULES", [*registry.MODULES, TOY])


@contextmanager
def laid(folder: Path) -> Iterator[VirtualDevice]:
    """A virtual device that runs."""
    device = VirtualDevice(without_pins(), folder, registry.games(), seed=3, source=Random(3), camera=small_camera)
    thread = threading.Thread(target=device.run, daemon=True)
    if not device.session.can_resume():
        device.session.order(Order("rising", "alone"))
    thread.start()
    try:
        yield device
    finally:
        device.stop()
        thread.join(20)
    assert not thread.is_alive()
    assert device.failure is None


def test_it_is_offered_in_the_lobby() -> None:
    lobby = Lobby(Settings(), registry.games())
    headings = []
    while (heading := lobby.screen().heading) not in headings:
        headings.append(heading)
        lobby.handle(Pressed(Button.PASS))
    assert headings == ["LOK'n'ROLL", "Locomotion", "RISING"]
    lobby.handle(Pressed(Button.PASS))
    lobby.handle(Pressed(Button.PASS))
    while lobby.screen().choices[lobby.screen().chosen] != "Rising, alone":
        lobby.handle(Pressed(Button.DOWN))
    assert lobby.handle(Pressed(Button.ROLL)) == [Leave("begin")]
    assert lobby.chosen is not None
    assert lobby.chosen.game == "rising"


def test_it_is_played_read_recorded_taken_back_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with laid(tmp_path) as device:
        wait_until(lambda: device.play is not None)
        device.let_robot_play("hands")
        wait_until(lambda: device.play.facts()["cards"] == [1, 2, 3])
        device.let_robot_play("off")
        device.press(Button.BACK)
        wait_until(lambda: device.play.facts()["cards"] == [1, 2])
        assert "[1, 2]" in device.screen.main
    with laid(tmp_path) as device:
        wait_until(lambda: device.play is not None)
        assert device.play.facts()["cards"] == [1, 2]
        device.press(Button.ROLL)
        wait_until(lambda: device.play.is_over)
        points = device.play.facts()["points"]
    assert main(["replay", str(tmp_path / "game.jsonl"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["points"] == points
    assert [step["step"] for step in told["steps"]] == ["lay", "lay", "lay", "take-back", "roll"]


def test_a_game_that_is_over_can_be_left_for_the_same_again(tmp_path: Path) -> None:
    with laid(tmp_path) as device:
        wait_until(lambda: device.play is not None)
        first = device.play
        device.press(Button.ROLL)
        wait_until(lambda: first.is_over)
        device.press(Button.PASS)
        wait_until(lambda: device.play is not None and device.play is not first)
        assert not device.play.is_over
        assert device.play.kind == "alone"
    assert len(list((tmp_path / "games").iterdir())) == 1


def test_a_line_against_its_rules_is_told_with_the_clause(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from companion.record.file import write_record

    path = tmp_path / "cheated.jsonl"
    write_record(path, {"game": "rising", "id": "1"}, [{"step": "lay", "card": 4}, {"step": "lay", "card": 2}])
    assert main(["replay", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["clause"] == "RISE1"


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """``companion web`` with the toy among its games, and the port of its page."""
    words = f"from companion.games import registry; registry.MODULES.append({TOY!r})"
    program = f"{words}; from companion.commands.cli import main; main(['web', '--no-browser'])"
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "STATE_DIRECTORY": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert address is not None
        try:
            yield process, int(address[1])
        finally:
            process.kill()


def test_killed_on_the_page_it_goes_on_there(tmp_path: Path) -> None:
    record = tmp_path / "virtual" / "game.jsonl"

    def cards() -> int:
        try:
            recording = read_record(record)
        except RecordError:
            return 0
        return len(recording.lines) if recording.header["game"] == "rising" else 0

    with served(tmp_path) as (process, port), told_by(port) as line:
        line.send(json.dumps({"type": "new", "game": "rising", "kind": "alone"}))
        heard(line, lambda message: message["type"] == "world" and message["game"] == ["rising", "alone"])
        line.send(json.dumps({"type": "play", "speed": "natural"}))
        wait_until(lambda: cards() >= 2, 60)
        process.send_signal(signal.SIGKILL)
    with served(tmp_path) as (_, port), told_by(port) as line:
        table = heard(line, lambda message: message["type"] == "world" and message["game"] is not None)
        assert {card["face"] for card in table["cards"] if card["place"] == "table"} >= {"1", "2"}
        message = heard(line, lambda message: message["type"] == "said" and "RISING" in message["text"])
        assert "[1, 2" in message["text"][1]


@contextmanager
def told_by(port: int):
    """A line to the page's table, as soon as it is served."""
    deadline = time.monotonic() + 30
    while True:
        try:
            line = connect(f"ws://127.0.0.1:{port}/table", origin=f"http://127.0.0.1:{port}")
            break
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    with line:
        yield line


def heard(line, is_it):
    """The next message for which this holds."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        message = json.loads(line.recv(30))
        if is_it(message):
            return message
    raise AssertionError("not told")
