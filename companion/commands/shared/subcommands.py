"""Commands of several subcommands, each a module beside the others."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import import_module


def add_subcommands(parser: argparse.ArgumentParser, subcommands: Mapping[str, str], modules: str) -> None:
    """A parser for each, with what it does; their modules are called as ``modules`` and their name after it."""
    subparsers = parser.add_subparsers(dest="subcommand", metavar="SUBCOMMAND", required=True)
    for name, what in subcommands.items():
        chosen = subparsers.add_parser(
            name, help=what, description=f"{what[0].upper()}{what[1:]}.", formatter_class=parser.formatter_class
        )
        import_module(f"{modules}{name}").add_arguments(chosen)


def run_subcommand(options: argparse.Namespace, modules: str) -> int:
    """Runs the one that was asked for; returns its exit status."""
    status: int = import_module(f"{modules}{options.subcommand}").run(options)
    return status
