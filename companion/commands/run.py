"""``companion run``: the companion on its own devices, from the list of games to the last score and back."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli import CommandError

if TYPE_CHECKING:
    from companion.appliance import RecordedController, TableEye
    from companion.control.settings import Settings
    from companion.control.settings_file import SettingsFile
    from companion.loknroll import Mode
    from hardware.devices import Devices


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = "example:\n  companion run --devices /etc/companion.toml --deck my-deck"
    parser.add_argument(
        "--devices", metavar="FILE", type=Path, help="pins, screen and camera (default: the usual ones)"
    )
    parser.add_argument("--deck", metavar="DIR", type=Path, help="a taught deck (default: the one that can be printed)")


def run(options: argparse.Namespace) -> int:
    """Runs until it is switched off."""
    from companion.control.settings_file import SettingsFile
    from hardware.devices import open_devices
    from hardware.settings import SettingsError, load_settings
    from vision.cards import DeckError

    try:
        wired = load_settings(options.devices)
        stand = Stand(options.deck)
    except (SettingsError, DeckError) as error:
        raise CommandError(str(error)) from error
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stand.stop())
    kept = SettingsFile(stand.folder / "settings.json")
    devices = open_devices(wired)
    for fault in devices.faults:
        print(fault, file=sys.stderr, flush=True)
    try:
        return stand.run(devices, kept)
    finally:
        devices.close()


class Stand:
    """What stays from game to game: the deck, the folder of games, and whether somebody wants to stop."""

    def __init__(self, deck: Path | None) -> None:
        from companion.commands.taught_deck import taught_deck
        from companion.solo_scores import default_path

        self.folder = default_path().parent
        self._taught = taught_deck(deck)
        self._stops = threading.Event()

    def stop(self) -> None:
        """Ends what runs, soon: the game stands in its record."""
        self._stops.set()

    @property
    def _game(self) -> Path:
        return self.folder / "game.jsonl"

    def run(self, devices: Devices, kept: SettingsFile) -> int:
        """The list of games, then a game or the dice, and again."""
        from companion.appliance import Appliance
        from companion.control.dice_table import DiceTable
        from companion.control.lobby import Lobby
        from companion.loknroll import load_edition

        while True:
            lobby = Lobby(kept.settings, load_edition().modes, can_resume=self.can_resume())
            leave = Appliance(lobby, devices, None, keep=kept.keep).run(self._stops.is_set)
            if leave is None or leave.to == "off":
                return 0
            if leave.to == "dice":
                Appliance(DiceTable(kept.settings), devices, None).run(self._stops.is_set)
                continue
            recorded = self._recorded(lobby.mode, kept.settings)
            try:
                eye = self._eye() if devices.camera is not None else None
                Appliance(recorded.controller, devices, eye, keep=kept.keep).run(self._stops.is_set)
            finally:
                recorded.journal.close()

    def can_resume(self) -> bool:
        """Whether a game was left before its end."""
        from companion.loknroll import Phase
        from companion.record import RecordError
        from companion.recorded_game import resume_recorded

        try:
            game, journal, _ = resume_recorded(self._game)
        except (RecordError, OSError):
            return False
        journal.close()
        return game.state.phase is not Phase.OVER

    def _recorded(self, mode: Mode | None, settings: Settings) -> RecordedController:
        """A new game of this mode, or the one that was left; the record of the game before is kept beside it."""
        from companion.appliance import begun, resumed
        from companion.language import Texts
        from companion.loknroll import load_edition, set_up
        from companion.record import RecordError

        try:
            if mode is None:
                return resumed(self._game, settings)
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._game.exists():
                self._game.replace(self._game.with_suffix(".before.jsonl"))
            self._game.with_suffix(".notes").unlink(missing_ok=True)
            say = Texts(settings.language, "companion")
            names = [say("run.player", number=number + 1) for number in range(mode.persons)]
            return begun(self._game, set_up(load_edition(), self._taught.deck, mode, names), settings)
        except (RecordError, OSError) as error:
            raise CommandError(str(error)) from error

    def _eye(self) -> TableEye:
        from companion.appliance import TableEye
        from vision.emma import EmmaFinder
        from vision.reading import Reader
        from vision.steady_view import SteadyView

        deck, faces, back = self._taught
        view = SteadyView(Reader(deck, faces, back), EmmaFinder(faces, deck.card_mm), pictures_to_be_still=2)
        return TableEye(deck, view)
