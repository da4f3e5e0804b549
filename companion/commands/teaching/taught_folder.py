"""The folder in which a taught deck grows: after each face it is whole, so that teaching can be stopped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from companion.commands.shared.errors import CommandError
from companion.record.whole_file import write_whole
from vision.cards import Deck, DeckError, encode_deck
from vision.files import FileError, read_deck, with_images, within

if TYPE_CHECKING:
    from vision.teaching.contact_sheet import SheetEntry
    from vision.teaching.taught_faces import TaughtFaces

SHEET: Final = "contact-sheet.png"


class TaughtFolder:
    """The taught deck on the disk."""

    def __init__(self, path: Path, deck: Deck) -> None:
        """Reads what is taught already; raises CommandError where the folder is something else."""
        from vision.teaching.taught_faces import TaughtFaces

        self.path = path
        self.deck = deck
        self.taught: TaughtFaces = TaughtFaces(deck.faces, deck.card_mm)
        self._names = {face.id: str(face.image) for face in with_images(deck, deck).faces}
        try:
            if path.exists() and not (path.is_dir() and not any(path.iterdir())):
                self._continue()
        except OSError as error:
            raise CommandError(f"{path}: cannot be looked at ({error.strerror}); name another.") from error

    def save(self, face_id: str) -> None:
        """Writes a face, then the deck with it; raises CommandError."""
        from vision.picture_files import png_of

        self._write(self._names[face_id], png_of(self.taught[face_id]))
        self._write("deck.json", encode_deck(with_images(self.deck, self.taught)))

    def save_sheet(self, entries: Sequence[SheetEntry]) -> Path:
        """Writes the contact sheet; returns its file, raises CommandError."""
        from vision.picture_files import png_of
        from vision.teaching.contact_sheet import contact_sheet

        self._write(SHEET, png_of(contact_sheet(entries, self.deck.card_mm)))
        return self.path / SHEET

    def _write(self, name: str, data: bytes) -> None:
        try:
            (self.path / "faces").mkdir(parents=True, exist_ok=True)
            write_whole(self.path / name, data)
        except OSError as error:
            raise CommandError(f"{self.path}: cannot be written ({error.strerror}); name another.") from error

    def _continue(self) -> None:
        from vision.picture_files import PictureError, read_picture

        try:
            begun = read_deck(self.path)
        except DeckError as error:
            raise CommandError(f"{self.path} is there already and is no taught deck; name another.") from error
        if _without_images(begun) != _without_images(self.deck):
            raise CommandError(f"{self.path} is another deck than {self.deck.name!r}; name another folder.")
        for face in begun.faces:
            if face.image not in {None, self._names[face.id]}:
                raise CommandError(f"{self.path} has pictures of its own, as {face.image}; name another folder.")
            if face.image is not None:
                try:
                    self.taught.teach(face.id, read_picture(within(self.path, face.image)))
                except (PictureError, FileError):
                    continue  # lost or broken: to be taught again


def _without_images(deck: Deck) -> Deck:
    faces = tuple(msgspec.structs.replace(face, image=None) for face in deck.faces)
    return msgspec.structs.replace(deck, faces=faces)
