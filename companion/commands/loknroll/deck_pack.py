"""``companion deck pack``: a deck with its pictures as one file, to be kept and given to others."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.shared.errors import CommandError
from companion.commands.shared.whole import appearing, check_is_free
from companion.texts.harmless import harmless
from vision.cards import DeckError
from vision.files import deck_archive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "The file can be given to --deck as its folder can.\n\nexample:\n  companion deck pack taught --out my-deck.zip"
    )
    parser.add_argument("deck", metavar="DECK", type=Path, help="a deck with its pictures: folder or deck.json")
    parser.add_argument("--out", metavar="FILE.zip", type=Path, required=True, help="a file that is not there yet")


def run(options: argparse.Namespace) -> int:
    """Writes the file."""
    from vision.deck_pictures import read_deck_pictures
    from vision.picture_files import png_of

    check_is_free(options.out)
    try:
        packed = read_deck_pictures(options.deck)
    except DeckError as error:
        raise CommandError(f"{error} Nothing is packed.") from error
    with appearing(options.out) as file:
        hers = None if packed.emma is None else png_of(packed.emma.picture)
        faces = {face: png_of(picture) for face, picture in packed.faces.items()}
        file.write_bytes(deck_archive(packed.deck, faces, hers))
    print(f"{harmless(options.out)}: deck.json and {len(faces)} faces.")
    return 0
