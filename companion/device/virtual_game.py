"""A whole game at the virtual table: the real controller, eye and drivers, with the robot beside them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, Final

from companion.device.appliance import Appliance, RecordedController
from companion.games.events import Effect, Show
from companion.games.loknroll.robot.laid_out import lay_out
from companion.games.loknroll.robot.robot import Robot
from companion.games.loknroll.rules import Phase
from companion.screen.screen import Screen
from companion.virtual.camera import WorldCamera
from companion.virtual.clock import TableClock
from companion.virtual.robot_hands import RobotHands
from companion.virtual.world import World
from hardware.buttons import Button, VirtualButtons
from hardware.camera import Picture, VirtualCamera
from hardware.devices import Devices, open_devices
from hardware.display.oled_memory import OledMemory
from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader
from vision.watching.steady_view import SteadyView
from vision.watching.table_eye import TableEye

if TYPE_CHECKING:
    from companion.virtual.snapshot import Snapshot
    from hardware.settings import Settings
    from vision.deck_pictures import DeckPictures

HUMAN_PAUSE_SECONDS: Final = 1.0
WATCHING_SECONDS: Final = 2.5
"""So long people look at the dice before they move Emma."""
_PICTURES_AT_THE_END: Final = 3
_TURN_SECONDS: Final = 5.0
"""So long a picture waits for the loop, in which the robot plans: that takes long on a busy machine."""


class VirtualGame:
    """One game, to be played once. ``memory`` holds what the screen's driver has sent, ``screen`` what it means.

    ``is_quick``: time is counted in pictures, and the robot presses the buttons. Otherwise time passes as on the wall.
    """

    def __init__(
        self,
        recorded: RecordedController,
        pictures: DeckPictures,
        settings: Settings,
        seed: int,
        *,
        is_quick: bool = True,
        robot_presses: bool = True,
        pins: Any = None,
        press: Callable[[Button], None] | None = None,
        camera: WorldCamera | None = None,
        snapshot: Snapshot | None = None,
        pictures_to_be_still: int | None = None,
    ) -> None:
        """``settings`` are the devices'; ``pins`` is gpiozero's factory where they name pins, and then ``press``.

        ``camera`` is above an empty world, by default in easy conditions; its clock is hurried if the game is quick.
        ``snapshot`` holds the things of a game that goes on; without it the hidden cards are dealt anew.
        ``pictures_to_be_still`` is the steady view's: 2 as on the device, unless it has to be quick.
        """
        self.controller = recorded.controller
        self.camera = camera or _camera(pictures, seed, is_quick=is_quick)
        self.clock: Callable[[], float] = self.camera.clock
        self.table = self.camera.world
        self._lay(seed, snapshot)
        self.memory = OledMemory()
        self.screen = Screen()
        self.alerts: list[str] = []
        """What the screen found wrong with the table, as often as it came to say so."""
        self._is_quick = is_quick
        opened = open_devices(settings, bus=self.memory, pins=pins, clock=self.clock)
        self.devices: Devices = opened._replace(camera=VirtualCamera(self._photograph))
        pressing = press or self.press
        self.robot = Robot(
            self.controller,
            RobotHands(self.table, seed),
            seed,
            pressing if robot_presses else None,
            pause_seconds=0.0 if is_quick else HUMAN_PAUSE_SECONDS,
            watching_seconds=0.0 if is_quick else WATCHING_SECONDS,
        )
        finder = EmmaFinder(pictures.faces, pictures.deck.card_mm)
        reader = Reader(pictures.deck, pictures.faces, pictures.back)
        still = pictures_to_be_still or (1 if is_quick else 2)
        view = SteadyView(reader, finder, pictures_to_be_still=still)
        eye = TableEye(pictures.deck, view)
        self._appliance = Appliance(self.controller, self.devices, eye, mirrors=(self._note,), clock=self.clock)
        self._over_at: int | None = None
        self._has_turned = threading.Event()
        self._has_ended = False

    def press(self, button: Button, *, held: bool = False) -> None:
        """Presses a button that is no pin."""
        if isinstance(self.devices.buttons, VirtualButtons):
            self.devices.buttons.press(button, held=held)

    def run(self, is_over: Callable[[], bool] = lambda: False) -> None:
        """Plays until ``is_over``, which is asked many times a second, or a quick game has ended.

        Raises RobotError where the companion does not go on.
        """
        try:
            self._appliance.run(lambda: self._turns(is_over))
        finally:
            self._has_ended = True

    def _lay(self, seed: int, snapshot: Snapshot | None) -> None:
        game = self.controller.game
        setup = game.state.setup
        if snapshot is not None:
            self.table.restore(snapshot)
        elif game.steps:
            lay_out(self.table, game.state, Random(seed))
        else:
            self.table.begin(setup.deck, setup.names, setup.mode.persons, seed)

    def _turns(self, is_over: Callable[[], bool]) -> bool:
        """One turn of the loop, for which a picture may wait; says whether it is the last."""
        self._has_ended = is_over() or self._is_over()
        self._has_turned.set()
        return self._has_ended

    def _photograph(self) -> Picture:
        """The next picture; where time is counted in pictures, it must not run ahead of the loop."""
        if self._is_quick and not self._has_ended:
            self._has_turned.wait(_TURN_SECONDS)
            self._has_turned.clear()
        return self.camera.photograph()

    def _is_over(self) -> bool:
        self.robot.act(self.clock())
        if self.controller.game.state.phase is not Phase.OVER or not self._is_quick:
            return False
        # The last screen is still to be drawn.
        if self._over_at is None:
            self._over_at = self.camera.pictures
        return self.camera.pictures >= self._over_at + _PICTURES_AT_THE_END

    def _note(self, effect: Effect) -> None:
        if isinstance(effect, Show):
            if effect.screen.alert and effect.screen.main != self.screen.main:
                self.alerts.append(effect.screen.main)
            self.screen = effect.screen


def _camera(pictures: DeckPictures, seed: int, *, is_quick: bool) -> WorldCamera:
    clock = TableClock(is_hurried=is_quick)
    return WorldCamera(World(clock), pictures, clock, Random(seed), has_hands=not is_quick)
