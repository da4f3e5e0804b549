"""``companion locomotion``: everything about the second game; its subcommands are modules beside this one."""

from __future__ import annotations

import argparse
from typing import Final

from companion.commands.shared.subcommands import add_subcommands, run_subcommand

SUBCOMMANDS: Final = {
    "play": "play a game in the terminal, against people and automatic players",
    "simulate": "let automatic players play many games, and see who wins how often",
    "solve": "find the fewest steps of a puzzle, or turns with speed cards, and prove that there are no fewer",
    "replay": "check a recorded game against the rules and show it turn by turn",
    "puzzle": "a puzzle found by lot and proven: today's, another day's, or that of a number",
    "print": "print pieces of rail, vehicles and cards to be cut out and folded, as a PDF",
    "network": "draw a network: one that ships, one of a file, or one found by lot",
}
_MODULES: Final = "companion.commands.locomotion."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  companion locomotion play\n  companion locomotion puzzle\n  companion locomotion network --list"
    )
    add_subcommands(parser, SUBCOMMANDS, _MODULES)


def run(options: argparse.Namespace) -> int:
    return run_subcommand(options, _MODULES)
