"""``companion backup``: all that a companion has become, as one file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.commands.keeping import kept_state
from companion.commands.shared.errors import CommandError
from companion.commands.shared.whole import appearing, check_is_free
from companion.device.between_games.keeping.parts import KeepingError, devices_file
from companion.device.between_games.keeping.saving import left_out, saved
from companion.texts.harmless import harmless


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A game that is being played is saved as it stands. A file named companion-backup.zip on the boot partition\n"
        "of a fresh memory card is what the companion asks for first.\n\n"
        "examples:\n  companion backup companion-backup.zip\n"
        "  sudo companion backup companion-backup.zip --state /var/lib/companion --devices /etc/companion/devices.toml"
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to write, a ZIP")
    parser.add_argument("--devices", metavar="FILE", type=Path, help="pins, screen and camera, to be saved too")
    kept_state.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Writes the file, whole or not at all."""
    file: Path = options.file
    check_is_free(file)
    if options.devices is not None and not options.devices.is_file():
        raise CommandError(f"{options.devices}: there is no such file.")
    devices = devices_file(options.devices, options.state)
    damaged = left_out(options.state, devices)
    try:
        with appearing(file) as unfinished, unfinished.open("wb") as out:
            for piece in saved(options.state, devices):
                out.write(piece)
    except KeepingError as error:
        raise kept_state.refused(error, options.state) from error
    print(f"Saved as {harmless(file)}.")
    for name in damaged:
        print(f"Not in it, as it is damaged: {harmless(options.state / name)}", file=sys.stderr)
    return 0
