"""Connections: how many there are, how long they may be silent, which of them give way, and what is told of them."""

import asyncio
import contextlib
import logging
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from starlette.types import Receive, Scope, Send

from companion.web import connections
from companion.web.connections import FewWords, make_server
from tests.companion.web.browsers import wait_until

ASK = b"GET %s HTTP/1.1\r\nHost: here\r\n\r\n"


class Served:
    """A page that answers "here" at once, and at /slow only when it is let."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = False
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.server = make_server(self)
        self._thread = threading.Thread(target=self.server.run, args=([self._socket],), daemon=True)
        self._thread.start()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return
        self.asked += 1
        while scope["path"] == "/slow" and not self.may_answer:
            await asyncio.sleep(0.01)
        headers = [(b"content-length", b"4")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"here"})

    def connected(self) -> socket.socket:
        return socket.create_connection(self._socket.getsockname(), timeout=20)

    def asking(self, path: bytes) -> socket.socket:
        line, before = self.connected(), self.asked
        line.sendall(ASK % path)
        wait_until(lambda: self.asked > before)
        return line

    def close(self) -> None:
        self.may_answer = True
        self.server.should_exit = True
        self._thread.join(10)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(connections, "SILENT_SECONDS", 0.6)
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 8)
    with contextlib.closing(Served()) as served:
        wait_until(lambda: served.server.started)
        yield served


def is_ended(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize("half", [b"", ASK[:20], ASK % b"/" + ASK[:9], b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n"])
def test_who_does_not_finish_a_request_is_not_waited_for(served: Served, half: bytes) -> None:
    with served.connected() as line:
        began = time.monotonic()
        while time.monotonic() - began < 10:
            # A byte now and then is no sign that there will ever be a whole request.
            with contextlib.suppress(OSError):
                line.sendall(half[:1])
                half = half[1:]
            if not served.server.server_state.connections and time.monotonic() - began > 0.5:
                break
            time.sleep(0.02)
        assert time.monotonic() - began < 5


def test_an_answer_may_take_longer(served: Served) -> None:
    with served.asking(b"/slow") as line:
        time.sleep(1.2)
        served.may_answer = True
        assert line.makefile("rb").read().endswith(b"here")  # and then it is ended


def test_the_newest_are_answered_and_those_that_ask_nothing_give_way(served: Served) -> None:
    with contextlib.ExitStack() as lines:
        asking = lines.enter_context(served.asking(b"/slow"))
        silent = [lines.enter_context(served.connected()) for _ in range(20)]
        wait_until(lambda: len(served.server.server_state.connections) <= 8)
        with served.asking(b"/") as new:
            assert new.recv(1000).startswith(b"HTTP/1.1 200")
        assert is_ended(silent[0])
        served.may_answer = True
        assert asking.recv(1000).startswith(b"HTTP/1.1 200")


def test_where_all_ask_the_oldest_gives_way(served: Served) -> None:
    with contextlib.ExitStack() as lines:
        asking = [lines.enter_context(served.asking(b"/slow")) for _ in range(9)]
        assert is_ended(asking[0])
        served.may_answer = True
        assert asking[1].recv(1000).startswith(b"HTTP/1.1 200")


def test_what_goes_wrong_again_and_again_is_told_some_times(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("tests.talkative")
    few = FewWords()
    logger.addFilter(few)
    for _ in range(500):
        logger.warning("once more")
    assert 0 < len(caplog.records) <= 20
    few._began -= 61
    logger.warning("a minute later")
    assert caplog.records[-1].message == "a minute later"
