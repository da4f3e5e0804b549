"""A browser's line as the server holds it: who never reads, or says too much at once, is not kept."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

UNREAD_SECONDS: Final = 15.0
"""So long nothing may be read of what waits for a browser."""
_MOST_UNREAD_BYTES: Final = 256_000
_MOST_UNHEARD: Final = 1_000
"""So many messages, or parts of one, may wait: a card that is pushed about makes a hundred in a second."""


class Socket(WebSocketsSansIOProtocol):
    """A line that is cut where uvicorn's would wait, or grow, without end."""

    _patience: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # Who only sends pings is answered with as many, and a message may come in any number of empty parts.
        is_flooded = max(self.queue.qsize(), len(self.frames)) > _MOST_UNHEARD
        if is_flooded or self.transport.get_write_buffer_size() > _MOST_UNREAD_BYTES:
            self.transport.abort()
        elif self.transport.is_closing():
            self._wait()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.close_sent:
            self._stop_waiting()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.close_sent:
            self._wait()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        # Closing alone would wait until the last word has been read.
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._stop_waiting()
        self._patience = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
