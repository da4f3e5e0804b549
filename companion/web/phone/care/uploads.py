"""Files that browsers send: written to the disk piece by piece, one at a time; nothing is left of what is cut off."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from starlette.requests import ClientDisconnect

from companion.texts.language import LANGUAGES, Texts
from companion.web.phone.door import as_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

RESERVED_BYTES: Final = 20_000_000
"""Of the disk: a game goes on meanwhile, and its record needs room."""
PATIENCE_SECONDS: Final = 30.0
"""So long the next piece of a file is waited for."""
_AT_ONCE: Final = 1 << 20
_MOST_DIGITS: Final = 15


class UploadError(Exception):
    """Nothing was received: ``refused-REASON`` of the page says why, as ``large``, ``room``, ``cut`` or ``busy``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Uploads:
    """Receives files into a folder of their own."""

    def __init__(self, folder: Path) -> None:
        """What was left there when the power was cut is removed."""
        self._folder = folder / ".incoming"
        self._is_busy = False
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def free_bytes(self) -> int:
        """Of the disk, for files."""
        return max(0, shutil.disk_usage(self._folder.parent).free - RESERVED_BYTES)

    @contextlib.asynccontextmanager
    async def received(self, request: Request, most_bytes: int) -> AsyncIterator[Path]:
        """What a browser sends, as a file; whoever wants to keep it moves it. Raises UploadError."""
        if self._is_busy:
            raise UploadError("busy")
        self._is_busy = True
        file = self._folder / "file"
        try:
            await self._receive(request, file, most_bytes)
            yield file
        finally:
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)
            self._is_busy = False

    async def _receive(self, request: Request, file: Path, most_bytes: int) -> None:
        told = request.headers.get("content-length", "")
        if told.isdecimal():
            # Before anything of it is read.
            self._check(int(told) if len(told) <= _MOST_DIGITS else most_bytes + 1, 0, most_bytes)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with file.open("wb") as out:
                size = await self._copy(request, out, most_bytes)
        except OSError as error:
            raise UploadError("kept") from error
        except (ClientDisconnect, TimeoutError) as error:
            raise UploadError("cut") from error
        if not size:
            raise UploadError("cut")

    async def _copy(self, request: Request, out: IO[bytes], most_bytes: int) -> int:
        size, waiting = 0, bytearray()
        pieces = aiter(request.stream())
        while True:
            async with asyncio.timeout(PATIENCE_SECONDS):
                piece = await anext(pieces, None)
            waiting += piece or b""
            if piece is None or len(waiting) >= _AT_ONCE:
                self._check(len(waiting), size, most_bytes)
                # In a thread: a memory card may be slow, and other phones want to see the game.
                await asyncio.to_thread(out.write, waiting)
                size += len(waiting)
                waiting = bytearray()
            if piece is None:
                return size

    def _check(self, more: int, size: int, most_bytes: int) -> None:
        if size + more > most_bytes:
            raise UploadError("large")
        if more > self.free_bytes:
            raise UploadError("room")


def refused(language: str, reason: str) -> Response:
    """Why something was not done, in a sentence of ``refused-REASON`` of the page."""
    return refused_so(Texts(language, "companion.web.phone")(f"care.refused-{reason}"))


def refused_so(sentence: str) -> Response:
    """Why something was not done, in this sentence."""
    told = as_json({"refused": sentence})
    told.status_code = 409
    return told


def language_of(request: Request) -> str:
    """The language of the page that asks, English where it is none of ours."""
    wanted = request.path_params.get("language") or request.query_params.get("language", "")
    return wanted if wanted in LANGUAGES else "en"
