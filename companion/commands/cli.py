"""The ``companion`` command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Final, NoReturn

from companion.commands.shared.errors import CommandError
from companion.commands.shared.plain_output import show_what_can_be_shown

COMMANDS: Final = {
    "run": "be the companion at a real table: camera, five buttons and the small screen",
    "doctor": "look at every part of the companion: what is right, and how to mend what is not",
    "wiring": "draw how buttons, screen and camera are wired and mounted, from the same settings that run reads",
    "play": "watch a game; by default the automaton against a player that chooses at random",
    "web": "play at a virtual table in the browser: drag cards, and see how the companion answers",
    "table": "play at a virtual table in the terminal: real pictures, the small screen, buttons on keys",
    "replay": "check a recorded game against the rules and show it turn by turn",
    "simulate": "play many games and show how their scores spread",
    "odds": "show what the dice hold before a roll",
    "dice": "roll dice for any game, or check how fair they fall",
    "see": "read pictures of a table: which cards lie there, and where Emma stands",
    "teach": "teach the program a deck from photographs of its cards",
    "gallery": "draw every screen as a picture, in every language",
    "deck": "print our own deck, write its faces as images, or render pictures of tables",
}

_OF_A_GAME: Final = {"play", "simulate", "odds", "deck"}
"""The commands of LOK'n'ROLL alone."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line, with what to write instead."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with status 2."""
        example = next((line.strip() for line in (self.epilog or "").splitlines() if "companion " in line), None)
        hint = f"for example: {example}" if example else f"see {self.prog} --help"
        self.exit(2, f"{self.prog}: {message.removesuffix('.')}; {hint}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit status: 0 well, 1 not well, 2 bad arguments, 130 stopped with Ctrl-C."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    show_what_can_be_shown(sys.stdout, sys.stderr)
    options = _parser(words).parse_args(words)
    try:
        status: int = _module(options.command).run(options)
        sys.stdout.flush()
    except CommandError as error:
        print(f"companion {options.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # who reads us has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _parser(words: Sequence[str]) -> Parser:
    parser = Parser(
        prog="companion",
        description="The companion beside the table for LOK'n'ROLL.",
        epilog="example:\n  companion play --mode betsy",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, what in COMMANDS.items():
        chosen = commands.add_parser(
            name, help=what, description=f"{what[0].upper()}{what[1:]}.", formatter_class=parser.formatter_class
        )
        # Only the command that is asked for is imported: help must not wait for the rules.
        if words[:1] == [name]:
            _module(name).add_arguments(chosen)
    return parser


def _module(command: str) -> ModuleType:
    room = "companion.commands.loknroll" if command in _OF_A_GAME else "companion.commands"
    return import_module(f"{room}.{command}")
