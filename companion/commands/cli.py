"""The ``companion`` command."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType
from typing import Final, NoReturn, Self

from companion.commands.shared.errors import ArgumentsError, CommandError
from companion.commands.shared.plain_output import show_what_can_be_shown
from companion.texts.harmless import shortened

COMMANDS: Final = {
    "run": "be the companion at a real table: camera, five buttons and the small screen",
    "doctor": "look at every part of the companion: what is right, and how to mend what is not",
    "wiring": "draw how buttons, screen and camera are wired and mounted, from the same settings that run reads",
    "backup": "save a companion as one file: games, results, decks, settings",
    "restore": "load a companion that was saved, or take that back",
    "newer": "look whether there is a newer version where its owner has said that versions lie",
    "play": "watch a game; by default the automaton against a player that chooses at random",
    "web": "play at a virtual table in the browser: drag cards, and see how the companion answers",
    "table": "play at a virtual table in the terminal: real pictures, the small screen, buttons on keys",
    "replay": "check a recorded game against the rules and show it turn by turn",
    "simulate": "play many games and show how their scores spread",
    "odds": "show what the dice hold before a roll",
    "locomotion": "the second game: play it in the terminal, puzzles with proven solutions, networks",
    "dice": "roll dice for any game, or check how fair they fall",
    "see": "read pictures of a table: which cards lie there, and where Emma stands",
    "teach": "teach the program a deck from photographs of its cards",
    "gallery": "draw every screen as a picture, in every language",
    "deck": "print our own deck, write its faces as images, pack a deck, or render pictures of tables",
}

_ROOMS: Final = {
    **dict.fromkeys(("play", "simulate", "odds", "deck"), "loknroll"),
    **dict.fromkeys(("backup", "restore", "newer"), "keeping"),
    "dice": "dice_box",
    "teach": "teaching",
    "locomotion": "locomotion",
}
"""The rooms of commands that have one: of LOK'n'ROLL alone, and of some modules each."""
_WAIT_FOR_IMPORT_SECONDS: Final = 0.02


class Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line, with what to write instead."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with status 2."""
        example = next((line.strip() for line in (self.epilog or "").splitlines() if "companion " in line), None)
        hint = f"for example: {example}" if example else f"see {self.prog} --help"
        message = shortened(message)
        self.exit(2, f"{self.prog}: {message.removesuffix('.')}; {hint}\n")


class _CtrlC:
    """While a command runs Ctrl-C raises KeyboardInterrupt, so that the command can clean up; else it ends us at once.

    It waits for imports to end: compiled modules have crashed, or have gone on half made, where one was cut short.
    """

    def __init__(self) -> None:
        self.is_pressed = False
        self._outside = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGALRM)]

    def __enter__(self) -> Self:
        if callable(self._outside[0][1]):  # else whoever started us wants it ignored
            signal.signal(signal.SIGINT, self._press)
            signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._outside:
            signal.signal(number, handler)

    def _press(self, _number: int, frame: FrameType | None) -> None:
        self.is_pressed = True
        if not _is_importing(frame):
            raise KeyboardInterrupt
        signal.setitimer(signal.ITIMER_REAL, _WAIT_FOR_IMPORT_SECONDS)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit status: 0 well, 1 not well, 2 bad arguments, 130 stopped with Ctrl-C."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_closed_streams()
    show_what_can_be_shown(sys.stdout, sys.stderr)
    options = _parser(words).parse_args(words)
    command = _module(options.command)
    ctrl_c = _CtrlC()
    try:
        with ctrl_c:
            status: int = command.run(options)
            sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001  # what is none of ours is raised again
        # Libraries that are interrupted at a wrong moment make other exceptions of it.
        if not ctrl_c.is_pressed and not isinstance(error, KeyboardInterrupt):
            return _failed(options.command, error)
        print("Stopped.", file=sys.stderr)
        return 130
    return status


def _open_closed_streams() -> None:
    """One that whoever started us has closed reads nothing, or tells nobody; Python would have None for it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # as long as we run


def _failed(command: str, error: BaseException) -> int:
    """The exit status for what people can mend, with a line that says what it is; raises everything else."""
    if isinstance(error, CommandError):
        print(f"companion {command}: {shortened(error)}", file=sys.stderr)
        return 2 if isinstance(error, ArgumentsError) else 1
    is_full = isinstance(error, OSError) and error.errno == errno.ENOSPC
    if is_full:  # what writes files says so itself, and names the file
        print(f"companion {command}: no room is left where the output goes; nothing more is told.", file=sys.stderr)
    if is_full or isinstance(error, BrokenPipeError):  # who reads us has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    raise error


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
    room = f".{_ROOMS[command]}" if command in _ROOMS else ""
    return import_module(f"companion.commands{room}.{command}")
