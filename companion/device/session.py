"""The companion from being switched on to being switched off: the list of games, games, the dice, and again."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from companion.device.appliance import Appliance, EyeOnDemand, RecordedController, begun, resumed
from companion.device.dice_table import DiceTable
from companion.device.lobby import Lobby, player_names
from companion.dice.box import SYSTEM, Source
from companion.games.events import Effect, Event, Leave
from companion.games.loknroll.record.recorded_game import read_start, resume_recorded
from companion.games.loknroll.record.solo_scores import SoloScores, curve_for, keep_score_of
from companion.games.loknroll.rules import Edition, Mode, Phase, RuleError, State, edition_names, load_edition, set_up
from companion.games.settings import MOST_NAMES, Settings
from companion.record.file import RecordError
from companion.screen import draw
from companion.screen.screen import Screen
from companion.texts.language import LANGUAGES, Texts
from hardware.errors import DeviceError
from vision.cards import Deck, standard_deck
from vision.watching.table_eye import TableEye

if TYPE_CHECKING:
    from companion.device.settings_file import SettingsFile
    from companion.games.loknroll.play.controller import Controller
    from hardware.devices import Devices
    from vision.deck_pictures import DeckPictures
    from vision.reading.emma import EmmaFinder
    from vision.reading.reader import Reader

_LEFT_ON: Final = 1
"""The brightness of the last words: they stand until the plug is pulled."""


class Stand:
    """What stays from game to game: devices, settings, the deck, and the folder of games."""

    def __init__(
        self,
        devices: Devices,
        kept: SettingsFile,
        folder: Path,
        taught: DeckPictures | None = None,
        *,
        on_turn: Callable[[], None] | None = None,
        mirrors: Collection[Callable[[Effect], None]] = (),
        clock: Callable[[], float] = time.monotonic,
        source: Source = SYSTEM,
    ) -> None:
        """``taught`` is another deck than our own, ``source`` the chance of dice and lots.

        ``on_turn`` is called once a turn of the loop, many times a second, whatever is shown; ``mirrors`` are told
        every effect, as a page is. ``Loop`` says what both must not do.
        """
        self._devices, self._kept, self._folder, self._taught = devices, kept, folder, taught
        self._on_turn, self._mirrors, self._clock, self._source = on_turn, mirrors, clock, source
        self.appliance: Appliance | None = None
        """What runs now: the list of games, a game, or the dice."""
        self._scores = SoloScores(folder / "solo-scores.jsonl")
        self._stops = threading.Event()
        self._trained: tuple[Reader, EmmaFinder] | None = None
        self._is_in_trouble = False

    def post(self, event: Event) -> None:
        """Something has happened, as a press on a page; may be called from any thread."""
        if self.appliance is not None:
            self.appliance.loop.post(event)

    def stop(self) -> None:
        """Ends what runs, soon; may be called from any thread. The game stands in its record."""
        self._stops.set()

    @property
    def game_file(self) -> Path:
        """The record of the game that is played, or was last."""
        return self._folder / "game.jsonl"

    def run(self) -> bool:
        """Runs until it is stopped, or switched off by the people, which it returns. A game that was left goes on."""
        leave = self._game(None) if self.can_resume() else self._lobby()
        while leave is not None and leave.to != "off":
            leave = self._lobby()
        self._say_goodbye(is_off=leave is not None)
        return leave is not None

    def can_resume(self) -> bool:
        """Whether a game was left before its end."""
        try:
            game, journal, _ = resume_recorded(self.game_file)
        except (RecordError, OSError):
            return False
        journal.close()
        return game.state.phase is not Phase.OVER

    def _lobby(self) -> Leave | None:
        """The list of games, and what is chosen there."""
        self._keep_score()
        lobby = Lobby(
            self._kept.settings, self._editions(), can_resume=self.can_resume(), is_in_trouble=self._is_in_trouble
        )
        self._is_in_trouble = False
        leave = self._on_devices(lobby, None)
        if leave is None or leave.to == "off":
            return leave
        return self._dice() if leave.to == "dice" else self._game(lobby.mode)

    def _dice(self) -> Leave | None:
        return self._on_devices(DiceTable(self._kept.settings), None)

    def _game(self, mode: Mode | None) -> Leave | None:
        """A new game of this mode, or the one that was left; who leaves it for the dice comes back to it."""
        while True:
            try:
                recorded = self._recorded(mode)
            except (RecordError, OSError) as error:
                print(error, file=sys.stderr, flush=True)
                self._is_in_trouble = True
                return Leave("new-game")
            try:
                eye = EyeOnDemand(self._eye) if self._devices.camera is not None else None
                leave = self._on_devices(recorded.controller, eye)
            finally:
                recorded.journal.close()
            if leave is None or leave.to != "dice":
                return leave
            leave = self._dice()
            if leave is None or leave.to == "off":
                return leave
            mode = None

    def _on_devices(self, controller: Controller | Lobby | DiceTable, eye: EyeOnDemand | None) -> Leave | None:
        self.appliance = Appliance(
            controller,
            self._devices,
            eye,
            keep=self._kept.keep,
            mirrors=self._mirrors,
            clock=self._clock,
            on_turn=self._on_turn,
        )
        return self.appliance.run(self._stops.is_set)

    def _recorded(self, mode: Mode | None) -> RecordedController:
        """A game on the disk; the record of the game before is kept beside it. Raises RecordError and OSError."""
        # Without a camera every step is entered with the buttons.
        settings = replace(self._kept.settings, has_camera=self._devices.camera is not None)
        if mode is None:
            return resumed(self.game_file, settings, self._source, self._curve(read_start(self.game_file)))
        self._folder.mkdir(parents=True, exist_ok=True)
        if self.game_file.exists():
            self.game_file.replace(self.game_file.with_suffix(".before.jsonl"))
        self.game_file.with_suffix(".notes").unlink(missing_ok=True)
        edition = load_edition(settings.edition)
        start = set_up(edition, self._deck(edition), mode, player_names(settings, mode.persons))
        return begun(self.game_file, start, settings, self._source, self._curve(start))

    def _deck(self, edition: Edition) -> Deck:
        return self._taught.deck if self._taught else standard_deck(edition.deck)

    def _editions(self) -> list[str]:
        """The editions that can be played with the deck; all of our own if there is no other."""
        names = edition_names()
        return [name for name in names if can_be_played(load_edition(name), self._deck(load_edition(name)))] or names

    def _curve(self, start: State) -> tuple[int, ...]:
        return curve_for(self._scores, start, nameless())

    def _keep_score(self) -> None:
        """Keeps the score of the last game; where that cannot be done now, it is tried again before the next one."""
        with contextlib.suppress(RecordError):
            keep_score_of(self.game_file, self._scores, nameless())

    def _eye(self) -> TableEye:
        """Slow at first: called in the camera's thread, so that the first screen need not wait."""
        from companion.games.loknroll.artwork.taught_deck import taught_deck
        from vision.reading.emma import EmmaFinder
        from vision.reading.reader import Reader
        from vision.watching.steady_view import SteadyView

        self._taught = self._taught or taught_deck(None)
        deck, faces, back = self._taught
        if self._trained is None:
            self._trained = Reader(deck, faces, back), EmmaFinder(faces, deck.card_mm)
        return TableEye(deck, SteadyView(*self._trained, pictures_to_be_still=2))

    def _say_goodbye(self, *, is_off: bool) -> None:
        """The last words stay on the screen, faintly."""
        say = Texts(self._kept.settings.language, "companion.texts")
        line = say("run.unplug" if is_off else "run.stopped")
        with contextlib.suppress(DeviceError):
            self._devices.display.contrast(_LEFT_ON)
            self._devices.display.show(draw(Screen(main=say("run.goodbye"), lines=(line,))))


def nameless() -> set[str]:
    """What a player is called who has no name, in every language."""
    return {name for language in LANGUAGES for name in player_names(Settings(language), MOST_NAMES)}


def can_be_played(edition: Edition, deck: Deck) -> bool:
    """Whether an edition's game can be played with a deck."""
    try:
        set_up(edition, deck, edition.modes[0], [""] * edition.modes[0].persons)
    except RuleError:
        return False
    return True
