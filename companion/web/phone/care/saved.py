"""Saves all of the companion as one file, loads one, and takes back what was there before."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from starlette.responses import Response, StreamingResponse

from companion.device.between_games.keeping.changing_over import has_before, take_back
from companion.device.between_games.keeping.loading import LARGEST_FILE_BYTES, load
from companion.device.between_games.keeping.parts import KeepingError, devices_file, names_in
from companion.device.between_games.keeping.saving import left_out, saved
from companion.web.phone.care.uploads import UploadError, language_of, refused, refused_so
from companion.web.phone.door import as_json

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.device.session import Session
    from companion.web.phone.care.uploads import Uploads

_MOST_AT_ONCE: Final = 3
"""Browsers that fetch the file: each keeps files open, and a memory card is slow."""


class Saved:
    """The companion as a file."""

    def __init__(self, session: Session, uploads: Uploads, folder: Path, devices: Path | None) -> None:
        self._session, self._uploads, self._folder, self._devices = session, uploads, folder, devices
        # Those that are sent now: one whose browser has gone is no longer among them, whenever it went.
        self._sent_now: WeakSet[Iterator[bytes]] = WeakSet()
        # All files are read for it: not for several browsers at the same time.
        self._looking = asyncio.Lock()

    async def tell(self, _: Request) -> Response:
        """Whether there is something to save, and something to have back; how large a file may be (bytes)."""
        is_there = await asyncio.to_thread(lambda: next(names_in(self._folder), None) is not None)
        return as_json(
            {
                "saves": is_there,
                "before": has_before(self._folder),
                "most": min(LARGEST_FILE_BYTES, self._uploads.free_bytes),
            }
        )

    async def save(self, request: Request) -> Response:
        """The file, while it is made: nothing of it lies in memory or on the disk."""
        language = language_of(request)
        if len(self._sent_now) >= _MOST_AT_ONCE:
            return refused(language, "busy")
        pieces = saved(self._folder, devices_file(self._devices, self._folder))
        self._sent_now.add(pieces)
        try:
            # Here, and not while it is sent: then nothing could be said any more.
            first = await asyncio.to_thread(next, pieces)
        except KeepingError as error:
            return refused_so(error.told(language))
        except OSError:
            return refused(language, "kept")
        headers = {"content-disposition": 'attachment; filename="companion-backup.zip"', "cache-control": "no-store"}
        return StreamingResponse(chain([first], pieces), media_type="application/zip", headers=headers)

    async def tell_left_out(self, _: Request) -> Response:
        """Which files are damaged, and so are not in what is saved."""
        async with self._looking:
            files = await asyncio.to_thread(left_out, self._folder, devices_file(self._devices, self._folder))
        return as_json({"files": files})

    async def load(self, request: Request) -> Response:
        """Checks a file and puts it beside what is there; the companion then begins anew with it."""
        language = language_of(request)
        try:
            async with self._uploads.received(request, LARGEST_FILE_BYTES) as file:
                title = await asyncio.to_thread(load, file, self._folder)
        except UploadError as error:
            return refused(language, error.reason)
        except KeepingError as error:
            return refused_so(error.told(language))
        self._session.begin_anew()
        return as_json({"saved": title.saved})

    async def take_back(self, request: Request) -> Response:
        """As all was before the last loading."""
        try:
            await asyncio.to_thread(take_back, self._folder)
        except KeepingError as error:
            return refused_so(error.told(language_of(request)))
        except OSError:
            return refused(language_of(request), "kept")
        self._session.begin_anew()
        return as_json({})
