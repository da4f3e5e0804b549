"""Fetches a newer version from where the owner has said that versions lie: a folder, or an address in the network.

An index lies there, ``table-companion.json``, with name, version, the name of a wheel beside it and its SHA-256.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.error import URLError
from urllib.request import (
    FileHandler,
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPSHandler,
    OpenerDirector,
    UnknownHandler,
)

import msgspec

from companion.device.between_games.keeping.newer import FOLDER, Found, Trouble, answer, is_newer
from companion.device.between_games.keeping.parts import KeepingError
from companion.device.between_games.keeping.upgrading import LARGEST_WHEEL_BYTES, version_in

INDEX: Final = "table-companion.json"
_LARGEST_INDEX_BYTES: Final = 10_000
_ANSWER_SECONDS: Final = 20.0
"""So long the next bytes are waited for."""
_MOST_SECONDS: Final = 240.0
"""So long all of a file is waited for."""
_RESERVED_BYTES: Final = 20_000_000
"""Of the disk: games need room."""
_AT_ONCE: Final = 1 << 16


class _Index(msgspec.Struct, frozen=True):
    """What lies there."""

    name: Literal["table-companion"]
    version: Annotated[str, msgspec.Meta(max_length=40)]
    wheel: Annotated[str, msgspec.Meta(max_length=100, pattern=r"^table_companion-[0-9A-Za-z.+_-]+\.whl$")]
    sha256: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-fA-F]{64}$")]


class _FetchError(Exception):
    """Why nothing was fetched."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble: Trouble = trouble


def is_address(address: str) -> bool:
    """Whether versions may lie there: below https://, where nobody else can answer, or in a folder."""
    return re.fullmatch(r"(https:/)?/[0-9A-Za-z._~:/-]+", address) is not None


def fetch(address: str, folder: Path, running: str) -> Found:
    """What lies there if it is newer than what runs; also told to the service whose folder it is. Raises OSError."""
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    unfinished = folder / FOLDER / ".fetched"
    base = (address if address.startswith("https:") else f"file://{address}").rstrip("/")
    try:
        index = _index(base)
        if not is_newer(index.version, running):
            answer(folder, found := Found())
            return found
        _fetch_wheel(f"{base}/{index.wheel}", index, unfinished)
        answer(folder, found := Found(index.version), unfinished)
    except _FetchError as error:
        answer(folder, found := Found(trouble=error.trouble))
    finally:
        unfinished.unlink(missing_ok=True)
    return found


def _index(base: str) -> _Index:
    data = b"".join(_read(f"{base}/{INDEX}", _LARGEST_INDEX_BYTES))
    try:
        return msgspec.json.decode(data, type=_Index)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _FetchError("wrong") from error


def _fetch_wheel(address: str, index: _Index, into: Path) -> None:
    digest = hashlib.sha256()
    with into.open("wb") as file:
        for piece in _read(address, LARGEST_WHEEL_BYTES):
            if shutil.disk_usage(into.parent).free < _RESERVED_BYTES + len(piece):
                raise _FetchError("room")
            digest.update(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    try:
        is_right = digest.hexdigest() == index.sha256.lower() and version_in(into) == index.version
    except KeepingError as error:
        raise _FetchError("wrong") from error
    if not is_right:
        raise _FetchError("wrong")


def _read(address: str, most_bytes: int) -> Iterator[bytes]:
    """A file piece by piece; raises _FetchError, also for a larger one."""
    end, size = time.monotonic() + _MOST_SECONDS, 0
    try:
        with _opener().open(address, timeout=_ANSWER_SECONDS) as file:
            while piece := file.read1(_AT_ONCE):
                size += len(piece)
                if size > most_bytes:
                    raise _FetchError("wrong")
                if time.monotonic() > end:
                    raise _FetchError("unreachable")
                yield piece
            told = file.headers.get("content-length") or str(size)
    except (URLError, HTTPException, OSError, ValueError) as error:
        raise _FetchError("unreachable") from error
    # One that was cut off is not damaged.
    if told != str(size):
        raise _FetchError("unreachable")


def _opener() -> OpenerDirector:
    """Opens files, and addresses whose certificate is right; follows nobody elsewhere."""
    opener = OpenerDirector()
    for handler in (FileHandler, HTTPSHandler, HTTPDefaultErrorHandler, HTTPErrorProcessor, UnknownHandler):
        opener.add_handler(handler())
    return opener
