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
PACE_SECONDS: Final = 0.005
"""So much time passes after each message of a browser, which is all the others' however many it sends."""
_TOO_BIG, _TRY_LATER = 1009, 1013

News = Callable[[dict[str, int]], list[str]]
"""What is newer than the numbers of each topic that somebody knows, as JSON; brings the numbers up to date."""


class Lines:
    """The browsers that are there; wakes them when there is news."""

    def __init__(self, news: News, most: int) -> None:
        """``news`` is asked in threads. There are never more than ``most`` lines."""
        self._news, self._most = news, most
        self._bells: dict[asyncio.Event, WebSocket | None] = {}
        """Each with the line where it may be ended for somebody who comes first."""
        self._ended: set[asyncio.Task[None]] = set()
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

    async def keep(
        self,
        socket: WebSocket,
        greeting: dict[str, Any],
        take: Callable[[str], str | None],
        *,
        comes_first: bool = False,
    ) -> None:
        """A line from its coming to its going. ``take`` does what a browser says, and says what is to be answered.

        Who ``comes_first`` is let in in place of one who does not, where there is no more room.
        """
        if self.is_full and not (comes_first and self._make_room()):
            await socket.close(_TRY_LATER)
            return
        bell = asyncio.Event()
        # Counted before anything is waited for: else any number could come in at once.
        self._bells[bell] = None if comes_first else socket
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
            self._bells.pop(bell, None)

    def _make_room(self) -> bool:
        """Ends the oldest line of somebody who does not come first, if there is one."""
        for bell, socket in self._bells.items():
            if socket is not None:
                del self._bells[bell]
                # Not waited for: it may be one that never reads.
                ending = asyncio.create_task(_end(socket))
                self._ended.add(ending)
                ending.add_done_callback(self._ended.discard)
                return True
        return False

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
        # What waits already is handed out at once: without a pause nobody else would have a turn.
        await asyncio.sleep(PACE_SECONDS)


async def _end(socket: WebSocket) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(_TRY_LATER)
