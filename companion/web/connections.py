"""How many connections the page has, how long each may be silent, and how much is written about what goes wrong.

Any program on this machine may connect, also one that never asks for anything. None may keep the page from others.
"""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import time
from typing import Any, Final

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.web.lines import LONGEST
from companion.web.sockets import Socket

MOST_CONNECTIONS: Final = 128
"""A browser has seven at most. With all else that is open it stays below the 256 files that some systems allow."""
SILENT_SECONDS: Final = 15.0
"""In this time a request's head has to be there. So long nothing may come of its body, or go of its answer."""
_AT_ONCE: Final = 32
"""So many connections are taken up before those that are too many are closed."""
_COMPLAINTS, _PER_SECONDS = 20, 60.0


class Connection(H11Protocol):
    """Asks and is answered, again and again; it gives way to newer ones once there are too many."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._since = 0.0
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        # asyncio does so only where the listening socket says it is TCP. Else each further answer, and message of a
        # line, waits until the one before has been acknowledged, which takes 40 ms.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._since = self.loop.time()
        self._wait()
        if len(self.connections) > MOST_CONNECTIONS:
            # Not the newest, whoever fills the house: it may be the browser that somebody sits at.
            older = [other for other in self.connections if isinstance(other, Connection) and other is not self]
            min(older, key=Connection.worth, default=self).end()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.is_asked() and self.cycle.more_body:
            # How long it may take as a whole is for who reads it: a phone may bring a large file.
            self._wait()

    def handle_events(self) -> None:
        super().handle_events()
        if self.is_asked():
            self._stop_waiting()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.is_asked():
            self._stop_waiting()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        self._since = self.loop.time()
        # Also where it is closing: it is really closed only once all has been read.
        self._wait()
        super().on_response_complete()

    def is_asked(self) -> bool:
        """Whether there is a request that has not been answered to its end."""
        return not getattr(self.cycle, "response_complete", True)  # None before the first

    def worth(self) -> tuple[bool, float]:
        """Who has the least goes first: those that ask nothing, then the oldest."""
        return self.is_asked(), self._since

    def end(self) -> None:
        """Closes it, whatever has not been sent yet."""
        self._stop_waiting()
        # At once: it is really gone only later, and must not be chosen again before.
        self.connections.discard(self)
        self.transport.abort()

    def _wait(self) -> None:
        self._stop_waiting()
        self._patience = self.loop.call_later(SILENT_SECONDS, self.end)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class FewWords:
    """A filter that lets so many complaints through in a minute: who can provoke them must not fill a disk."""

    def __init__(self) -> None:
        self._began = -math.inf
        self._told = 0

    def __call__(self, _: logging.LogRecord) -> bool:
        now = time.monotonic()
        if now - self._began > _PER_SECONDS:
            self._began, self._told = now, 0
        self._told += 1
        return self._told <= _COMPLAINTS


def make_server(app: ASGIApp) -> Server:
    """What serves the page at a socket that listens already."""
    config = Config(
        app,
        http=Connection,
        ws=Socket,
        ws_max_size=10 * LONGEST,
        # The messages are short, and there may be many browsers: a small computer has other work.
        ws_per_message_deflate=False,
        # Nobody stands between a browser and here: else any could choose the address that its tries are counted by.
        proxy_headers=False,
        backlog=_AT_ONCE,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    few = FewWords()
    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        for older in [each for each in logger.filters if isinstance(each, FewWords)]:
            logger.removeFilter(older)
        logger.addFilter(few)
    return Server(config)
