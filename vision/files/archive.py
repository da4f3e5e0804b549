"""A deck as one file: a ZIP with its ``deck.json`` and the pictures which that names."""

from __future__ import annotations

import io
import re
from collections.abc import Container, Iterable, Mapping
from typing import Final
from zipfile import ZipFile, ZipInfo

import msgspec

from vision.cards import Deck, encode_deck
from vision.files.outside import FileError, TooLarge
from vision.files.zip_directory import ZipDirectory, read_entry

DECK_FILE: Final = "deck.json"
EMMA_FILE: Final = "emma.png"
LARGEST_ARCHIVE_BYTES: Final = 100_000_000
"""Of an archive, and once more of all that is unpacked from it. The largest deck that we pack has 70 million."""
MOST_ENTRIES: Final = 1_000
"""A deck has up to 110 pictures; a file manager may add a folder and notes of its own on each."""

_DECK: Final = re.compile(r"((?:[^/]+/)?)deck\.json")


class ArchiveReader:
    """Reads a deck's files out of an archive, by their names alone: nothing is unpacked to the disk."""

    def __init__(self, data: bytes) -> None:
        """Looks at an archive's directory; raises FileError where the bytes are no archive of one deck."""
        self._directory = ZipDirectory(io.BytesIO(data), MOST_ENTRIES)
        self._folder = _folder_of_deck(self._directory.entries)
        self._bytes_left = LARGEST_ARCHIVE_BYTES

    def read(self, name: str, largest_bytes: int) -> bytes:
        """The bytes of a file, which has just this name beside ``deck.json``; raises FileError, also for more bytes."""
        if self._folder + name not in self._directory.entries:
            raise FileError("it is not in the archive")
        most = min(largest_bytes, self._bytes_left)
        try:
            with self._directory.open(self._folder + name, most) as file:
                data = read_entry(file, most + 1)
        except TooLarge as error:
            if most < largest_bytes:
                raise TooLarge(f"the archive unpacks to more than {LARGEST_ARCHIVE_BYTES:,} bytes") from error
            raise
        self._bytes_left -= len(data)
        return data


def deck_archive(deck: Deck, pictures: Mapping[str, bytes], emma: bytes | None = None) -> bytes:
    """The archive of a deck with pictures of its faces, PNGs by the ids; the same bytes for the same deck.

    A face without a picture has none in the archive either, and Emma is in it if there is a PNG of her.
    """
    figure = None if deck.emma is None or emma is None else msgspec.structs.replace(deck.emma, image=EMMA_FILE)
    deck = msgspec.structs.replace(with_images(deck, pictures), emma=figure)
    hers = {} if figure is None or emma is None else {EMMA_FILE: emma}
    files = {DECK_FILE: encode_deck(deck)} | {face.image: pictures[face.id] for face in deck.faces if face.image} | hers
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, data in files.items():
            # Without a date, and stored: PNGs are compressed, and other libraries would compress otherwise.
            entry = ZipInfo(name)
            entry.create_system = 3  # Unix: only then does the next line count
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return packed.getvalue()


def with_images(deck: Deck, pictured: Container[str]) -> Deck:
    """The deck whose faces name their pictures, those with these ids, as we call them in folders and archives."""
    faces = (
        msgspec.structs.replace(face, image=_image(face.id, index) if face.id in pictured else None)
        for index, face in enumerate(deck.faces)
    )
    return msgspec.structs.replace(deck, faces=tuple(faces))


def _image(face_id: str, index: int) -> str:
    """The face's own name where it can be one of a file."""
    is_plain = re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,60}", face_id)
    return f"faces/{face_id if is_plain else f'face {index}'}.png"


def _folder_of_deck(names: Iterable[str]) -> str:
    """What the deck's names begin with: nothing, or the one folder that a file manager packs with what is in it."""
    found = [match[1] for name in names if (match := _DECK.fullmatch(name))]
    if len(found) != 1:
        raise FileError(f"an archive with {len(found) or 'no'} {DECK_FILE}")
    return found[0]
