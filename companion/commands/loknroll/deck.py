"""``companion deck``: our own deck on paper, as images, in one file, and photographed on virtual tables."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Final

SUBCOMMANDS: Final = {
    "print": "print the deck at its real size, with backs, cut-outs and rules, as a PDF",
    "faces": "write the deck's faces as images, with its data beside them",
    "pack": "pack a deck and its pictures into one file, to be kept and given to others",
    "scene": "render pictures of tables and whole games, with the truth beside them",
}
"""Each is a module beside this one, as ``deck_print``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "examples:\n  companion deck print --paper a4 --out deck.pdf\n  companion deck faces --out faces"
    subparsers = parser.add_subparsers(dest="subcommand", metavar="SUBCOMMAND", required=True)
    for name, what in SUBCOMMANDS.items():
        chosen = subparsers.add_parser(
            name, help=what, description=f"{what[0].upper()}{what[1:]}.", formatter_class=parser.formatter_class
        )
        import_module(f"companion.commands.loknroll.deck_{name}").add_arguments(chosen)


def run(options: argparse.Namespace) -> int:
    status: int = import_module(f"companion.commands.loknroll.deck_{options.subcommand}").run(options)
    return status
