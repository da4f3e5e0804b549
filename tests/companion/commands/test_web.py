"""``companion web`` as a person starts and stops it."""

import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "STATE_DIRECTORY": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-m", "companion", "web", "--no-browser", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def is_served(address: str) -> bool:
    try:
        with contextlib.closing(http.client.HTTPConnection(address.split("/")[2], timeout=10)) as line:
            line.request("GET", "/")
            return b"/page/main.js" in line.getresponse().read()
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_serves_the_page_and_ends_cleanly(number: int, tmp_path: Path) -> None:
    process = started(tmp_path, "--language", "de", "--seed", "3")
    assert process.stdout is not None
    line = process.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert address is not None
    deadline = time.monotonic() + 30
    while not is_served(address[0]):  # the address is printed a moment before the server answers
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert errors == ""
    assert "abgeräumt" in output


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = started(tmp_path, "--port", str(taken.getsockname()[1]))
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors.count("\n") == 1
    assert "--port" in errors
