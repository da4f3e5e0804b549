"""What systemd is told, on a real socket."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.device.service import ServiceManager


@pytest.fixture(params=["file", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    name = str(tmp_path / "notify") if request.param == "file" else f"@{tmp_path}/notify"
    listening.bind(f"\0{name[1:]}" if name.startswith("@") else name)
    listening.settimeout(0.2)
    yield name, listening
    listening.close()


def heard(listening: socket.socket) -> list[str]:
    told = []
    try:
        while True:
            told += listening.recv(4096).decode().splitlines()
    except TimeoutError:
        return told


def test_it_is_ready_with_the_first_turn_and_alive_with_later_ones(manager: tuple[str, socket.socket]) -> None:
    name, listening = manager
    now = [100.0]
    service = ServiceManager({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "30000000"}, lambda: now[0])
    assert heard(listening) == []
    service.turned()
    assert heard(listening) == ["READY=1", "STATUS=Playing", "WATCHDOG=1"]
    for _ in range(500):  # 15 seconds of turns
        now[0] += 0.03
        service.turned()
    assert heard(listening) == ["WATCHDOG=1"]
    now[0] += 60  # the loop stood still: nothing feeds the watchdog meanwhile
    assert heard(listening) == []
    service.ends()
    assert heard(listening) == ["STOPPING=1"]


def test_without_a_watchdog_it_is_only_ready(manager: tuple[str, socket.socket]) -> None:
    name, listening = manager
    service = ServiceManager({"NOTIFY_SOCKET": name}, lambda: 0.0)
    for _ in range(3):
        service.turned()
    assert heard(listening) == ["READY=1", "STATUS=Playing", "WATCHDOG=1"]


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": "/nowhere/at/all", "WATCHDOG_USEC": "1"}])
def test_nobody_need_listen(environment: dict[str, str]) -> None:
    service = ServiceManager(environment)
    service.turned()
    service.turned()
    service.ends()
