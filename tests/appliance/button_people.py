"""People at the emulated machine who play whole games with the buttons alone: which button when, and what is seen then.

The same controller as on the machine goes on with a copy of its record here, and tells what the next presses are.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from msgspec.structs import replace

from companion.device.between_games.lobby import Lobby
from companion.games.events import Pressed
from companion.games.loknroll.play.recorded_play import begun, resumed
from companion.games.loknroll.record.recorded_game import resume_recorded
from companion.games.loknroll.rules import AnyStep, Game, Mode, Phase, Roll, set_up
from companion.games.loknroll.settings import own, with_own
from companion.games.registry import games
from companion.games.settings import Settings, player_names
from companion.record.file import RecordError
from companion.screen import FRAMES_A_PAGE, count_pages, draw
from companion.screen.screen import Screen
from hardware.buttons import Button
from tests.appliance.machine import PINS
from tests.companion.games.loknroll.play.scripted_table import Fate, Player, dealt
from tests.companion.games.loknroll.play.test_buttons_only import Hands
from vision.cards import standard_deck

SETTINGS: Final = with_own(Settings(), real_dice=True)
"""Of the machine: dice that people enter, so that it is known beforehand what each press leads to."""
_MODES: Final = (Mode.SOLO, Mode.BETSY, Mode.SOLO_HARD)
"""Played one after the other. The others draw lots."""
_SEED: Final = 1
_PAUSE_SECONDS: Final = 0.7


class Tap(msgspec.Struct):
    """A press of the button at a pin; then lines the record has, and checksums of what the display may show."""

    pin: int
    held: bool
    lines: int
    dots: tuple[int, ...]


class Plan(msgspec.Struct):
    """What the display may show at first, and what is to be pressed."""

    start: tuple[int, ...]
    taps: list[Tap]


class ButtonPeople(Hands):
    """People who write down what they press."""

    def __init__(self, record: Path, *, mode: Mode | None = None) -> None:
        """They go on with the game in ``record``, or begin one of ``mode`` there."""
        settings = replace(SETTINGS, has_camera=False)
        self.fate = Fate()
        if mode is None:
            self.recorded = resumed(record, settings, self.fate)
        else:
            edition = own(settings).rules()
            start = set_up(edition, standard_deck(edition.deck), mode, player_names(settings, mode.persons))
            self.recorded = begun(record, start, settings, self.fate)
        self.source = source_of(self.recorded.controller.game)
        self.record = record
        self.people = Player(self.recorded.controller, self.fate, Random(0), has_camera=False)
        self.start = _dots([*self.people.screens, self.people.screen])
        self.taps: list[Tap] = []

    def press(self, button: Button, *, held: bool = False) -> None:
        """As a person does, and written down."""
        self._finish()
        self.people.screens.clear()
        super().press(button, held=held)
        self.taps.append(Tap(PINS[str(button)], held, 0, ()))

    def step(self, step: AnyStep) -> None:
        """Dice are rolled by hand, and their wheels entered."""
        if not isinstance(step, Roll):
            super().step(step)
            return
        self.press(Button.ROLL)
        for _ in range(sum(step.dice)):
            self.press(Button.UP)
        self.press(Button.ROLL)

    def steps(self, most: int) -> None:
        """Plays on for so many steps, or to the end."""
        game = self.people.game
        until = min(len(game.steps) + most, len(self.source.steps))
        idle = 0
        while (at := len(game.steps)) < until and idle < 3:
            self.step(self.source.steps[at])
            self.people.wait(_PAUSE_SECONDS)
            idle = idle + 1 if len(game.steps) == at else 0
        self._finish()
        assert len(game.steps) >= until, (at, self.source.steps[at], self.people.screen)

    def _finish(self) -> None:
        """What has followed from the last press."""
        if self.taps and not self.taps[-1].lines:
            last = self.taps[-1]
            last.lines = self.record.read_bytes().count(b"\n")
            last.dots = _dots([*self.people.screens, self.people.screen])


def source_of(game: Game) -> Game:
    """The game that is played in this one's mode, to its end."""
    return dealt(game.state.setup.mode, _SEED, imprecision=0.0)


def plan(record: bytes, most: int, games: int = 0) -> Plan:
    """What to press for the next ``most`` steps after a program's start; ``record`` is what it found, perhaps nothing.

    Where no game is to be gone on with, or one ends, another is begun; its mode follows from ``games`` begun before.
    """
    with TemporaryDirectory() as name:
        file, taps = Path(name) / "game.jsonl", list[Tap]()
        file.write_bytes(record)
        start: tuple[int, ...] = ()
        if can_go_on(file):
            people = ButtonPeople(file)
            people.steps(most)
            people.recorded.close()
            start, taps = people.start, people.taps
            if people.people.game.state.phase is not Phase.OVER:
                return Plan(start, taps)
            taps.append(Tap(PINS["roll"], held=False, lines=taps[-1].lines, dots=_dots([lobby(file).screen()])))
        last, file = file, Path(name) / "next.jsonl"
        mode = _MODES[games % len(_MODES)]
        people = ButtonPeople(file, mode=mode)
        people.steps(most)
        people.recorded.close()
        chosen = _choose(mode, lobby(last), taps[-1].lines if taps else record.count(b"\n"), people.start)
        return Plan(start or _dots([lobby(last).screen()]), [*taps, *chosen, *people.taps])


def can_go_on(record: Path) -> bool:
    """Whether there is a game that is not over."""
    try:
        game, journal, _ = resume_recorded(record)
    except (RecordError, OSError):
        return False
    journal.close()
    return game.state.phase is not Phase.OVER


def lobby(last: Path) -> Lobby:
    """The list of games that the machine shows when none is to be gone on with, after the game of this record."""
    try:
        game, journal, _ = resume_recorded(last)
    except (RecordError, OSError):
        return Lobby(SETTINGS, games())
    journal.close()
    return Lobby(SETTINGS.with_begun("loknroll", game.state.setup.mode.value), games())


def _choose(mode: Mode, shown: Lobby, lines: int, first: tuple[int, ...]) -> list[Tap]:
    """A game of this mode is begun from the list."""
    taps: list[Tap] = []
    for _ in range((shown.entries.index(mode.value) - shown.screen().chosen) % len(shown.entries)):
        shown.handle(Pressed(Button.DOWN))
        taps.append(Tap(PINS["down"], held=False, lines=lines, dots=_dots([shown.screen()])))
    return [*taps, Tap(PINS["roll"], held=False, lines=1, dots=first)]


def _dots(screens: Sequence[Screen]) -> tuple[int, ...]:
    """Checksums of the display's memory for these screens, with all that blinks or turns over on them."""
    sums = set()
    for screen in set(screens):
        pages = count_pages(screen, large=False)
        for frame in {page * FRAMES_A_PAGE + blink for page in range(max(1, pages)) for blink in (0, 1)}:
            image = draw(replace(screen, frame=frame))
            lit = image.load()
            assert lit is not None
            memory = bytes(
                sum((lit[x, 8 * row + bit] != 0) << bit for bit in range(8)) for row in range(8) for x in range(128)
            )
            sums.add(zlib.crc32(memory))
    return tuple(sorted(sums))
