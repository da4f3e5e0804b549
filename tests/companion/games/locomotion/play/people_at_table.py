"""People who play at a table that an eye reads without a mistake, in axes of its own."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.games.events import Effect, Event, Pressed, Seen, Show, Tick
from companion.games.locomotion.game import GAME
from companion.games.locomotion.play.recorded_play import RecordedPlay
from companion.games.locomotion.rules import Dot, Side, State
from companion.games.locomotion.rules.sides import turned_cell
from companion.games.locomotion.settings import with_own
from companion.games.recorded_game import Keep
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.network_reading import NetworkReading, SeenPiece, SeenVehicle
from vision.watching.table_reading import TableReading


def settings_of(camera: bool = True, **own: object) -> Settings:
    """Settings of two people who play on the network that is suggested."""
    return with_own(Settings(has_camera=camera), **{"network": "pinwheel-with-tail", "colours": 2, **own})


DRAWING_SECONDS = 60.0
"""So long a network by lot is waited for."""


class People:
    """Whoever sits at the table: they move things, look at the screen, and press buttons."""

    def __init__(self, folder: Path, kind: str, settings: Settings, seed: int = 1) -> None:
        self.random = Random(seed)
        self.keep = Keep(folder / "game.jsonl", folder)
        self.settings = settings
        self.now = 0.0
        self.screen = Screen()
        self.heard: list[Effect] = []
        self.turned, self.shift = Side(self.random.randrange(4)), (self.random.randrange(9), self.random.randrange(9))
        self.play = self.recorded(GAME.begin(kind, self.keep, settings, None, self.random))
        self.state: State | None = None
        """What lies and stands there, as a state: only that of it counts."""
        self.unseen: set[int] = set()
        """The vehicles that the eye takes for nothing."""

    @staticmethod
    def recorded(play: object, seconds: float = DRAWING_SECONDS) -> RecordedPlay:
        assert isinstance(play, RecordedPlay)
        preparation = play.controller.desk.preparation
        if preparation is not None:
            preparation.wait(seconds)
        return play

    @property
    def game_state(self) -> State:
        return self.play.controller.game.state

    def restart(self) -> None:
        """A power cut; all stays on the table."""
        self.comes_back()
        self.waits()

    def comes_back(self) -> None:
        """The game is taken up from its record, before the camera has looked."""
        self.play.close()
        self.play = self.recorded(GAME.resume(self.keep, self.settings, self.random))

    def happens(self, event: Event) -> None:
        for effect in self.play.handle(event):
            self.heard.append(effect)
            if isinstance(effect, Show):
                self.screen = effect.screen

    def waits(self, seconds: float = 0.5) -> None:
        """Time passes, and the camera looks."""
        self.now += seconds
        self.happens(Tick(self.now))
        self.happens(Seen(self.reading()))
        self.now += 0.3
        self.happens(Tick(self.now))
        self.happens(Seen(self.reading()))

    def press(self, button: Button, *, held: bool = False) -> None:
        self.now += 1.0
        self.happens(Tick(self.now))
        self.happens(Pressed(button, held))
        self.waits()

    def puts(self, state: State | None) -> None:
        """All is put as it stands in a state."""
        self.state = state
        self.waits()

    def set_up(self) -> None:
        """All is put as it is suggested, and it begins."""
        preparation = self.play.controller.desk.preparation
        assert preparation is not None
        self.puts(preparation.suggestion)
        self.press(Button.ROLL)

    def reading(self) -> TableReading:
        if self.state is None:
            return TableReading(network=None)
        setup, stock = self.state.setup, self.state.stock
        pieces = tuple(
            SeenPiece(self._seen(placed.cell), Side[placed.heading].turned(self.turned).name)
            for placed in setup.network.pieces
        )
        vehicles = tuple(
            SeenVehicle(self._seen(setup.network.dots[dot]), setup.colours[vehicle], setup.is_locomotive(vehicle))
            for vehicle, dot in enumerate(stock.dots)
            if vehicle not in self.unseen
        )
        return TableReading(network=NetworkReading(pieces, vehicles))

    def _seen(self, dot: Dot) -> Dot:
        x, y = turned_cell(dot, self.turned)
        return x + self.shift[0], y + self.shift[1]
