"""Games one after the other on virtual devices, in one thread: the program of the device, with a world before it."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from companion.device.appliance import Appliance, begun
from companion.device.dice_table import DiceTable
from companion.device.lobby import Lobby
from companion.device.virtual_game import HUMAN_PAUSE_SECONDS, WATCHING_SECONDS
from companion.dice.box import SYSTEM, Source
from companion.games.events import Effect, Leave, Show
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.robot.pictures import drawn_deck
from companion.games.loknroll.robot.robot import Robot, RobotError
from companion.games.loknroll.rules import Edition, Mode, Phase, load_edition, set_up
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.virtual.camera import PICTURE_PX, WorldCamera
from companion.virtual.clock import TableClock
from companion.virtual.robot_hands import RobotHands
from companion.virtual.world import World
from hardware.buttons import Button, VirtualButtons
from hardware.camera import VirtualCamera
from hardware.devices import open_devices
from hardware.display.oled_memory import OledMemory
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader
from vision.rendering import Tabletop
from vision.watching.steady_view import Sight, SteadyView
from vision.watching.table_eye import TableEye

if TYPE_CHECKING:
    from hardware.camera import Picture
    from hardware.settings import Settings as DeviceSettings

PERSONS: Final = ("Ann", "Ben", "Cleo", "Dan")
FACE_PX_PER_MM: Final = 4.0
_ENDING_SECONDS: Final = 15.0
"""So long the robot leaves a result to be read before it begins the next game."""
_STOPPING_SECONDS: Final = 15.0
_MALLOPT_ARENA_MAX: Final = -8
"""M_ARENA_MAX of the C library's malloc.h."""

_TABLETOP: Final = Tabletop("felt", (52, 92, 84), (60, 60, 70), gloss=0.05, seed=5)
"""The same colour as the table on the page."""

Speed = Literal["off", "natural", "fast", "until-dealt"]


class Order(NamedTuple):
    """A game that is wanted."""

    mode: Mode
    language: str
    seed: int
    source: Source = SYSTEM
    edition: Edition | None = None


class WatchedView(SteadyView):
    """A view that keeps the last picture, and what was seen in it, for people to look at."""

    last: tuple[Picture, Sight] | None = None

    def look(self, picture: Picture, expected: Collection[str] = ()) -> Sight:
        """What lies there after the next picture."""
        sight = super().look(picture, expected)
        self.last = (picture, sight)
        return sight


