"""``companion deck print``: a PDF with the cards, their backs, Emma, dice and rules."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.shared.arguments import add_deck, add_language, add_page, deck_of, edition_of
from companion.commands.shared.errors import CommandError
from companion.commands.shared.progress import progress_bar
from companion.commands.shared.whole import appearing, check_is_free
from companion.games.drawing.grid import CardTooLarge
from companion.games.drawing.paper import PAPERS
from companion.texts.harmless import harmless
from vision.cards import DeckError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Print at 100 %, on both sides, turned over the long edge.\n\n"
        "examples:\n  companion deck print --paper a4 --out deck.pdf\n"
        "  companion deck print --edition loose_caboose --paper letter --out caboose.pdf"
    )
    parser.add_argument("--paper", choices=list(PAPERS), default="a4", help="(default: %(default)s)")
    parser.add_argument("--out", metavar="FILE.pdf", type=Path, required=True, help="a file that is not there yet")
    add_page(parser, "on a side of the rules a code for phones")
    add_deck(parser)
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Writes the PDF."""
    edition = edition_of(options)
    deck = deck_of(options, edition)
    check_is_free(options.out)
    from companion.games.loknroll.printing.book import print_deck

    with appearing(options.out) as file:
        try:
            with progress_bar("drawing the pages") as told:
                data = print_deck(
                    deck, edition, PAPERS[options.paper], options.language, told, address=options.page or ""
                )
        except (DeckError, CardTooLarge) as error:
            raise CommandError(f"{error} Nothing is printed.") from error
        file.write_bytes(data)
    print(f"{harmless(options.out)}: {deck.size} cards. Print at 100 %, on both sides, turned over the long edge.")
    if deck.size != edition.cards:
        print(f"The {options.edition} rules are for {edition.cards} cards.")
    return 0
