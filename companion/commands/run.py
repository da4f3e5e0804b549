"""``companion run``: the companion on its own devices, from the list of games to the last score and back."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from companion.commands.shared.errors import CommandError
from companion.commands.shared.page_beside import WHERE, end_without_waiting, page_beside, page_socket
from companion.device.between_games.keeping.changing_over import change_over
from companion.device.between_games.keeping.parts import devices_file
from companion.device.service import ServiceManager
from companion.device.settings_file import SettingsFile
from companion.device.visitors import Visitors
from companion.games.registry import games
from companion.record.state_folder import state_folder
from companion.texts.harmless import harmless, shortened
from companion.web.addresses import USUAL_PORT, addresses_at_home, is_for_this_machine_alone
from hardware.devices import open_devices
from hardware.settings import SettingsError, load_settings
from vision.cards import DeckError

if TYPE_CHECKING:
    from companion.device.session import Session

SWITCHED_OFF: Final = 10
"""The exit status where people have switched the companion off: the machine may be switched off too."""
BEGINS_ANEW: Final = 11
"""The exit status where something was loaded that counts from the next start on: systemd starts it again."""
SAVED_ON_CARD: Final = Path("/boot/firmware/companion-backup.zip")
"""Where a backup is looked for on a fresh memory card: any computer can put it there."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "example:\n  companion run --devices /etc/companion.toml --deck my-deck\n\n"
        f"It ends with status {SWITCHED_OFF} where it is switched off with its buttons, with 0 where it is stopped "
        "(SIGTERM, Ctrl+C).\n"
        f"Where something was loaded it starts again by itself; as a service it ends with status {BEGINS_ANEW} then."
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
    parser.add_argument(
        "--page",
        choices=WHERE,
        default="machine",
        help=f"who reaches the page at port {USUAL_PORT} (default: machine, this one; socket: whom systemd lets in)",
    )


def run(options: argparse.Namespace) -> int:
    """Runs until it is stopped or switched off."""
    status = _run(options)
    if status == BEGINS_ANEW and not ServiceManager().is_there:
        _start_again()
    end_without_waiting(status)
    return status


def _start_again() -> NoReturn:
    """The same program in the same process, from its first line on: what is still done for a phone ends with it."""
    print("Starting again with what was loaded.", flush=True)
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - as we were called ourselves


def _run(options: argparse.Namespace) -> int:
    from companion.device.between_games.load_question import asked_on_fresh_card
    from companion.device.session import Session
    from vision.deck_pictures import read_deck_pictures

    service, news, folder = ServiceManager(), [], state_folder()
    _put_in_place(folder)
    try:
        wired = load_settings(devices_file(options.devices, folder))
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
    devices = open_devices(wired)
    for fault in devices.faults:
        print(harmless(fault), file=sys.stderr, flush=True)
    stops = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stops.set())
    try:
        kept = SettingsFile(folder / "settings.json")
        left = asked_on_fresh_card(
            devices, kept.settings, folder, SAVED_ON_CARD, on_turn=service.turned, is_over=stops.is_set
        )
        if left is not None and left.to != "lobby":
            return BEGINS_ANEW if left.to == "loaded" else SWITCHED_OFF
        visitors, listening = Visitors(), page_socket(options.page, service)
        is_at_home = listening is not None and not is_for_this_machine_alone(listening)
        session = Session(
            devices,
            kept,
            folder,
            games(),
            taught,
            on_turn=service.turned,
            news=news,
            visitors=visitors,
            page=partial(addresses_at_home, listening) if listening is not None and is_at_home else None,
        )
        with page_beside(listening, session, visitors, folder, options.devices):
            return _played(session, stops)
    finally:
        service.ends()
        devices.close(leave_display=True)


def _put_in_place(folder: Path) -> None:
    """What was loaded; before anything in the folder is read."""
    try:
        change_over(folder)
    except OSError as error:
        print(f"what was loaded is not in place: {shortened(error)}", file=sys.stderr, flush=True)


def _played(session: Session, stopped: threading.Event) -> int:
    """The exit status of a session; it may have been stopped before it begins."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: session.stop())
    if stopped.is_set():
        session.stop()
    if session.run():
        return SWITCHED_OFF
    return BEGINS_ANEW if session.begins_anew else 0
