"""The folder in which a taught deck grows: after each face it is whole, so that teaching can be stopped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from companion.commands.shared.errors import CommandError
from companion.record.whole_file import write_whole
from vision.cards import CARD_MM, Deck, DeckError
from vision.files import FileError, read_deck, within

if TYPE_CHECKING:
    from vision.arrays import Picture
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
        self._names = {face.id: f"faces/{_file_name(face.id, index)}" for index, face in enumerate(deck.faces)}
        try:
            if path.exists() and not (path.is_dir() and not any(path.iterdir())):
                self._continue()
        except OSError as error:
            raise CommandError(f"{path}: cannot be looked at ({error.strerror}); name another.") from error

    def save(self, face_id: str) -> None:
        """Writes a face, then the deck with it; raises CommandError."""
        faces = [
            # Without the size, which deck.json has once for all.
            msgspec.structs.replace(
                face, image=self._names[face.id] if face.id in self.taught else None, size_mm=CARD_MM
            )
            for face in self.deck.faces
        ]
        data = msgspec.json.encode(msgspec.structs.replace(self.deck, faces=tuple(faces)))
        self._write(self._names[face_id], _png(self.taught[face_id]))
        self._write("deck.json", msgspec.json.format(data) + b"\n")

    def save_sheet(self, entries: Sequence[SheetEntry]) -> Path:
        """Writes the contact sheet; returns its file, raises CommandError."""
        from vision.teaching.contact_sheet import contact_sheet

        self._write(SHEET, _png(contact_sheet(entries, self.deck.card_mm)))
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


def _png(picture: Picture) -> bytes:
    import cv2

    _, encoded = cv2.imencode(".png", picture)
    return encoded.tobytes()


def _without_images(deck: Deck) -> Deck:
    faces = tuple(msgspec.structs.replace(face, image=None) for face in deck.faces)
    return msgspec.structs.replace(deck, faces=faces)


def _file_name(face_id: str, index: int) -> str:
    """The face's own name where it can be one of a file."""
    is_plain = re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,60}", face_id)
    return f"{face_id if is_plain else f'face {index}'}.png"
