"""``companion teach``: a deck's faces out of photographs of each card lying alone."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.commands.shared.arguments import add_language
from companion.commands.shared.errors import CommandError
from companion.commands.teaching.photographs import cut_outs, photographs
from companion.commands.teaching.taught_folder import TaughtFolder
from companion.commands.teaching.untold import teach_untold
from companion.texts.harmless import harmless
from companion.texts.language import Texts
from vision.cards import CARD_MM, Deck, DeckError, Edge, Face
from vision.files import read_deck

if TYPE_CHECKING:
    from vision.arrays import Picture
    from vision.teaching.declared_faces import Check, DeckCheck
    from vision.teaching.taught_faces import Lesson, MixedUp, TaughtFaces

Task = tuple[Path, Face]
SEVERAL: Final = 2
"""So many photographs of other cards than their order says mean that the order is wrong; one may be a slip."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Photograph each card lying alone and whole on a table, upright, with the camera that will be used later.\n"
        "Without --deck everything is read from the cards: rails, values, kinds. What was guessed is listed, and the\n"
        "contact sheet in the taught deck's folder shows what was taken for what.\n"
        "With --deck a photograph named as a face (track-1-left.jpg) is that face. Others are taken in the order of\n"
        "the deck's faces: of all of them if there are as many, otherwise of those still missing or too blurred.\n\n"
        "examples:\n  companion teach photos/ --out taught\n"
        "  companion teach photos/ --deck deck.json --out taught\n"
        "  companion teach track-1-left.jpg chaos-4.jpg --deck deck.json --out taught"
    )
    parser.add_argument("photos", metavar="PHOTO", type=Path, nargs="+", help="files, or folders of them")
    parser.add_argument(
        "--deck", metavar="DECK", type=Path, help="the deck with the faces, if there is one: folder, deck.json or ZIP"
    )
    parser.add_argument(
        "--card-mm",
        metavar="WxH",
        type=_card_mm,
        default=CARD_MM,
        help="without --deck: width and height of an upright card in mm (default: 63x88)",
    )
    parser.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="the taught deck; what is there is continued"
    )
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Teaches; returns 1 while the deck is not complete or has faces that are mixed up."""
    texts = Texts(options.language)
    if options.deck is None:
        lines, status = teach_untold(photographs(options.photos), options.out, options.card_mm, texts)
        print(*map(harmless, lines), sep="\n")
        return status
    try:
        deck = read_deck(options.deck)
    except DeckError as error:
        raise CommandError(str(error)) from error
    paths = photographs(options.photos)
    folder = TaughtFolder(options.out, deck)
    tasks = _tasks(paths, deck, folder.taught)
    remarks, sources, doubtful = _teach(tasks, folder, texts)
    mixed_up = folder.taught.mixed_up()
    if len(folder.taught):
        _save_sheet(folder, sources, doubtful.union(*mixed_up.alike, *mixed_up.exchanged))
    print(*map(harmless, (*remarks, *_summary(folder.taught, mixed_up, texts))), sep="\n")
    return 1 if folder.taught.open or any(mixed_up) else 0


def _card_mm(text: str) -> tuple[float, float]:
    """Width and height as 63x88."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)", text.strip())
    size = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not all(10 <= side <= 500 for side in size):
        raise argparse.ArgumentTypeError(f"{text!r} is no card's size; give width and height in mm, as 63x88")
    return size


def _tasks(paths: list[Path], deck: Deck, taught: TaughtFaces) -> list[Task]:
    """Which face each photograph is of; raises CommandError."""
    named = {path.stem for path in paths if path.stem in deck}
    unnamed = sum(path.stem not in deck for path in paths)
    faces = [face for face in deck.faces if face.id not in named]
    if unnamed != len(faces):
        faces = [face for face in faces if face.id in taught.open]
    if unnamed > len(faces):
        raise CommandError(
            f"{unnamed} photographs are not named as a face, but only {len(faces)} faces are still wanted;"
            " give one photograph for each, or name the files as the faces."
        )
    following = iter(faces)
    return [(path, deck[path.stem] if path.stem in deck else next(following)) for path in paths]


