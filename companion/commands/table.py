"""``companion table``: a game in the terminal, at a virtual table, with the device's screen drawn in characters."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.commands.cli import CommandError
from companion.commands.shared.arguments import add_edition, add_language, start_of, whole_number
from companion.games.loknroll.rules import Mode
from companion.texts.language import Texts

if TYPE_CHECKING:
    from companion.device.appliance import RecordedController
    from companion.device.virtual_game import VirtualGame
    from companion.games.loknroll.record.solo_scores import SoloScores
    from companion.games.loknroll.rules import State
    from companion.games.settings import Settings
    from companion.virtual.snapshot import Snapshot
    from companion.virtual.world import World
    from hardware.settings import Settings as DeviceSettings

PERSONS: Final = ("Ann", "Ben", "Cleo", "Dan")
ROBOT: Final = "Robot"


class _Files(NamedTuple):
    """Where a game is kept: its record, and what lay where on its table."""

    record: Path
    things: Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = (
        "The cards lie on a table that is rendered as pictures, and the companion reads them as it would real ones.\n"
        "A game that was left goes on where it stood.\n\n"
        "examples:\n  companion table\n  companion table --mode 2 --language de --by-itself"
    )
    modes = [mode.value for mode in Mode]
    parser.add_argument("--mode", choices=modes, default="betsy", help="who plays (default: %(default)s)")
    add_edition(parser)
    parser.add_argument("--by-itself", action="store_true", help="nobody presses a button, the robot does")
    parser.add_argument("--new", action="store_true", help="begin anew even if a game has been left")
    parser.add_argument("--large", action="store_true", help="larger letters on the screen")
    parser.add_argument("--seed", metavar="N", type=whole_number(0), help="the same number gives the same cards")
    add_language(parser)
    parser.set_defaults(deck=None, without_rails=False)


def run(options: argparse.Namespace) -> int:
    """Plays; in a pipe by itself and quickly."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal without umlauts gets "?"
    try:
        if sys.stdin.isatty() and sys.stdout.isatty():
            return _in_terminal(options)
        with TemporaryDirectory() as folder:
            return _quickly(options, Path(folder))
    except (ImportError, OSError) as error:
        raise CommandError(f"the table cannot be laid: {error}.") from error


def _quickly(options: argparse.Namespace, folder: Path) -> int:
    """The whole game without anybody, each screen as a line."""
    from companion.games.loknroll.robot.robot import RobotError

    seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    recorded = _begun(options, folder / "game.jsonl", Random(seed))
    game = _laid_out(recorded, seed, is_quick=True, robot_presses=True)
    told = ""

    def tell() -> bool:
        nonlocal told
        said = " · ".join(part for part in (game.screen.heading, game.screen.main, *game.screen.lines) if part)
        if said not in {"", told}:
            told = said
            print(said, flush=True)
        return False

    try:
        game.run(tell)
    except RobotError as error:
        raise CommandError(f"{error} Seed {seed}.") from error
    except KeyboardInterrupt:
        return 130
    finally:
        game.devices.close()
        recorded.journal.close()
    tell()
    return 0


def _in_terminal(options: argparse.Namespace) -> int:
    """A game with a person, or one to watch."""
    from companion.commands.shared.terminal import Terminal
    from companion.games.loknroll.robot.robot import RobotError
    from companion.record.file import RecordError

    say = Texts(options.language, "companion.texts")
    print(say("table.laying"), flush=True)
    files = _kept_files()
    try:
        recorded = _begun_or_resumed(options, files)
    except RecordError as error:
        raise CommandError(f"{error} --new begins another game.") from error
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    kept = _kept_things(files.things, recorded.controller.game.state)
    game = _laid_out(recorded, seed, kept, is_quick=False, robot_presses=options.by_itself)
    keeper = _ThingsKeeper(files.things, game.table)
    terminal = Terminal(game, say, Texts(options.language))

    def turn() -> bool:
        keeper.keep()
        return terminal.turn()

    try:
        with terminal:
            game.run(turn)
    except KeyboardInterrupt:
        terminal.is_stopped = True
    except RobotError as error:
        raise CommandError(str(error)) from error
    finally:
        game.devices.close()
        recorded.journal.close()
    print(*terminal.last_words(), sep="\n")
    return 130 if terminal.is_stopped else 0


