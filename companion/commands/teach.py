"""``companion teach``: a deck's faces out of photographs of each card lying alone."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from companion.commands.shared.arguments import add_language
from companion.commands.shared.errors import CommandError
from companion.commands.shared.progress import progress_bar
from companion.record.whole_file import write_whole
from companion.texts.harmless import harmless
from companion.texts.language import Texts
from vision.cards import CARD_MM, Deck, DeckError, Face
from vision.files import FileError, read_deck, within

if TYPE_CHECKING:
    from vision.teaching.common_table import CommonTable
    from vision.teaching.lone_card import LoneCard, PhotoSession
    from vision.teaching.taught_faces import Lesson, TaughtFaces

ENDINGS: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
"""Of photographs that are taken from a folder."""
SESSION: Final = 12
"""So many photographs show what lies on the table all the time."""

Task = tuple[Path, Face]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Photograph each card lying alone and whole on a table, upright, with the camera that will be used later.\n"
        "A photograph named as a face (track-1-left.jpg) is that face. Others are taken in the order of the deck's\n"
        "faces: of all of them if there are as many, otherwise of those still missing or too blurred.\n\n"
        "examples:\n  companion teach photos/ --deck deck.json --out taught\n"
        "  companion teach track-1-left.jpg chaos-4.jpg --deck deck.json --out taught"
    )
    parser.add_argument("photos", metavar="PHOTO", type=Path, nargs="+", help="files, or folders of them")
    parser.add_argument("--deck", metavar="FILE", type=Path, required=True, help="the deck.json with the faces")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="the taught deck; what is there is continued"
    )
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Teaches; returns 1 while the deck is not complete or has faces that cannot be told apart."""
    try:
        deck = read_deck(options.deck)
    except DeckError as error:
        raise CommandError(str(error)) from error
    texts = Texts(options.language)
    photographs = _photographs(options.photos)
    folder = _TaughtFolder(options.out, deck)
    tasks = _tasks(photographs, deck, folder.taught)
    remarks = _teach(tasks, folder, texts)
    alike = folder.taught.alike()
    print(*map(harmless, (*remarks, *_summary(folder.taught, alike, texts))), sep="\n")
    return 1 if folder.taught.open or alike else 0


class _TaughtFolder:
    """The taught deck on the disk: after each face it is whole, so that teaching can be stopped and continued."""

    def __init__(self, path: Path, deck: Deck) -> None:
        """Reads what is taught already; raises CommandError where the folder is something else."""
        from vision.teaching.taught_faces import TaughtFaces

        self.path = path
        self.deck = deck
        self.taught: TaughtFaces = TaughtFaces([face.id for face in deck.faces], deck.card_mm)
        self._names = {face.id: f"faces/{_file_name(face.id, index)}" for index, face in enumerate(deck.faces)}
        try:
            if path.exists() and not (path.is_dir() and not any(path.iterdir())):
                self._continue()
        except OSError as error:
            raise CommandError(f"{path}: cannot be looked at ({error.strerror}); name another.") from error

    def save(self, face_id: str) -> None:
        """Writes a face, then the deck with it; raises CommandError."""
        import cv2

        _, encoded = cv2.imencode(".png", self.taught[face_id])
        faces = [
            # Without the size, which deck.json has once for all.
            msgspec.structs.replace(
                face, image=self._names[face.id] if face.id in self.taught else None, size_mm=CARD_MM
            )
            for face in self.deck.faces
        ]
        data = msgspec.json.encode(msgspec.structs.replace(self.deck, faces=tuple(faces)))
        try:
            (self.path / "faces").mkdir(parents=True, exist_ok=True)
            write_whole(self.path / self._names[face_id], encoded.tobytes())
            write_whole(self.path / "deck.json", msgspec.json.format(data) + b"\n")
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


def _photographs(paths: Sequence[Path]) -> list[Path]:
    """The files, those of folders by their names; raises CommandError."""
    found: list[Path] = []
    for path in paths:
        try:
            if path.is_dir():
                files = sorted(file for file in path.iterdir() if file.suffix.lower() in ENDINGS)
                if not files:
                    raise CommandError(f"{path}: there are no photographs in this folder (JPEG or PNG).")
                found += files
            elif path.exists():
                found.append(path)
            else:
                raise CommandError(f"{path}: there is no such file.")
        except OSError as error:
            raise CommandError(f"{path}: cannot be looked at ({error.strerror}).") from error
    return found


