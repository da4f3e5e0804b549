"""The lines that browsers keep open: each is told what is new as soon as it can take it, and may say something."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

LONGEST: Final = 2_000
"""No message of a browser is longer, in characters."""
BREATH_SECONDS: Final = 0.03
"""A browser is told the news at most so often."""
_TOO_BIG, _TRY_LATER = 1009, 1013

News = Callable[[dict[str, int]], list[str]]
"""What is newer than the numbers of each topic that somebody knows, as JSON; brings the numbers up to date."""


class Lines:
    """The browsers that are there; wakes them when there is news."""

    def __init__(self, news: News, most: int) -> None:
        """``news`` is asked in threads. There are never more than ``most`` lines."""
        self._news, self._most = news, most
        self._bells: set[asyncio.Event] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def __len__(self) -> int:
        """How many browsers are there."""
        return len(self._bells)

    @property
    def is_full(self) -> bool:
        """Whether nobody else can be let in."""
        return len(self) >= self._most

    def open(self) -> None:
        """From now on they can be rung; called where the server runs."""
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        """The server ends."""
        self._loop = None

    def ring(self) -> None:
        """There is news; may be called from any thread."""
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has just been closed
                loop.call_soon_threadsafe(self.ring_all)

    def ring_all(self) -> None:
        """There is news; called where the server runs."""
        for bell in self._bells:
            bell.set()

    async def keep(self, socket: WebSocket, greeting: dict[str, Any], take: Callable[[str], str | None]) -> None:
        """A line from its coming to its going. ``take`` does what a browser says, and says what is to be answered."""
        if self.is_full:
            await socket.close(_TRY_LATER)
            return
        bell = asyncio.Event()
        # Counted before anything is waited for: else any number could come in at once.
        self._bells.add(bell)
        bell.set()
        telling: asyncio.Task[None] | None = None
        try:
            await socket.accept()
            telling = asyncio.create_task(self._tell(socket, greeting, bell))
            await _listen(socket, take)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            if telling is not None:
                telling.cancel()
            self._bells.discard(bell)

    async def _tell(self, socket: WebSocket, greeting: dict[str, Any], bell: asyncio.Event) -> None:
        known: dict[str, int] = {}
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(msgspec.json.encode(greeting).decode())
            while True:
                await bell.wait()
                # Cleared before the news are asked for: what comes meanwhile rings again, and nothing is missed.
                bell.clear()
                for text in await asyncio.to_thread(self._news, known):
                    await socket.send_text(text)
                await asyncio.sleep(BREATH_SECONDS)


async def _listen(socket: WebSocket, take: Callable[[str], str | None]) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text") or ""
        # A message that is a little too long is a mistake, and answered; one like this ends the line.
        if len(text) > 8 * LONGEST:
            await socket.close(_TOO_BIG)
            return
        answer = take(text)
        if answer is not None:
            await socket.send_text(answer)
