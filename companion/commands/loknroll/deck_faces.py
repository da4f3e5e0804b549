"""``companion deck faces``: the faces as images with the deck's data, a taught deck from the start."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Final

import msgspec

from companion.commands.shared.arguments import add_deck, deck_of, edition_of, whole_number
from companion.commands.shared.errors import CommandError
from companion.commands.shared.progress import progress_bar
from companion.commands.shared.whole import appearing, check_is_free
from companion.texts.harmless import harmless
from vision.cards import CARD_MM, Deck, DeckError

PX_PER_MM: Final = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example:\n  companion deck faces --out faces"
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="a folder that is not there yet")
    parser.add_argument(
        "--px-per-mm", metavar="N", type=whole_number(2, 60), default=PX_PER_MM, help="(default: %(default)s)"
    )
    add_deck(parser)


def run(options: argparse.Namespace) -> int:
    """Writes the folder."""
    deck = deck_of(options, edition_of(options))
    check_is_free(options.out)
    with appearing(options.out) as folder:
        try:
            _write(deck, folder, options.px_per_mm)
        except DeckError as error:
            raise CommandError(f"{error} Nothing is written.") from error
    print(f"{harmless(options.out)}: deck.json, {len(deck.faces)} faces and the back.")
    return 0


def _write(deck: Deck, folder: Path, px_per_mm: int) -> None:
    from companion.games.loknroll.artwork import back_svg, face_svg

    (folder / "faces").mkdir(parents=True)
    faces = []
    with progress_bar("drawing the faces") as told:
        for index, face in enumerate(deck.faces):
            image = f"faces/{_file_name(face.id, index)}"
            _write_image(folder / image, face_svg(face), px_per_mm)
            # Without the size, which deck.json has once for all.
            faces.append(msgspec.structs.replace(face, image=image, size_mm=CARD_MM))
            told(index + 1, len(deck.faces))
    _write_image(folder / "back.png", back_svg(deck.card_mm), px_per_mm)
    data = msgspec.json.encode(msgspec.structs.replace(deck, faces=tuple(faces)))
    (folder / "deck.json").write_bytes(msgspec.json.format(data) + b"\n")


def _write_image(file: Path, svg: str, px_per_mm: int) -> None:
    import cv2

    from companion.games.loknroll.artwork import rasterized

    _, encoded = cv2.imencode(".png", rasterized(svg, px_per_mm))
    file.write_bytes(encoded.tobytes())


def _file_name(face_id: str, index: int) -> str:
    """The face's own name where it can be one of a file."""
    is_plain = re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,60}", face_id)
    return f"{face_id if is_plain else f'face {index}'}.png"
