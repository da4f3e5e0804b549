"""``companion deck faces``: the faces as images with the deck's data, a taught deck from the start."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from companion.commands.shared.arguments import add_deck, deck_of, edition_of, whole_number
from companion.commands.shared.errors import CommandError
from companion.commands.shared.progress import progress_bar
from companion.commands.shared.whole import appearing, check_is_free
from companion.games.loknroll.artwork.back import back_svg
from companion.texts.harmless import harmless
from vision.cards import Deck, DeckError, encode_deck
from vision.files import with_images

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
    from companion.games.loknroll.artwork.card import face_svg

    (folder / "faces").mkdir(parents=True)
    deck = with_images(deck, deck)
    with progress_bar("drawing the faces") as told:
        for index, face in enumerate(deck.faces):
            _write_image(folder / str(face.image), face_svg(face), px_per_mm)
            told(index + 1, len(deck.faces))
    _write_image(folder / "back.png", back_svg(deck.card_mm), px_per_mm)
    (folder / "deck.json").write_bytes(encode_deck(deck))


def _write_image(file: Path, svg: str, px_per_mm: int) -> None:
    from companion.games.drawing.raster import rasterized
    from vision.picture_files import png_of

    file.write_bytes(png_of(rasterized(svg, px_per_mm)))
