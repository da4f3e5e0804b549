"""What ``companion web`` and ``companion table`` share: the virtual device, its folder, and which game is played."""

from __future__ import annotations

import argparse
import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.commands.shared.arguments import add_edition, add_language, edition_of, whole_number
from companion.commands.shared.errors import CommandError
from companion.device.between_games.keeping.changing_over import change_over
from companion.dice.box import SYSTEM, Source
from companion.games.loknroll.rules import Mode
from companion.games.loknroll.settings import NAME, own, with_own
from companion.games.registry import games
from companion.record.file import RecordError, read_record
from companion.record.state_folder import state_folder
from companion.record.whole_file import open_file
from hardware.settings import load_settings

if TYPE_CHECKING:
    from companion.device.last_game import Order
    from companion.device.virtual_device import VirtualDevice
    from companion.games.settings import Settings
    from hardware.settings import Settings as DeviceSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, its rules, the language and the shuffle; what is not named is as it was."""
    modes = [mode.value for mode in Mode]
    parser.add_argument("--mode", choices=modes, help="who plays (default: as in the last game, at first betsy)")
    add_edition(parser)
    parser.add_argument("--new", action="store_true", help="begin anew even if a game has been left")
    parser.add_argument(
        "--seed", metavar="N", type=whole_number(0), help="begin anew; the same number gives the same cards"
    )
    add_language(parser)
    parser.set_defaults(edition=None, language=None)


def without_pins() -> DeviceSettings:
    """The default devices, but the buttons are no pins, and the camera comes from elsewhere."""
    settings = load_settings()
    buttons = replace(settings.buttons, roll=0, pass_=0, up=0, down=0, back=0)
    return replace(settings, buttons=buttons, camera=replace(settings.camera, kind="none"))


@contextmanager
def kept_folder() -> Iterator[Path]:
    """Where virtual games are kept, apart from those of real tables; raises CommandError where others play there."""
    folder = state_folder() / "virtual"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open_file(folder / ".lock", os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise CommandError(f"{folder}: no game can be kept there ({error.strerror}).") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise CommandError("another virtual table is open already; close that one first.") from error
    try:
        change_over(folder)
        yield folder
    finally:
        os.close(lock)


def laid_table(options: argparse.Namespace, folder: Path, source: Source = SYSTEM) -> VirtualDevice:
    """The virtual device with the game that is asked for, or that was left; raises CommandError."""
    from companion.device.last_game import Order
    from companion.device.virtual_device import VirtualDevice

    seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    device = VirtualDevice(without_pins(), folder, games(), seed=seed, source=source)
    is_named = any(each is not None for each in (options.mode, options.edition, options.seed)) or bool(options.knob)
    device.kept.settings = _settings(options, device.kept.settings)
    device.is_language_given = options.language is not None
    is_new = options.new or options.seed is not None
    left = None if is_new else device.session.left()
    if left is None and not is_new:
        _check(device.session.record)
    wanted = Order(NAME, options.mode or Mode.BETSY.value) if is_named else _last(device)
    # Kinds of two games may have the same name.
    if left is None or (options.mode is not None and left != wanted):
        device.session.order(wanted)
    return device


def _last(device: VirtualDevice) -> Order:
    """What was begun last, if it can be played now, too."""
    from companion.device.last_game import Order

    offered = [Order(offer.game, offer.kind) for offer in device.session.offers("en")]
    begun = [Order(*each) for each in device.kept.settings.begun[:1]]
    return next((each for each in begun if each in offered), Order(NAME, Mode.BETSY.value))


def _settings(options: argparse.Namespace, kept: Settings) -> Settings:
    """What is asked for now, before what people have set."""
    settings = replace(kept, language=options.language or kept.language)
    if options.edition is None and not options.knob:
        return settings
    options.edition = options.edition or own(kept).edition
    edition_of(options)
    return with_own(settings, edition=options.edition, knobs=dict(options.knob))


def _check(record: Path) -> None:
    """Raises CommandError where a game was left that cannot be read."""
    if record.exists():
        try:
            read_record(record)
        except RecordError as error:
            raise CommandError(f"{error} --new begins another game.") from error