def _teach(tasks: list[Task], folder: TaughtFolder, texts: Texts) -> tuple[list[str], dict[str, str], set[str]]:
    """Finds the cards in all photographs, checks what they show, then teaches them.

    Returns what is to be said, the file in which each face was found, and the faces of which the rails are doubtful.
    """
    results = cut_outs([path for path, _ in tasks], folder.deck.card_mm, texts)
    pictures = {task: result for task, result in zip(tasks, results, strict=True) if not isinstance(result, str)}
    remarks = {task: result for task, result in zip(tasks, results, strict=True) if isinstance(result, str)}
    lines = []
    checks = _checked(pictures, folder)
    displaced = _displaced(list(pictures), checks)
    if displaced:
        lines.append(texts("teach.out-of-order", file=displaced[0][0].name))
    doubtful = set()
    for (task, picture), check in zip(pictures.items(), checks.faces, strict=False):
        if task in displaced:
            continue
        remark, is_taught = _taught(task, picture, check, folder, texts)
        if remark is not None:
            remarks[task] = remark
        if is_taught and check.other_edges is not None:
            doubtful.add(task[1].id)
    lines += [
        texts("teach.remark", file=path.name, face=face.id, remark=remarks[path, face])
        for path, face in tasks
        if (path, face) in remarks
    ]
    return lines, {face.id: path.name for path, face in pictures}, doubtful


def _displaced(tasks: list[Task], checks: DeckCheck) -> list[Task]:
    """The photographs that are not sure to be of the faces that they would be in their order.

    One that is missing or one too many moves all that follow, also those whose rails are the same by accident.
    """
    unnamed = [task for task in tasks if not _is_named(task)]
    if not checks.is_in_order:
        return unnamed
    wrong = {task for task, check in zip(tasks, checks.faces, strict=False) if check.other_edges is not None}
    found = [number for number, task in enumerate(unnamed) if task in wrong]
    if len(found) < SEVERAL:
        return []
    first = found[0]
    while first and _edges(unnamed[first - 1]) == _edges(unnamed[max(0, first - 2)]):
        first -= 1  # where faces before it have the same rails, the order may have been wrong already
    return unnamed[max(0, first - 1) :]


def _edges(task: Task) -> set[Edge]:
    return {port.edge for port in task[1].ports}


def _is_named(task: Task) -> bool:
    path, face = task
    return path.stem == face.id


def _checked(pictures: dict[Task, Picture], folder: TaughtFolder) -> DeckCheck:
    """What the new pictures show, beside those that are taught already."""
    from vision.teaching.declared_faces import check_faces

    new = {face.id for _, face in pictures}
    known = [face for face in folder.deck.faces if face.id in folder.taught and face.id not in new]
    return check_faces(
        [*pictures.values(), *(folder.taught[face.id] for face in known)],
        [*(face for _, face in pictures), *known],
        folder.deck.card_mm,
    )


def _taught(task: Task, picture: Picture, check: Check, folder: TaughtFolder, texts: Texts) -> tuple[str | None, bool]:
    """Teaches a face; returns what is to be said about it if it is not simply taught, and whether it is."""
    from vision.teaching.even_faces import turned_round
    from vision.teaching.taught_faces import Lesson

    face = task[1]
    remark = None
    if check.other_edges is not None:
        declared = tuple(port.edge for port in face.ports)
        seen, wanted = (_told_edges(edges, texts) for edges in (check.other_edges, declared))
        remark = texts("teach.contradicts", seen=seen, declared=wanted)
        if not _is_named(task):
            return remark, False
    lesson: Lesson = folder.taught.teach(face.id, turned_round(picture) if check.is_turned else picture)
    if lesson is not Lesson.KEPT:
        folder.save(face.id)
    if remark is None and folder.taught.is_blurred(face.id):
        remark = texts("teach.is-blurred")
    elif remark is None and lesson is not Lesson.NEW:
        remark = texts(f"teach.{lesson}")
    elif remark is None and check.is_turned:
        remark = texts("teach.was-turned")
    return remark, True


def _told_edges(edges: tuple[Edge, ...], texts: Texts) -> str:
    return ", ".join(texts(f"teach.edge-{edge.lower()}") for edge in edges) or texts("teach.no-edge")


def _save_sheet(folder: TaughtFolder, sources: dict[str, str], doubtful: set[str]) -> None:
    from vision.teaching.contact_sheet import SheetEntry

    taught = folder.taught
    folder.save_sheet(
        [
            SheetEntry(
                taught[face.id], face, sources.get(face.id, ""), face.id in doubtful or taught.is_blurred(face.id)
            )
            for face in folder.deck.faces
            if face.id in taught
        ]
    )


def _summary(taught: TaughtFaces, mixed_up: MixedUp, texts: Texts) -> list[str]:
    lines = [texts("teach.taught", count=len(taught), of=len(taught) + len(taught.missing))]
    if taught.missing:
        lines.append(texts("teach.missing", faces=taught.missing))
    if taught.blurred:
        lines.append(texts("teach.blurred", faces=taught.blurred))
    lines += [texts("teach.alike", one=one, other=other) for one, other in mixed_up.alike]
    lines += [texts("teach.exchanged", one=one, other=other) for one, other in mixed_up.exchanged]
    return lines
