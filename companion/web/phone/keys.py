"""The browsers that were let in: each holds a random key, of which only a hash is kept here."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets
import threading
from pathlib import Path
from typing import Annotated, Final

import msgspec

from companion.record.whole_file import put_aside, read_whole, write_whole

MOST_KEYS: Final = 40
LONGEST_NAME: Final = 40
_HEX_OF_SHA256: Final = 64
_LONGEST_KEY: Final = 64
"""Ours are shorter. It is asked for each message: what anybody may bring must not take long to be looked up."""


class Entry(msgspec.Struct, frozen=True):
    """A browser that was let in: what it calls itself, and a number to send it away by."""

    id: Annotated[str, msgspec.Meta(max_length=16)]
    name: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
    hash: Annotated[str, msgspec.Meta(min_length=_HEX_OF_SHA256, max_length=_HEX_OF_SHA256)]

    def fits(self, key: str) -> bool:
        """Whether it was let in with this key."""
        return hmac.compare_digest(self.hash, _hash(key))


class Keys:
    """Makes, knows and revokes keys; may be used from any thread."""

    def __init__(self, path: Path) -> None:
        """The keys in a file; a damaged one is put aside, and everybody has to ask anew."""
        self._path = path
        self._lock = threading.Lock()
        self._entries: tuple[Entry, ...] = ()
        try:
            self._entries = tuple(msgspec.json.decode(read_whole(path), type=list[Entry])[:MOST_KEYS])
        except FileNotFoundError:
            pass
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            with contextlib.suppress(OSError):
                put_aside(path)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Who was let in, the oldest first."""
        return self._entries

    def make(self, name: str) -> str:
        """A new key for a browser of this name; it is on the disk before it is told. Raises OSError.

        Where there are MOST_KEYS the oldest one counts no more.
        """
        key = secrets.token_urlsafe(32)
        plain = "".join(letter for letter in name if letter.isprintable())[:LONGEST_NAME].strip()
        with self._lock:
            entry = Entry(secrets.token_hex(4), plain, _hash(key))
            self._keep((*self._entries, entry)[-MOST_KEYS:])
        return key

    def knows(self, key: str) -> bool:
        """Whether somebody was let in with this key, and has not been sent away since."""
        if len(key) > _LONGEST_KEY:
            return False
        hashed = _hash(key)
        return any(hmac.compare_digest(entry.hash, hashed) for entry in self._entries)

    def revoke(self, name: str) -> None:
        """Sends a browser away, by its ``id``; the keys of others stay. Raises OSError."""
        with self._lock:
            self._keep(tuple(entry for entry in self._entries if entry.id != name))

    def _keep(self, entries: tuple[Entry, ...]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, msgspec.json.encode(entries))
        self._entries = entries


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
