"""``companion run``: the companion on its own devices, from the list of games to the last score and back."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import Final

from companion.commands.shared.errors import CommandError
from companion.device.service import ServiceManager
from companion.device.settings_file import SettingsFile
from companion.games.registry import games
from companion.record.state_folder import state_folder
from companion.texts.harmless import harmless, shortened
from hardware.devices import open_devices
from hardware.settings import SettingsError, load_settings
from vision.cards import DeckError

SWITCHED_OFF: Final = 10
"""The exit status where people have switched the companion off: the machine may be switched off too."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "example:\n  companion run --devices /etc/companion.toml --deck my-deck\n\n"
        f"It ends with status {SWITCHED_OFF} where it is switched off with its buttons, with 0 where it is stopped "
        "(SIGTERM, Ctrl+C)."
    )
    parser.add_argument(
        "--devices", metavar="FILE", type=Path, help="pins, screen and camera (default: the usual ones)"
    )
    parser.add_argument(
        "--deck",
        metavar="DECK",
        type=Path,
        help="a taught deck: folder, deck.json or ZIP (default: the one that can be printed)",
    )


def run(options: argparse.Namespace) -> int:
    """Runs until it is stopped or switched off."""
    from companion.device.session import Session
    from vision.deck_pictures import read_deck_pictures

    service, news = ServiceManager(), []
    try:
        wired = load_settings(options.devices)
    except SettingsError as error:
        # A service has nobody who reads its errors: they stand on the screen, which the usual settings may well light.
        if not service.is_there:
            raise CommandError(str(error)) from error
        print(shortened(error), file=sys.stderr, flush=True)
        wired, news = load_settings(), ["devices"]
    try:
        taught = None if options.deck is None else read_deck_pictures(options.deck)
    except DeckError as error:
        if not service.is_there:
            raise CommandError(str(error)) from error
        print(shortened(error), file=sys.stderr, flush=True)
        taught, news = None, [*news, "deck"]
    folder = state_folder()
    devices = open_devices(wired)
    for fault in devices.faults:
        print(harmless(fault), file=sys.stderr, flush=True)
    kept = SettingsFile(folder / "settings.json")
    session = Session(devices, kept, folder, games(), taught, on_turn=service.turned, news=news)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: session.stop())
    try:
        return SWITCHED_OFF if session.run() else 0
    finally:
        service.ends()
        devices.close(leave_display=True)
