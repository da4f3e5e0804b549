"""``companion web`` as a person starts and stops it."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.device.between_games.keeping.saving import saved
from companion.web.phone.door import COOKIE
from companion.web.phone.keys import Keys
from tests.companion.device.between_games.keeping.whole_companion import made


def started(folder: Path, *arguments: str, most_files: int = 1024) -> subprocess.Popen[str]:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "STATE_DIRECTORY": str(folder)}
    command = [sys.executable, "-m", "companion", "web", "--no-browser", *arguments]
    with (folder / "errors").open("w") as errors:
        return subprocess.Popen(
            ["sh", "-c", f'ulimit -n {most_files}; exec "$@"', "sh", *command],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
        )


def address_of(process: subprocess.Popen[str]) -> str:
    """Where the page is, once it is served."""
    assert process.stdout is not None
    address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
    assert address is not None
    deadline = time.monotonic() + 30
    while not is_served(address[0]):  # the address is printed a moment before the server answers
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return address[0]


def is_served(address: str) -> bool:
    try:
        with contextlib.closing(http.client.HTTPConnection(address.split("/")[2], timeout=10)) as line:
            line.request("GET", "/")
            return b"/page/main.js" in line.getresponse().read()
    except OSError:
        return False


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.further), signal.SIGTERM])
def test_it_prints_its_address_serves_the_page_and_ends_cleanly(number: int, tmp_path: Path) -> None:
    process = started(tmp_path, "--language", "de", "--seed", "3")
    address_of(process)
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert (tmp_path / "errors").read_text() == ""
    assert "abgeräumt" in output


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = started(tmp_path, "--port", str(taken.getsockname()[1]))
        process.communicate(timeout=60)
    errors = (tmp_path / "errors").read_text()
    assert process.returncode == 1
    assert errors.count("\n") == 1
    assert "--port" in errors


HALVES = [b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"POST / HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n"]


def test_connections_that_ask_nothing_keep_the_page_from_nobody(tmp_path: Path) -> None:
    process = started(tmp_path, most_files=256)
    waited = []
    with contextlib.ExitStack() as lines:
        lines.callback(process.kill)
        address = address_of(process)
        where = ("127.0.0.1", int(address.split(":")[2].strip("/")))
        for number in range(600):
            line = lines.enter_context(socket.socket())
            line.settimeout(0)
            line.connect_ex(where)
            time.sleep(0.002)
            with contextlib.suppress(OSError):
                line.send(HALVES[number % len(HALVES)])
            if number % 100 == 99:
                began = time.monotonic()
                assert is_served(address)
                waited.append(time.monotonic() - began)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    print(f"the page after {[f'{seconds:.2f}' for seconds in waited]} s")
    assert max(waited) < 5
    assert process.returncode == 0
    assert (tmp_path / "errors").stat().st_size < 20_000


@pytest.mark.further
def test_what_was_loaded_on_the_page_is_what_the_table_begins_anew_with(tmp_path: Path) -> None:
    folder = tmp_path / "virtual"
    key = Keys(folder / "phones.json").make("Phone")
    process = started(tmp_path, "--language", "en", "--seed", "3")
    try:
        address = address_of(process)
        headers = {"cookie": f"{COOKIE}={key}"}
        with contextlib.closing(http.client.HTTPConnection(address.split("/")[2], timeout=30)) as line:
            line.request("POST", "/phone/care/load", b"".join(saved(made(tmp_path / "other"))), headers)
            assert line.getresponse().status == 200
        # The same port, and the game of the file.
        assert address_of(process) == address
        with contextlib.closing(http.client.HTTPConnection(address.split("/")[2], timeout=30)) as line:
            line.request("GET", "/phone/care/settings/en.json", headers=headers)
            told = json.loads(line.getresponse().read())
        assert (told["language"], told["names"][:2]) == ("de", ["Ann", "Ben"])
        assert (folder / "game.jsonl").read_bytes() == (tmp_path / "other/game.jsonl").read_bytes()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 0
    finally:
        process.kill()
    assert (tmp_path / "errors").read_text() == ""
