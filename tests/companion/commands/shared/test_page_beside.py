"""``companion run`` with its page: at a socket that systemd passes, at one of its own, or without any."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.commands.shared.page_beside import page_socket
from companion.device.service import ServiceManager
from companion.web.addresses import listening_on_this_machine, own_numbers
from tests.companion.commands.test_run import is_caught
from tests.companion.web.browsers import wait_until

NO_DEVICES = """
[display]
controller = "none"
[camera]
kind = "none"
"""
PROGRAM = str(Path(sys.executable).with_name("companion"))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


@contextmanager
def running(command: list[str], folder: Path, page: str) -> Iterator[subprocess.Popen[str]]:
    environment = {
        "PATH": "/usr/bin:/bin",
        "XDG_STATE_HOME": str(folder),
        "LANG": "C.UTF-8",
        "GPIOZERO_PIN_FACTORY": "mock",
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }
    devices = folder / "devices.toml"
    devices.write_text(NO_DEVICES)
    with subprocess.Popen(
        [*command, "run", "--devices", str(devices), "--page", page], env=environment, stderr=subprocess.PIPE, text=True
    ) as program:
        try:
            yield program
        finally:
            program.send_signal(signal.SIGTERM)
            program.wait(20)


def answered(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
            return "text/html" in answer.headers["content-type"]
    except (urllib.error.URLError, OSError):
        return False


@pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="systemd is not installed")
def test_it_is_served_at_the_socket_that_systemd_passes(tmp_path: Path) -> None:
    port = free_port()
    activate = [
        "systemd-socket-activate",
        f"--listen=127.0.0.1:{port}",
        "--setenv=XDG_STATE_HOME",
        "--setenv=GPIOZERO_PIN_FACTORY",
        PROGRAM,
    ]
    with running(activate, tmp_path, "socket") as program:
        # As the unit does.
        wait_until(lambda: answered(port), seconds=30)
        assert program.poll() is None


def test_the_next_free_port_is_taken_and_without_any_the_companion_runs_too(tmp_path: Path) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)), listening_on_this_machine(range(port, port + 9)) as next_one:
        assert next_one.getsockname()[1] > port
        with pytest.raises(OSError, match="in use"):
            listening_on_this_machine([port])
    with running([PROGRAM], tmp_path, "socket") as program:
        wait_until(lambda: is_caught(program.pid, signal.SIGTERM))
    assert program.returncode == 0


def test_the_kernel_knows_which_numbers_are_this_machines(tmp_path: Path) -> None:
    routes = tmp_path / "routes"
    routes.write_text(
        """Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 127.0.0.0/8 2 0 2
        |-- 127.0.0.1
           /32 host LOCAL
     +-- 192.168.178.0/24 2 0 2
        |-- 192.168.178.0
           /24 link UNICAST
        |-- 192.168.178.23
           /32 host LOCAL
        |-- 192.168.178.255
           /32 link BROADCAST
Local:
        |-- 192.168.178.23
           /32 host LOCAL
"""
    )
    assert own_numbers(routes) == ["192.168.178.23"]
    assert own_numbers(tmp_path / "none") == []


def test_without_the_pages_packages_nobody_is_led_to_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "starlette", None)
    assert page_socket("home", ServiceManager({})) is None
    assert capsys.readouterr().err == "there is no page: starlette is not installed.\n"


ASKED_FOR_LONG_WORK = """
import os, socket, sys, time
from companion.commands.cli import main
from companion.games.evenings.evenings import Evenings

def listed(self):
    print("asked", file=sys.stderr, flush=True)
    time.sleep(40)

Evenings.listed = listed
listening = socket.create_server(("127.0.0.1", int(sys.argv.pop(1))))
os.dup2(listening.fileno(), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
raise SystemExit(main())
"""


def test_what_a_phone_has_asked_for_does_not_keep_it_from_ending(tmp_path: Path) -> None:
    port = free_port()
    with running([sys.executable, "-c", ASKED_FOR_LONG_WORK, str(port)], tmp_path, "socket") as program:
        wait_until(lambda: answered(port), seconds=30)
        with socket.create_connection(("127.0.0.1", port)) as phone:
            phone.sendall(f"GET /phone/evenings/list/en.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            assert program.stderr is not None
            assert any(line.startswith("asked") for line in program.stderr)
            program.send_signal(signal.SIGTERM)
            # systemd gives 20 seconds; then it would not be told whether people have switched it off.
            assert program.wait(15) == 0