class Host(threading.Thread):
    """Runs games until it is stopped. What others may use of it may be used from any thread."""

    def __init__(
        self, devices: DeviceSettings, folder: Path, order: Order, picture_px: tuple[int, int] = PICTURE_PX
    ) -> None:
        """``devices`` have buttons without pins; records are kept in ``folder``; ``order`` is the first game.

        ``picture_px`` is the size of the camera's pictures, width and height.
        """
        super().__init__(name="game", daemon=True)
        self.clock = TableClock()
        self.world = World(self.clock)
        self.memory = OledMemory()
        self.screen = Screen()
        self.is_laid = threading.Event()
        """Set once the cards are drawn and a game has begun."""
        self.robot_speed: Speed = "off"
        self.robot_trouble = ""
        self.games_over = 0
        self.controller: Controller | None = None
        self.pictures: DeckPictures | None = None
        self.order = order
        self.failure: Exception | None = None
        self._settings = devices
        self._folder = folder
        self._picture_px = picture_px
        self._next: Order | None = order
        self._stops = threading.Event()
        self.robot: Robot | None = None
        self._robot_is: Speed = "off"
        self._over_at: float | None = None
        self._listeners: list[Callable[[], None]] = []
        self._buttons = VirtualButtons(self.clock)
        self._view: WatchedView | None = None
        self._camera: WorldCamera | None = None
        self._people = Settings(language=order.language)

    # For other threads

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls this whenever there is something new to be seen, from any thread."""
        self._listeners.append(listener)
        self.world.listen(listener)

    def press(self, button: Button, *, held: bool = False) -> None:
        """Presses a button of the device."""
        self._buttons.press(button, held=held)

    def play(self, speed: Speed) -> None:
        """Lets the robot play, or stops it."""
        self.robot_trouble = ""
        self.robot_speed = speed
        self._tell()

    def begin(self, order: Order) -> None:
        """Ends what is played and begins this game, soon."""
        self._next = order

    def plug(self, *, display: bool) -> None:
        """Pulls the screen's cable out, or plugs it in."""
        if display:
            self.memory.plug_in()
        else:
            self.memory.unplug()
        self._tell()

    def seen(self) -> tuple[Picture, Sight] | None:
        """The last picture of the camera, and what was read; None before the first one."""
        return None if self._view is None else self._view.last

    @property
    def pictures_taken(self) -> int:
        """How many pictures the camera has taken."""
        return 0 if self._camera is None else self._camera.pictures

    def stop(self) -> None:
        """Ends the thread, and waits for that."""
        self._stops.set()
        if self.is_alive():
            self.join(_STOPPING_SECONDS)

    # The thread

    def run(self) -> None:
        """The thread: games, and between them what is chosen on the device."""
        try:
            self._run()
        except Exception as error:  # noqa: BLE001 - told to whoever started the thread
            self.failure = error
            self._tell()

    def _run(self) -> None:
        _share_memory()
        edition = (self.order.edition or load_edition()).deck
        self.pictures = drawn_deck(edition, FACE_PX_PER_MM)
        random = Random(self.order.seed)
        self._camera = WorldCamera(
            self.world, self.pictures, self.clock, random, size=self._picture_px, tabletop=_TABLETOP
        )
        self._bus_devices = open_devices(self._settings, bus=self.memory, clock=self.clock)._replace(
            buttons=self._buttons, camera=VirtualCamera(self._camera.photograph)
        )
        try:
            while not self._stops.is_set():
                order, self._next = self._next, None
                order = order or self._chosen()
                if order is not None:
                    self._game(order)
        finally:
            self._bus_devices.close()

    def _chosen(self) -> Order | None:
        """What people choose on the device: a game; the dice are played at once."""
        lobby = Lobby(self._people, load_edition().modes, can_resume=False)
        leave = self._on_devices(lobby, None)
        if leave is not None and leave.to == "dice":
            self._on_devices(DiceTable(self._people), None)
        elif leave is not None and lobby.mode is not None:
            return Order(lobby.mode, self._people.language, Random().randrange(10**9))
        return None

    def _game(self, order: Order) -> None:
        assert self.pictures is not None  # noqa: S101 - drawn before the first game
        self.order = order
        self._people = Settings(language=order.language, sounds=self._people.sounds, large=self._people.large)
        edition = order.edition or load_edition()
        start = set_up(edition, self.pictures.deck, order.mode, PERSONS[: order.mode.persons])
        path = self._folder / "game.jsonl"
        for suffix in (".jsonl", ".notes"):
            path.with_suffix(suffix).unlink(missing_ok=True)
        recorded = begun(path, start, self._people, order.source)
        self.world.begin(self.pictures.deck, start.setup.names, order.mode.persons, order.seed)
        self.controller, self.robot, self._over_at = recorded.controller, None, None
        self.is_laid.set()
        try:
            self._on_devices(recorded.controller, self._eye())
        finally:
            recorded.journal.close()
            self.controller = self.robot = None

    def _eye(self) -> TableEye:
        assert self.pictures is not None  # noqa: S101 - drawn before the first game
        deck, faces, back = self.pictures
        if self._view is None:
            finder = EmmaFinder(faces, deck.card_mm)
            self._view = WatchedView(Reader(deck, faces, back), finder, pictures_to_be_still=2)
        self._view.forget()
        return TableEye(deck, self._view)

    def _on_devices(self, controller: Controller | Lobby | DiceTable, eye: TableEye | None) -> Leave | None:
        appliance = Appliance(
            controller, self._bus_devices, eye, keep=self._keep, mirrors=(self._note,), clock=self.clock
        )
        return appliance.run(self._is_over)

    def _is_over(self) -> bool:
        """Asked many times a second, in the game's own thread: the robot's turn."""
        if self.controller is not None:
            self._robot_acts(self.controller)
        return self._stops.is_set() or self._next is not None

    def _robot_acts(self, controller: Controller) -> None:
        if self.robot_speed != self._robot_is or (self.robot is None and self.robot_speed != "off"):
            self._robot_is = self.robot_speed
            self.clock.hurry(self.robot_speed == "fast")
            self.robot = self._new_robot(controller, self.robot_speed)
        phase = controller.game.state.phase
        if phase is Phase.OVER:
            self._is_at_its_end()
        elif self.robot is not None:
            try:
                self.robot.act(self.clock())
            except RobotError as error:
                self.play("off")
                self.robot_trouble = str(error)
            if self.robot_speed == "until-dealt" and phase is not Phase.SETTING_UP and self.world.is_dealt:
                self.play("off")

    def _new_robot(self, controller: Controller, speed: Speed) -> Robot | None:
        if speed == "off":
            return None
        pause, watching = (0.0, 0.0) if speed == "fast" else (HUMAN_PAUSE_SECONDS, WATCHING_SECONDS)
        seed = self.order.seed + len(controller.game.steps)
        hands = RobotHands(self.world, seed)
        return Robot(controller, hands, seed, self.press, pause_seconds=pause, watching_seconds=watching)

    def _is_at_its_end(self) -> None:
        """After a while the robot begins the next game."""
        now = self.clock()
        if self._over_at is None:
            self._over_at = now
            self.games_over += 1
        if self.robot_speed in {"natural", "fast"} and now - self._over_at > _ENDING_SECONDS:
            self._next = self.order._replace(seed=self.order.seed + 1)

    def _keep(self, settings: Settings) -> None:
        self._people = settings

    def _note(self, effect: Effect) -> None:
        if isinstance(effect, Show):
            self.screen = effect.screen
            self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


def _share_memory() -> None:
    """Lets all threads take memory from two pools: with one for each, what each once needed is kept for ever."""
    with contextlib.suppress(AttributeError, OSError):  # only the GNU C library has pools
        ctypes.CDLL(None).mallopt(_MALLOPT_ARENA_MAX, 2)