def _tasks(photographs: list[Path], deck: Deck, taught: TaughtFaces) -> list[Task]:
    """Which face each photograph is of; raises CommandError."""
    named = {path.stem for path in photographs if path.stem in deck}
    unnamed = sum(path.stem not in deck for path in photographs)
    faces = [face for face in deck.faces if face.id not in named]
    if unnamed != len(faces):
        faces = [face for face in faces if face.id in taught.open]
    if unnamed > len(faces):
        raise CommandError(
            f"{unnamed} photographs are not named as a face, but only {len(faces)} faces are still wanted;"
            " give one photograph for each, or name the files as the faces."
        )
    following = iter(faces)
    return [(path, deck[path.stem] if path.stem in deck else next(following)) for path in photographs]


def _teach(tasks: list[Task], folder: _TaughtFolder, texts: Texts) -> list[str]:
    """Finds the cards in all photographs, then teaches them; returns what is to be said about them."""
    from vision.picture_files import PictureError
    from vision.teaching.common_table import CommonTable

    remarks: dict[Task, str] = {}
    seen: dict[Task, str] = {}
    table = CommonTable(folder.deck.card_mm)
    with progress_bar(texts("teach.progress")) as told:
        session = _session([path for path, _ in tasks])
        for number, task in enumerate(tasks):
            try:
                seen[task] = _seen(task[0], table, session, texts)
            except PictureError as error:
                remarks[task] = str(error)
            told(number + 1, len(tasks))
    for (task, unclear), card in zip(seen.items(), table.settled(), strict=True):
        remark = unclear if card is None else _taught(*task, card, folder, texts)
        if remark is not None:
            remarks[task] = remark
    return [
        texts("teach.remark", file=path.name, face=face.id, remark=remarks[path, face])
        for path, face in tasks
        if (path, face) in remarks
    ]


def _session(paths: list[Path]) -> PhotoSession:
    """What the photographs have in common; those that cannot be read are told of later."""
    from vision.picture_files import PictureError, read_picture
    from vision.teaching.lone_card import PhotoSession

    session = PhotoSession()
    for path in paths[:: max(1, len(paths) // SESSION)][:SESSION]:
        try:
            session.add(read_picture(path))
        except PictureError:
            continue
    return session


def _seen(path: Path, table: CommonTable, session: PhotoSession, texts: Texts) -> str:
    """Adds a photograph to the table; returns why there is no card, if all of them together show none.

    Raises PictureError.
    """
    from vision.picture_files import read_picture
    from vision.teaching.lone_card import CardNotFound, find_lone_card

    picture = read_picture(path)
    try:
        table.add(picture, find_lone_card(picture, table.card_mm, session))
    except CardNotFound as error:
        table.add(picture, None)
        return texts(f"teach.{error.reason}")
    return texts("teach.unclear")


def _taught(path: Path, face: Face, card: LoneCard, folder: _TaughtFolder, texts: Texts) -> str | None:
    """Teaches a face; returns what is to be said about it if it is not simply taught."""
    from vision.picture_files import PictureError, read_picture
    from vision.teaching.taught_faces import Lesson, cut_out

    try:
        picture = read_picture(path)  # again: all of them together are too large to be kept
    except PictureError as error:
        return str(error)
    lesson: Lesson = folder.taught.teach(face.id, cut_out(picture, card, folder.deck.card_mm))
    if lesson is not Lesson.KEPT:
        folder.save(face.id)
    if folder.taught.is_blurred(face.id):
        return texts("teach.is-blurred")
    return None if lesson is Lesson.NEW else texts(f"teach.{lesson}")


def _summary(taught: TaughtFaces, alike: list[tuple[str, str]], texts: Texts) -> list[str]:
    lines = [texts("teach.taught", count=len(taught), of=len(taught) + len(taught.missing))]
    if taught.missing:
        lines.append(texts("teach.missing", faces=taught.missing))
    if taught.blurred:
        lines.append(texts("teach.blurred", faces=taught.blurred))
    lines += [texts("teach.alike", one=one, other=other) for one, other in alike]
    return lines


def _without_images(deck: Deck) -> Deck:
    faces = tuple(msgspec.structs.replace(face, image=None) for face in deck.faces)
    return msgspec.structs.replace(deck, faces=faces)


def _file_name(face_id: str, index: int) -> str:
    """The face's own name where it can be one of a file."""
    is_plain = re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,60}", face_id)
    return f"{face_id if is_plain else f'face {index}'}.png"
