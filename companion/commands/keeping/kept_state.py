"""Which companion is saved or loaded: the folder in which it keeps all that it has become."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from companion.commands.shared.errors import CommandError
from companion.device.between_games.keeping.parts import KeepingError
from companion.record.state_folder import state_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder."""
    parser.add_argument(
        "--state",
        metavar="FOLDER",
        type=Path,
        default=state_folder(),
        help="where the companion keeps its games (default: %(default)s; that of the service: /var/lib/companion)",
    )


def check_is_ours(folder: Path) -> None:
    """Raises CommandError where what we write could not be read by the companion that it is for."""
    try:
        found = folder.stat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise CommandError(f"{folder}: cannot be looked at ({error.strerror}).") from error
    if found.st_uid != os.geteuid():
        raise CommandError(f"{folder} belongs to another user; call this as that one: sudo -u companion companion ...")


def refused(error: KeepingError, file: Path) -> CommandError:
    """What to tell of a file."""
    about = f" ({error.part})" if error.part else ""
    return CommandError(f"{file}: {error.told('en')}{about}")