class _ThingsKeeper:
    """Writes down after each change what lies where: a program that was killed goes on at the same table."""

    def __init__(self, path: Path, world: World) -> None:
        self._path = path
        self._world = world
        self._kept = -1

    def keep(self) -> None:
        """Writes if something has changed; without room on the disk the hidden cards are dealt anew next time."""
        from companion.record.whole_file import write_whole

        if self._world.revision != self._kept:
            self._kept = self._world.revision
            with contextlib.suppress(OSError):
                write_whole(self._path, self._world.snapshot().json())


def _kept_things(path: Path, state: State) -> Snapshot | None:
    """What lay where when a game was left; None if that is not known."""
    from companion.virtual.snapshot import SnapshotError, read_snapshot

    with contextlib.suppress(OSError, SnapshotError):
        return read_snapshot(path.read_bytes(), state.setup.deck)
    return None


def _begun_or_resumed(options: argparse.Namespace, files: _Files) -> RecordedController:
    """The game that was left, if it is of this mode and not over; else a new one. Raises RecordError."""
    from companion.device.appliance import resumed
    from companion.games.loknroll.record.recorded_game import read_start
    from companion.games.loknroll.record.solo_scores import curve_for, keep_score_of, solo_scores_in
    from companion.games.loknroll.rules import Phase
    from companion.record.file import RecordError
    from companion.record.state_folder import state_folder

    scores = solo_scores_in(state_folder())
    if files.record.exists():
        with contextlib.suppress(RecordError):
            keep_score_of(files.record, scores)
    if files.record.exists() and not options.new:
        recorded = resumed(files.record, _settings(options), curve=curve_for(scores, read_start(files.record)))
        state = recorded.controller.game.state
        if state.phase is not Phase.OVER and state.setup.mode == Mode(options.mode):
            return recorded
        recorded.journal.close()
    files.record.parent.mkdir(parents=True, exist_ok=True)
    if files.record.exists():
        files.record.replace(files.record.with_suffix(".before.jsonl"))
    files.record.with_suffix(".notes").unlink(missing_ok=True)
    files.things.unlink(missing_ok=True)
    return _begun(options, files.record, None, scores)


def _begun(
    options: argparse.Namespace, record: Path, dice: Random | None, scores: SoloScores | None = None
) -> RecordedController:
    from companion.device.appliance import begun
    from companion.dice.box import SYSTEM
    from companion.games.loknroll.record.solo_scores import curve_for

    mode = Mode(options.mode)
    # The robot's results are not those of the person who else plays.
    start = start_of(options, (ROBOT,) if options.by_itself and mode.is_solo else PERSONS[: mode.persons])
    curve = curve_for(scores, start) if scores is not None else ()
    return begun(record, start, _settings(options), dice or SYSTEM, curve)


def _settings(options: argparse.Namespace) -> Settings:
    from companion.games.settings import Settings

    return Settings(language=options.language, large=options.large)


def _laid_out(
    recorded: RecordedController, seed: int, kept: Snapshot | None = None, *, is_quick: bool, robot_presses: bool
) -> VirtualGame:
    from companion.device.virtual_game import VirtualGame
    from companion.games.loknroll.robot.pictures import drawn_deck

    pictures = drawn_deck(recorded.controller.game.state.setup.edition.deck, 4.0)
    settings = without_pins()
    return VirtualGame(
        recorded, pictures, settings, seed, is_quick=is_quick, robot_presses=robot_presses, snapshot=kept
    )


def without_pins() -> DeviceSettings:
    """The default devices, but the buttons are no pins, and the camera comes from elsewhere."""
    from msgspec.structs import replace

    from hardware.settings import load_settings

    settings = load_settings()
    buttons = replace(settings.buttons, roll=0, pass_=0, up=0, down=0, back=0)
    return replace(settings, buttons=buttons, camera=replace(settings.camera, kind="none"))


def _kept_files() -> _Files:
    from companion.record.state_folder import state_folder

    folder = state_folder()
    return _Files(folder / "table.jsonl", folder / "table.things.json")
