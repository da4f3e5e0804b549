"""The people's own deck: one file, kept as a whole."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from companion.record.whole_file import put_aside, write_whole
from vision.cards import DeckError
from vision.files import deck_archive

if TYPE_CHECKING:
    from companion.teaching.taught_deck import TaughtDeck
    from vision.deck_pictures import DeckPictures


class OwnDeck:
    """A deck that was taught at the table."""

    def __init__(self, path: Path) -> None:
        """Reads it, if it is there; one that is damaged is put aside under another name."""
        self._path = path
        self.pictures: DeckPictures | None = None
        """The deck with its faces; None before one was taught."""
        self.was_damaged = False
        if os.path.lexists(path):
            self._read()

    def keep(self, taught: TaughtDeck) -> None:
        """From now on this is the deck, the old one or the new one; raises OSError."""
        from vision.picture_files import png_of

        data = deck_archive(taught.deck, {face: png_of(picture) for face, picture in taught.faces.items()})
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, data)
        self._read()

    def _read(self) -> None:
        from vision.deck_pictures import read_deck_pictures

        try:
            self.pictures = read_deck_pictures(self._path)
        except DeckError:
            self.was_damaged = True
            with contextlib.suppress(OSError):
                put_aside(self._path)
