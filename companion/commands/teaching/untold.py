"""``companion teach`` without a deck.json: everything about the cards is read from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.commands.shared.errors import CommandError
from companion.commands.teaching.photographs import cut_outs
from companion.commands.teaching.taught_folder import TaughtFolder
from companion.texts.language import Texts
from vision.cards import Deck, DeckError
from vision.cards.deck import checked_deck

if TYPE_CHECKING:
    from vision.arrays import Picture
    from vision.teaching.contact_sheet import SheetEntry
    from vision.teaching.untold_deck import ReadFace

LEAST: Final = 12
"""Fewer photographs of different cards do not tell what their values and rails have in common."""
ASSUMED: Final = (
    "Rails, values and kinds were read from photographs; how often each face occurs was taken from the standard deck."
    " Count your own cards and change the counts."
)


def teach_untold(paths: list[Path], out: Path, card_mm: tuple[float, float], texts: Texts) -> tuple[list[str], int]:
    """Makes a deck out of photographs of all its cards; returns what is to be said, and 1 where a card is missing.

    Raises CommandError.
    """
    from vision.teaching.untold_deck import read_faces

    try:
        if out.exists() and not (out.is_dir() and not any(out.iterdir())):
            raise CommandError(f"{out} is there already; name a new folder, or give --deck {out} to go on with it.")
    except OSError as error:
        raise CommandError(f"{out}: cannot be looked at ({error.strerror}); name another.") from error
    if len(paths) < LEAST:
        told = f"{len(paths)} photographs do not tell what the cards have in common"
        raise CommandError(f"{told}; give one of each face, or a deck.json with --deck.")
    results = cut_outs(paths, card_mm, texts)
    lines = [f"{path.name}: {result}" for path, result in zip(paths, results, strict=True) if isinstance(result, str)]
    found: list[tuple[Path, Picture]] = [
        (path, result) for path, result in zip(paths, results, strict=True) if not isinstance(result, str)
    ]
    if len(found) < LEAST:
        return [*lines, texts("teach.too-few-found", count=len(found), least=LEAST)], 1
    read = read_faces([picture for _, picture in found], card_mm)
    folder = _saved(found, read, out, card_mm)
    lines.append(texts("teach.read", count=len(read), sheet=folder.save_sheet(_entries(found, read))))
    return lines + _doubts([path.name for path, _ in found], read, texts), int(len(found) < len(paths))


def _saved(
    found: list[tuple[Path, Picture]], read: tuple[ReadFace, ...], out: Path, card_mm: tuple[float, float]
) -> TaughtFolder:
    try:
        deck = checked_deck(Deck(_deck_name(out), tuple(one.face for one in read), card_mm, ASSUMED))
    except DeckError as error:
        raise CommandError(f"The photographs do not make a deck. {error}") from error
    folder = TaughtFolder(out, deck)
    for (_, picture), one in zip(found, read, strict=True):
        folder.taught.teach(one.face.id, _upright(picture, one))
    for one in read:
        folder.save(one.face.id)
    return folder


def _deck_name(out: Path) -> str:
    return out.resolve().name[:100] or "taught"


def _upright(picture: Picture, read: ReadFace) -> Picture:
    from vision.teaching.even_faces import turned_round

    return turned_round(picture) if read.is_turned else picture


def _entries(found: list[tuple[Path, Picture]], read: tuple[ReadFace, ...]) -> list[SheetEntry]:
    from vision.teaching.contact_sheet import SheetEntry
    from vision.teaching.untold_deck import Doubt

    return [
        SheetEntry(
            _upright(picture, one),
            one.face,
            path.name,
            # Where all values are guessed, a sheet that is red all over would show nothing else.
            is_doubtful=bool(one.doubts - {Doubt.NUMBER}),
            is_value_guessed=not one.doubts.isdisjoint({Doubt.NUMBER, Doubt.VALUE}),
        )
        for (path, picture), one in zip(found, read, strict=True)
    ]


def _doubts(names: list[str], read: tuple[ReadFace, ...], texts: Texts) -> list[str]:
    """What was guessed, a line for each kind of doubt."""
    from vision.teaching.untold_deck import Doubt

    lines = []
    turned = [name for name, one in zip(names, read, strict=True) if one.is_turned]
    if len(turned) == len(read):
        lines.append(texts("teach.all-turned"))
    elif turned:
        lines.append(texts("teach.turned", files=turned))
    for doubt in Doubt:
        doubtful = [f"{one.face.id} ({name})" for name, one in zip(names, read, strict=True) if doubt in one.doubts]
        if len(doubtful) == len(read):
            lines.append(texts(f"teach.all-doubt-{doubt}"))
        elif doubtful:
            lines.append(texts(f"teach.doubt-{doubt}", faces=doubtful))
    lines.append(texts("teach.counts-assumed"))
    return lines
