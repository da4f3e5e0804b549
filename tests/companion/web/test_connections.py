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

from companion.web import connections, sockets
from companion.web.connections import FewWords, make_server
from tests.companion.web.browsers import wait_until

ASK = b"GET %s HTTP/1.1\r\nHost: here\r\n\r\n"
MEET = (
    b"GET %s HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
FRAME = b"%b\x80\0\0\0\0"
"""A frame of a browser with nothing in it."""


class Served:
    """A page that answers "here" at once, at /slow only when it is let, and without end at /large and on lines."""

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
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            while scope["path"] == "/large":
                await send({"type": "websocket.send", "text": "x" * 16_000})
            while (await receive())["type"] != "websocket.disconnect":
                pass
            return
        if scope["path"] == "/large":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            while not self.may_answer:
                await send({"type": "http.response.body", "body": b"x" * 16_000, "more_body": True})
                await asyncio.sleep(0.001)
        if scope["path"] == "/body":
            while (await receive()).get("more_body"):
                pass
        while scope["path"] == "/slow" and not self.may_answer:
            await asyncio.sleep(0.01)
        headers = [(b"content-length", b"4")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"here"})

    def connected(self) -> socket.socket:
        return socket.create_connection(self._socket.getsockname(), timeout=20)

    def asking(self, path: bytes, form: bytes = ASK) -> socket.socket:
        line, before = self.connected(), self.asked
        line.sendall(form % path)
        wait_until(lambda: self.asked > before)
        return line

    def met(self, path: bytes) -> socket.socket:
        """A line that has been let in."""
        line = self.asking(path, MEET)
        wait_until(lambda: b"\r\n\r\n" in line.recv(4096, socket.MSG_PEEK))
        return line

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)

    def close(self) -> None:
        self.may_answer = True
        self.server.should_exit = True
        self._thread.join(10)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(connections, "SILENT_SECONDS", 0.6)
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 8)
    monkeypatch.setattr(sockets, "UNREAD_SECONDS", 0.6)
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


@pytest.mark.parametrize("form", [ASK, MEET])
def test_who_never_reads_is_not_waited_for(served: Served, form: bytes) -> None:
    with served.asking(b"/large", form):
        wait_until(lambda: not served.connections, 10)


def test_a_body_of_which_nothing_comes_is_not_waited_for(served: Served) -> None:
    with served.connected() as line:
        line.sendall(b"POST /body HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n1234")
        wait_until(lambda: served.asked)
        wait_until(lambda: not served.connections, 10)


def test_a_large_body_may_take_longer(served: Served) -> None:
    with served.connected() as line:
        line.sendall(b"POST /body HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n")
        for _ in range(9):
            time.sleep(0.15)
            line.sendall(b"1")
        assert line.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "flood",
    [
        pytest.param(FRAME % b"\x81", id="messages"),
        pytest.param(FRAME % b"\0", id="parts-of-one"),
        pytest.param(b"\x89\xfd\0\0\0\0" + bytes(125), id="pings"),
    ],
)
def test_who_says_more_than_can_be_heard_is_ended(served: Served, flood: bytes) -> None:
    with served.met(b"/") as line, contextlib.suppress(ConnectionError):
        if flood[:1] == b"\0":
            line.sendall(FRAME % b"\x01")
        many = 2_000 * flood
        wait_until(lambda: line.sendall(many) or not served.connections, 20)
    assert not served.connections


@pytest.mark.parametrize("form", [ASK, MEET])
def test_what_is_told_next_does_not_wait_for_what_was_told_before(served: Served, form: bytes) -> None:
    with served.asking(b"/", form):
        for connection in served.server.server_state.connections:
            at = connection.transport.get_extra_info("socket")
            assert at.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_line_may_be_silent(served: Served) -> None:
    with served.met(b"/"):
        time.sleep(1.5)
        assert served.connections == 1


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
