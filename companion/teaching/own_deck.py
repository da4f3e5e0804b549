"""The people's own deck: one file, kept as a whole."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.record.whole_file import put_aside, sync_folder, write_whole
from vision.cards import DeckError, EmmaFigure
from vision.files import EMMA_FILE, deck_archive

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.teaching.taught_deck import TaughtDeck
    from vision.deck_pictures import DeckPictures

_log = logging.getLogger(__name__)


class OwnDeck:
    """A deck that was taught at the table."""

    def __init__(self, path: Path) -> None:
        """Reads it, if it is there; one that is damaged is put aside under another name."""
        self._path = path
        self.pictures: DeckPictures | None = None
        """The deck with its faces; None before one was taught, and where it cannot be read."""
        self.was_damaged = False
        if os.path.lexists(path):
            self._read_kept()

    def __bool__(self) -> bool:
        """Whether there is one that can be played with."""
        return self.pictures is not None

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return self._path

    def take(self, file: Path, sizes: Collection[int]) -> None:
        """From now on it is the one in this ZIP, which is moved; raises DeckError and OSError, and nothing has changed.

        ``sizes``: with so many cards a game can be played.
        """
        from vision.deck_pictures import read_deck_pictures

        with file.open("rb") as opened:
            # A deck.json alone could name files beside it.
            if opened.read(2) != b"PK":
                raise DeckError(f"{file}: no ZIP")
            os.fsync(opened.fileno())
        pictures = read_deck_pictures(file)
        if pictures.deck.size not in sizes:
            raise DeckError(f"{file}: no game is played with {pictures.deck.size} cards")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file.replace(self._path)
        sync_folder(self._path.parent)
        self.pictures = pictures

    def keep(self, taught: TaughtDeck) -> None:
        """From now on this is the deck, the old one or the new one; raises OSError."""
        from vision.deck_pictures import read_deck_pictures
        from vision.picture_files import png_of

        deck, emma = taught.deck, None
        if taught.emma is not None:
            deck = replace(deck, emma=EmmaFigure(EMMA_FILE, taught.emma.size_mm))
            emma = png_of(taught.emma.picture)
        data = deck_archive(deck, {face: png_of(picture) for face, picture in taught.faces.items()}, emma)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, data)
        try:
            self.pictures = read_deck_pictures(self._path)
        except DeckError as error:
            raise OSError(str(error)) from error

    def _read_kept(self) -> None:
        from vision.deck_pictures import read_deck_pictures

        try:
            self.pictures = read_deck_pictures(self._path)
        except DeckError as error:
            self.was_damaged = True
            if not _is_out_of_reach(error):
                with contextlib.suppress(OSError):
                    put_aside(self._path)
        except Exception:  # noqa: BLE001 - games are played with other cards then
            _log.exception("%s cannot be read: the program has made a mistake", self._path)
            self.was_damaged = True


def _is_out_of_reach(error: BaseException | None) -> bool:
    """Whether a file could not be read though it may be right: it may be read the next time."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in {errno.EACCES, errno.EPERM, errno.EIO}:
            return True
        error = error.__cause__
    return False
