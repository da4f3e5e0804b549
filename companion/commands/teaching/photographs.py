"""The photographs that ``companion teach`` is given, and the cards in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.commands.shared.errors import CommandError
from companion.commands.shared.progress import progress_bar
from companion.texts.language import Texts

if TYPE_CHECKING:
    from vision.arrays import Picture
    from vision.teaching.common_table import CommonTable
    from vision.teaching.lone_card import PhotoSession

ENDINGS: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
"""Of photographs that are taken from a folder."""
SESSION: Final = 12
"""So many photographs show what lies on the table all the time."""


def photographs(paths: Sequence[Path]) -> list[Path]:
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


def cut_outs(paths: Sequence[Path], card_mm: tuple[float, float], texts: Texts) -> list[Picture | str]:
    """For each photograph the card cut out of it, or why there is none, in a sentence."""
    from vision.picture_files import PictureError, read_picture
    from vision.teaching.common_table import CommonTable
    from vision.teaching.taught_faces import cut_out

    table = CommonTable(card_mm)
    results: list[Picture | str] = []
    added = []
    with progress_bar(texts("teach.progress")) as told:
        session = _session(paths)
        for number, path in enumerate(paths):
            try:
                results.append(_seen(read_picture(path), table, session, texts))
                added.append(number)
            except PictureError as error:
                results.append(str(error))
            told(number + 1, len(paths))
    for number, card in zip(added, table.settled(), strict=True):
        if card is None:
            continue
        try:
            # Read again: all photographs together are too large to be kept.
            results[number] = cut_out(read_picture(paths[number]), card, card_mm)
        except PictureError as error:
            results[number] = str(error)
    return results


def _session(paths: Sequence[Path]) -> PhotoSession:
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


def _seen(picture: Picture, table: CommonTable, session: PhotoSession, texts: Texts) -> str:
    """Adds a photograph to the table; returns why there is no card, if all of them together show none."""
    from vision.teaching.lone_card import CardNotFound, find_lone_card

    try:
        table.add(picture, find_lone_card(picture, table.card_mm, session))
    except CardNotFound as error:
        table.add(picture, None)
        return texts(f"teach.{error.reason}")
    return texts("teach.unclear")
