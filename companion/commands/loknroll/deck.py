"""``companion deck``: our own deck on paper, as images, in one file, and photographed on virtual tables."""

from __future__ import annotations

import argparse
from typing import Final

from companion.commands.shared.subcommands import add_subcommands, run_subcommand

SUBCOMMANDS: Final = {
    "print": "print the deck at its real size, with backs, cut-outs and rules, as a PDF",
    "faces": "write the deck's faces as images, with its data beside them",
    "pack": "pack a deck and its pictures into one file, to be kept and given to others",
    "scene": "render pictures of tables and whole games, with the truth beside them",
}
_MODULES: Final = "companion.commands.loknroll.deck_"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "examples:\n  companion deck print --paper a4 --out deck.pdf\n  companion deck faces --out faces"
    add_subcommands(parser, SUBCOMMANDS, _MODULES)


def run(options: argparse.Namespace) -> int:
    return run_subcommand(options, _MODULES)
