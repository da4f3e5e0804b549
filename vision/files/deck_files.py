"""The files of a deck, which lie in a folder or are packed into one archive."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from vision.cards import Deck, DeckError, decode_deck
from vision.files.archive import DECK_FILE, LARGEST_ARCHIVE_BYTES, ArchiveReader
from vision.files.outside import FileError, TooLarge, read_outside, within

LARGEST_DECK_BYTES: Final = 1_000_000

Read = Callable[[str, int], bytes]


class DeckFiles(NamedTuple):
    """A deck, and how the files that it names are read."""

    file: Path
    """The ``deck.json``, or the archive with one: what is wrong in it is told with this name."""
    deck: Deck
    read: Read
    """The bytes of a file by its name in ``deck.json``, and how many may be read; raises FileError."""


def read_deck_files(path: Path) -> DeckFiles:
    """The deck in a ``deck.json``, in the folder that holds one or in a ZIP; raises DeckError with the file named."""
    file = path / DECK_FILE if os.path.isdir(path) else path  # noqa: PTH112  # Path.is_dir raises for long names
    try:
        data, read = _opened(file)
    except TooLarge as error:
        raise DeckError(f"{file}: too large for a deck's data ({error}); give its deck.json.") from error
    except FileError as error:
        raise DeckError(f"{file}: cannot be read ({error}); give a deck.json, its folder or a ZIP of that.") from error
    try:
        return DeckFiles(file, decode_deck(data), read)
    except DeckError as error:
        raise DeckError(f"{file}: {error}") from error


def read_deck(path: Path) -> Deck:
    """The deck alone; raises DeckError with the file named."""
    return read_deck_files(path).deck


def _opened(file: Path) -> tuple[bytes, Read]:
    """What is in a ``deck.json``, and what reads the files beside it."""
    data = read_outside(file, LARGEST_ARCHIVE_BYTES)
    # Also without the ending: whoever sends a file may change its name, and no JSON begins so.
    if data.startswith(b"PK") or file.suffix.lower() == ".zip":
        archive = ArchiveReader(data)
        return archive.read(DECK_FILE, LARGEST_DECK_BYTES), archive.read
    if len(data) > LARGEST_DECK_BYTES:
        raise TooLarge(f"more than {LARGEST_DECK_BYTES:,} bytes")
    return data, lambda name, largest_bytes: read_outside(within(file.parent, name), largest_bytes)
