"""``companion locomotion``: everything about the second game; its subcommands are modules beside this one."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Final

SUBCOMMANDS: Final = {
    "play": "play a game in the terminal, against people and automatic players",
    "simulate": "let automatic players play many games, and see who wins how often",
    "solve": "find the fewest steps of a puzzle, and prove that there are no fewer",
    "replay": "check a recorded game against the rules and show it turn by turn",
    "puzzle": "a puzzle found by lot and proven: today's, another day's, or that of a number",
    "print": "print pieces of rail, vehicles and cards to be cut out and folded, as a PDF",
    "network": "draw a network: one that ships, one of a file, or one found by lot",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example:\n  companion locomotion network --list"
    subparsers = parser.add_subparsers(dest="subcommand", metavar="SUBCOMMAND", required=True)
    for name, what in SUBCOMMANDS.items():
        chosen = subparsers.add_parser(
            name, help=what, description=f"{what[0].upper()}{what[1:]}.", formatter_class=parser.formatter_class
        )
        import_module(f"companion.commands.locomotion.{name}").add_arguments(chosen)


def run(options: argparse.Namespace) -> int:
    status: int = import_module(f"companion.commands.locomotion.{options.subcommand}").run(options)
    return status
