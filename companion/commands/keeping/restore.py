"""``companion restore``: a companion that was saved is loaded, or what was there before is taken back."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.keeping import kept_state
from companion.commands.shared.errors import CommandError
from companion.device.between_games.keeping.changing_over import take_back
from companion.device.between_games.keeping.loading import load
from companion.device.between_games.keeping.parts import KeepingError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "All of the file is checked first. It counts from the next start of the companion on; what was there before\n"
        "is kept aside.\n\n"
        "examples:\n  companion restore companion-backup.zip\n  companion restore --back\n"
        "  sudo -u companion companion restore companion-backup.zip --state /var/lib/companion"
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", metavar="FILE", type=Path, nargs="?", help="the file that `companion backup` has written")
    what.add_argument("--back", action="store_true", help="take back what was there before the last loading")
    kept_state.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Makes it ready for the next start."""
    kept_state.check_is_ours(options.state)
    try:
        if options.back:
            take_back(options.state)
        else:
            load(options.file, options.state)
    except KeepingError as error:
        raise kept_state.refused(error, options.state if options.back else options.file) from error
    except OSError as error:
        raise CommandError(f"{options.state}: cannot be written ({error.strerror}).") from error
    print("It counts from the next start of the companion on. For the service: sudo systemctl restart companion")
    return 0
