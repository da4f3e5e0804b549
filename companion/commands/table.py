"""``companion table``: a game in the terminal, at a virtual table, with the device's screen drawn in characters."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from companion.commands.shared import virtual_table
from companion.commands.shared.errors import CommandError
from companion.texts.harmless import harmless
from companion.texts.language import Texts

if TYPE_CHECKING:
    from companion.device.virtual_device import VirtualDevice

ROBOT: Final = "Robot"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "The cards lie on a table that is rendered as pictures, and the companion reads them as it would real ones.\n"
        "A game that was left goes on where it stood, also one of ``companion web``.\n\n"
        "examples:\n  companion table\n  companion table --mode 2 --language de --by-itself"
    )
    virtual_table.add_arguments(parser)
    parser.add_argument("--by-itself", action="store_true", help="nobody presses a button, the robot does")
    parser.add_argument("--large", action="store_true", help="larger letters on the screen")


def run(options: argparse.Namespace) -> int:
    """Plays; in a pipe by itself and quickly."""
    try:
        if sys.stdin.isatty() and sys.stdout.isatty():
            with virtual_table.kept_folder() as folder:
                return _in_terminal(options, folder)
        with TemporaryDirectory() as folder_name:
            return _quickly(options, Path(folder_name))
    except (ImportError, OSError) as error:
        raise CommandError(f"the table cannot be laid: {error}.") from error


def _quickly(options: argparse.Namespace, folder: Path) -> int:
    """The whole game without anybody, each screen as a line."""
    device = virtual_table.laid_table(options, folder, Random(options.seed))
    device.let_robot_play("fast")
    told = ""

    def tell() -> None:
        nonlocal told
        screen = device.screen
        said = " · ".join(part for part in (screen.heading, screen.main, *screen.lines) if part)
        if said not in {"", told}:
            told = said
            print(harmless(said), flush=True)
        if device.robot_trouble or (device.play is not None and device.play.is_over):
            device.stop()

    device.listen(tell)
    try:
        device.run(comes_back=False)
    except KeyboardInterrupt:
        return 130
    if device.robot_trouble:
        raise CommandError(device.robot_trouble)
    return 0


def _in_terminal(options: argparse.Namespace, folder: Path) -> int:
    """A game with a person, or one to watch."""
    from companion.commands.shared.terminal import Terminal

    device = virtual_table.laid_table(options, folder)
    _use(device, is_large=options.large, is_by_itself=options.by_itself)
    print(Texts(device.kept.settings.language)("table.laying"), flush=True)
    device.let_robot_play("natural" if options.by_itself else "hands")
    terminal = Terminal(device)
    try:
        with terminal:
            device.run(comes_back=False, on_turn=terminal.turn)
    except KeyboardInterrupt:
        terminal.is_stopped = True
    if device.robot_trouble:
        raise CommandError(device.robot_trouble)
    print(*map(harmless, terminal.last_words()), sep="\n")
    return 130 if terminal.is_stopped else 0


def _use(device: VirtualDevice, *, is_large: bool, is_by_itself: bool) -> None:
    """The robot's results are not those of the person who else plays."""
    settings = device.kept.settings
    names = (ROBOT, *settings.names[1:]) if is_by_itself else settings.names
    device.kept.settings = replace(settings, large=settings.large or is_large, names=names)
