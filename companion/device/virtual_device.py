"""The device with virtual parts, a world before its camera, and a robot that can play.

The page, the terminal and the tests play on it. What runs on it is the ``Session`` of the real device.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec.structs import replace

from companion.device.last_game import Order
from companion.device.loop import PAUSE_SECONDS
from companion.device.session import Session
from companion.device.settings_file import SettingsFile
from companion.device.table_file import TableFile
from companion.device.visitors import Visitors
from companion.dice.box import SYSTEM, Source
from companion.games.events import Effect, Show, Spoken
from companion.games.game import Game, Pace, Play, Robot, RobotError
from companion.screen.screen import Screen
from companion.texts.language import Texts
from companion.virtual.camera import WorldCamera
from companion.virtual.clock import TableClock
from companion.virtual.robot_hands import RobotHands
from companion.virtual.things import EMMAS_LOOK, Place
from companion.virtual.world import World
from hardware.buttons import Button, Buttons, Kind, VirtualButtons
from hardware.camera import VirtualCamera
from hardware.devices import Devices, open_devices
from hardware.display.oled_memory import OledMemory
from hardware.errors import DeviceError
from vision.rendering import Tabletop

if TYPE_CHECKING:
    from hardware.camera import Picture
    from hardware.settings import Settings as DeviceSettings
    from vision.deck_pictures import DeckPictures

TABLETOP: Final = Tabletop("felt", (52, 92, 84), (60, 60, 70), gloss=0.05, seed=5)
"""The same colour as the table on the page."""
HUMAN_PACE: Final = Pace(pause_seconds=1.0, watching_seconds=2.5)
"""As people do it; so long they look at the dice before they move on."""
_KEEPING_SECONDS: Final = 0.5
"""So long a table that changes is not kept anew: who is killed meanwhile finds a card where it was before."""
_TURN_SECONDS: Final = 5.0
"""So long a picture waits for the loop, in which the robot plans: that takes long on a busy machine."""
_MALLOPT_ARENA_MAX: Final = -8
"""M_ARENA_MAX of the C library's malloc.h."""
_log = logging.getLogger(__name__)

Speed = Literal["off", "hands", "natural", "fast", "until-dealt"]
"""What the robot does: nothing; what hands do, but no button; all, at the pace of people or as quick as the machine is;
or all until the cards are dealt."""


