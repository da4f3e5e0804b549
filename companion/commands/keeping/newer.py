"""``companion newer``: whether there is a newer version where the owner has said that versions lie."""

from __future__ import annotations

import argparse
from importlib.metadata import version
from typing import Final

from companion.commands.keeping import kept_state
from companion.commands.shared.errors import ArgumentsError, CommandError
from companion.device.between_games.keeping.fetching import INDEX, fetch, is_address

_TROUBLE: Final = {
    "unreachable": "nobody answers there, or not in time.",
    "wrong": f"{INDEX}, or the wheel that it names, is damaged or no version of this program.",
    "room": "there is too little room on the disk.",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        f"{INDEX} lies there, and beside it the wheel that it names. A newer version is fetched and checked, and the\n"
        "page then offers it; nothing is installed.\n\n"
        "example:\n  companion newer /media/stick/versions"
    )
    parser.add_argument("address", metavar="ADDRESS", help="a folder, or an address that begins with https://")
    kept_state.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Looks once."""
    if not is_address(options.address):
        raise ArgumentsError("ADDRESS is neither a folder, from / on, nor does it begin with https://")
    try:
        found = fetch(options.address, options.state, version("table-companion"))
    except OSError as error:
        raise CommandError(f"{options.state}: cannot be written ({error.strerror}).") from error
    if found.trouble:
        raise CommandError(f"{options.address}: {_TROUBLE[found.trouble]}")
    print(f"Version {found.version} is there." if found.version else "There is no newer version.")
    return 0