class VirtualDevice:
    """Runs a session in the thread that calls ``run``. What else is public may be used from any thread."""

    def __init__(
        self,
        settings: DeviceSettings,
        folder: Path,
        games: Sequence[Game],
        deck: DeckPictures | None = None,
        *,
        seed: int = 0,
        source: Source = SYSTEM,
        camera: Callable[[World, DeckPictures, TableClock, Random], WorldCamera] | None = None,
        pins: Any = None,
        press: Callable[[Button], None] | None = None,
        strange: DeckPictures | None = None,
    ) -> None:
        """``settings`` are those of the devices; the people's are kept in ``folder``, with the games.

        ``seed`` shuffles cards and says where the camera hangs, ``camera`` hangs it up over another table than the
        page's. ``pins`` is gpiozero's factory where the settings name pins, and then ``press`` presses them.
        ``strange`` are cards that nobody has taught yet: they lie beside the table when a deck is taught.
        """
        self.clock = TableClock()
        self.world = World(self.clock)
        self.memory = OledMemory()
        """What the screen's driver has sent."""
        self.screen = Screen()
        """What it means."""
        self.alerts: list[str] = []
        """What the screen found wrong, as often as it came to say so."""
        self.is_laid = threading.Event()
        """Set once there is something to be seen: a game with its cards drawn, or else the list of games."""
        self.game: Game | None = None
        self.play: Play | None = None
        """What is played, or was last; None before the first game, and after one that could not be laid out."""
        self.robot: Robot | None = None
        self.robot_speed: Speed = "off"
        self.robot_trouble = ""
        self.games_over = 0
        self.is_language_given = False
        """Whether whoever started it has named the language: then a browser does not bring its own."""
        self.pictures: DeckPictures | None = None
        """The deck on the table; None before the first game."""
        self.camera: WorldCamera | None = None
        self.failure: Exception | None = None
        """What has ended ``run`` against its will."""
        self._seed, self._hang_up = seed - 1, camera or _camera_of_the_page
        self._robot_is: Speed = "off"
        self._on_turn: Callable[[], None] = lambda: None
        self._by_robot = False
        """Whether the robot has played in this game: then its result is nobody's."""
        self._laid_for = ""
        """Which game the things on the table belong to, as ``TableFile`` calls it."""
        self._kept_at = (-1, -1, 0.0)
        """The revision of the world, the length of the record and the time when the table was kept last."""
        self._is_over = False
        self._listeners: list[Callable[[], None]] = []
        self._stops = threading.Event()
        self._has_turned = threading.Event()
        opened = open_devices(settings, bus=self.memory, pins=pins, clock=self.clock)
        buttons: Buttons = opened.buttons if press is not None else VirtualButtons(self.clock)
        self.devices: Devices = opened._replace(buttons=buttons, camera=VirtualCamera(self._photograph, self._still))
        self._strange = strange
        self._press = press or self._press_virtually
        self._contrast = settings.display.contrast
        self.kept = SettingsFile(folder / "settings.json")
        self.visitors = Visitors()
        self.session = Session(
            self.devices,
            self.kept,
            folder,
            games,
            deck,
            counts=lambda: not self._table_file.by_robot,
            began=self._began,
            on_turn=self._turned,
            failed=self._failed,
            mirrors=(self._note,),
            clock=self.clock,
            source=source,
            teaches=None if strange is None else self._lay_strange,
            visitors=self.visitors,
        )
        self._table_file = TableFile(folder / "table.json", self.session.record)

    # For other threads

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls this whenever there is something new to be seen, from any thread."""
        self._listeners.append(listener)
        self.world.listen(listener)

    def press(self, button: Button, *, held: bool = False) -> None:
        """Presses a button of the device; one that is no pin can be held."""
        if held:
            self._press_virtually(button, held=True)
        else:
            self._press(button)

    def let_robot_play(self, speed: Speed) -> None:
        """Lets the robot play, or stops it."""
        self.robot_trouble = ""
        self.robot_speed = speed
        self._tell()

    def begin(self, order: Order) -> None:
        """Ends what is played and begins this game, soon."""
        self.session.order(order)

    def speak(self, language: str) -> None:
        """Tells everything in this language from now on."""
        self.kept.keep(replace(self.kept.settings, language=language))
        self.session.post(Spoken(language))
        self._tell()

    def plug(self, *, display: bool) -> None:
        """Pulls the screen's cable out, or plugs it in."""
        if display:
            self.memory.plug_in()
        else:
            self.memory.unplug()
        self._tell()

    def stop(self) -> None:
        """Ends ``run``, soon."""
        self._stops.set()
        self.session.stop()

    # The thread that runs

    def run(self, *, comes_back: bool = True, on_turn: Callable[[], None] = lambda: None) -> None:
        """Runs until it is stopped. ``comes_back``: switched off, any button switches it on again.

        ``on_turn`` is called once a turn of the session's loop.
        """
        _share_memory()
        self._on_turn = on_turn
        try:
            self.session.run()
            while comes_back and not self.session.begins_anew and self._is_woken():
                self.session.run()
        except Exception as error:  # noqa: BLE001 - told to whoever looks at the table
            _log.exception("the table cannot be laid")
            self.failure = error
            self._tell()
        finally:
            self._keep_table(at_once=True)
            self.devices.close()

    def _is_woken(self) -> bool:
        """Waits, switched off, for a button, which does nothing else, or an order; False where it is stopped."""
        while not self._stops.wait(PAUSE_SECONDS) and not self.session.is_ordered:
            if any(told.kind is Kind.PRESSED for told in self.devices.buttons.poll()):
                break
        with contextlib.suppress(DeviceError):
            self.devices.display.contrast(self._contrast)
        return not self._stops.is_set()

    def _began(self, game: Game, play: Play) -> None:
        """A play begins or goes on: its things come onto the table."""
        self.play = self.robot = None
        self._is_over = False
        pictures, camera = self.session.pictures(game), self.camera
        if camera is None or pictures is not self.pictures:
            camera = self._hang_up(self.world, pictures, self.clock, Random(self._seed + 1))
        with self.world.at_rest():  # who looks sees cards with their own deck
            self._lay(game, play, pictures)
            self.game, self.play, self.pictures, self.camera = game, play, pictures, camera
        self._tell()

    def _lay_strange(self) -> None:
        """A deck is to be taught: its cards lie beside the table, and nothing on it."""
        if self._strange is None:
            return
        self.play = self.robot = None
        self._laid_for = ""
        self._seed += 1
        camera = self._hang_up(self.world, self._strange, self.clock, Random(self._seed))
        with self.world.at_rest():  # who looks sees cards with their own deck
            self.world.begin(self._strange.deck, ("",), 1, self._seed)
            for card in self.world.cards(Place.PILE):
                self.world.put_away(card.number)
            self.pictures, self.camera = self._strange, camera

    def _lay(self, game: Game, play: Play, pictures: DeckPictures) -> None:
        """As the table was left, or else as the game stands."""
        self._seed += 1
        things = self._table_file.read(pictures.deck, {EMMAS_LOOK, *pictures.figures})
        if things is None:
            game.lay_out(play, self.world, self._seed)
        else:
            self.world.restore(things)
        self._by_robot, self._laid_for = self._table_file.by_robot, self._table_file.game

    def _turned(self) -> None:
        """Once a turn of the loop: the robot's turn, and a picture may come."""
        if self.play is not None and self.session.handler is self.play:
            self._robots_turn(self.play)
        else:
            self.clock.hurry(is_hurried=False)  # pictures, by which it is counted, are taken of games only
        self._keep_table()
        self._on_turn()
        self._has_turned.set()
        if not self.is_laid.is_set():
            self.is_laid.set()
            self._tell()

    def _failed(self, fault: str) -> None:
        """What was played had to be left: a robot that plays by itself waits until it is asked to again."""
        if self.robot_speed not in {"off", "hands"}:
            self._stop_robot(self._sentence(fault))
        self._keep_table(at_once=True)

    def _keep_table(self, *, at_once: bool = False) -> None:
        """Puts down what lies where, soon after it has changed, and at once when the game has gone on."""
        revision, length, at = self._kept_at
        now, recorded = time.monotonic(), self._table_file.record_bytes
        is_due = at_once or recorded != length or now - at > _KEEPING_SECONDS
        if not is_due or (self.world.revision, recorded) == (revision, length):
            return
        self._kept_at = (self.world.revision, recorded, now)
        if self.play is not None and self.play is self.session.handler and self.play.is_set_up:
            # What was laid before the game had a record belongs to that one as well.
            self._laid_for = self._table_file.game
        # The record may be that of a game that could not be laid out: what lies there is not of that one.
        if "" != self._laid_for == self._table_file.game:
            self._table_file.keep(self.world.snapshot(), by_robot=self._by_robot)

    def _robots_turn(self, play: Play) -> None:
        is_over = play.is_over
        try:
            self._seat_robot(play)
            if self.robot is not None and not is_over:
                self._robot_acts(self.robot, play)
        except RobotError as error:
            self._stop_robot(str(error))
        except Exception:  # noqa: BLE001 - a mistake of the robot must not end the game
            _log.exception("the robot lets go: the program has made a mistake")
            self._stop_robot(self._sentence("program"))
        if is_over:
            self._is_at_its_end()

    def _sentence(self, fault: str) -> str:
        return Texts(self.kept.settings.language)(f"device.fault-{fault}")

    def _stop_robot(self, trouble: str) -> None:
        self.let_robot_play("off")
        self.robot_trouble = trouble

    def _seat_robot(self, play: Play) -> None:
        """The robot that is wanted now."""
        if self.robot_speed != self._robot_is or (self.robot is None and self.robot_speed != "off"):
            self._robot_is = self.robot_speed
            self.clock.hurry(self.robot_speed == "fast")
            self.robot = None if self.robot_speed == "off" else self._new_robot(play, self.robot_speed)

    def _robot_acts(self, robot: Robot, play: Play) -> None:
        self._by_robot |= self.robot_speed in {"natural", "fast"}
        robot.act(self.clock())
        if self.robot_speed == "until-dealt" and play.is_set_up and self.world.is_dealt:
            self.let_robot_play("off")

    def _new_robot(self, play: Play, speed: Speed) -> Robot | None:
        if self.game is None:
            return None
        pace = Pace() if speed == "fast" else HUMAN_PACE
        hands = RobotHands(self.world, self._seed)
        return self.game.robot(play, hands, self._seed, None if speed == "hands" else self.press, pace)

    def _is_at_its_end(self) -> None:
        """The robot has played to the end: the result stands until somebody goes on."""
        if self._is_over:
            return
        self._is_over = True
        self.games_over += 1
        if self.robot_speed != "hands":
            self.let_robot_play("off")

    def _photograph(self) -> Picture:
        """The next picture; where time is counted in pictures, it must not run ahead of the loop."""
        above = self._above()
        if self.clock.is_hurried:
            self._has_turned.wait(_TURN_SECONDS)
            self._has_turned.clear()
        return above.photograph()

    def _still(self) -> Picture:
        """The same view, larger."""
        return self._above().still()

    def _above(self) -> WorldCamera:
        if self.camera is None:
            raise RuntimeError("nothing lies on the table yet")
        return self.camera

    def _press_virtually(self, button: Button, *, held: bool = False) -> None:
        if isinstance(self.devices.buttons, VirtualButtons):
            self.devices.buttons.press(button, held=held)

    def _note(self, effect: Effect) -> None:
        if isinstance(effect, Show):
            if effect.screen.alert and effect.screen.main != self.screen.main:
                self.alerts.append(effect.screen.main)
            self.screen = effect.screen
            self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


def _camera_of_the_page(world: World, pictures: DeckPictures, clock: TableClock, random: Random) -> WorldCamera:
    return WorldCamera(world, pictures, clock, random, tabletop=TABLETOP)


def _share_memory() -> None:
    """Lets all threads take memory from two pools: with one for each, what each once needed is kept for ever."""
    with contextlib.suppress(AttributeError, OSError):  # only the GNU C library has pools
        ctypes.CDLL(None).mallopt(_MALLOPT_ARENA_MAX, 2)
