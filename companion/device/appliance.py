"""The companion as a device: the wiring of camera, buttons, screen, lights and record, in one place."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from msgspec.structs import replace

from companion.device.dice_table import DiceTable
from companion.device.lobby import Lobby
from companion.device.loop import Loop
from companion.dice.box import SYSTEM, Source
from companion.games.events import Effect, Event, Fault, Kept, Leave, Restored, Seen, Show, Sound
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.notes import NotesFile
from companion.games.loknroll.play.tape import Tape
from companion.games.loknroll.record.recorded_game import Journal, resume_recorded, start_recorded
from companion.games.loknroll.rules import State
from companion.games.settings import Settings
from companion.record.file import read_record
from companion.screen import count_pages, draw
from hardware.camera import Camera, EndOfPictures, Picture
from hardware.display import Display
from hardware.errors import DeviceError, Part
from hardware.lights import Light, Lights, Tone
from vision.watching.table_reading import TableReading

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from companion.screen.screen import Screen
    from hardware.devices import Devices

_RETRY_SECONDS: Final = 1.0
_READING_SECONDS: Final = 10.0
"""A picture that is being read is waited for: a thread that still reads when the program ends would crash it."""
_AGAIN_SECONDS: Final = 1.0
"""So often a screen that stays as it is is shown again: one that had no power for a moment is then set up anew."""
FRAME_SECONDS: Final = 0.25
"""So long a picture of a screen stands on which something turns over or blinks."""
TUNES: Final = {
    "right": (Tone(880, 0.06),),
    "wrong": (Tone(220, 0.15), Tone(0, 0.05), Tone(220, 0.15)),
    "dice": (Tone(600, 0.03), Tone(700, 0.03), Tone(800, 0.03)),
    "turn": (Tone(660, 0.08),),
    "end": (Tone(660, 0.1), Tone(880, 0.2)),
}


class RecordedController(NamedTuple):
    """A controller whose game is on the disk, and the journal to close in the end."""

    controller: Controller
    journal: Journal


def begun(
    path: Path, start: State, settings: Settings, source: Source = SYSTEM, curve: Sequence[int] = ()
) -> RecordedController:
    """A new game with its record and notes; ``curve`` are past results of a solo player. Raises RecordError."""
    game, journal = start_recorded(path, start)
    notes = notes_beside(path)
    return RecordedController(Controller(game, settings, source=source, notes=notes, curve=curve), journal)


def resumed(path: Path, settings: Settings, source: Source = SYSTEM, curve: Sequence[int] = ()) -> RecordedController:
    """A recorded game where it stood, with the dice that it knows; raises RecordError."""
    game, journal, _ = resume_recorded(path)
    tape = Tape.of_record(read_record(path).lines)
    notes = notes_beside(path)
    return RecordedController(Controller(game, settings, source=source, tape=tape, notes=notes, curve=curve), journal)


def notes_beside(path: Path) -> NotesFile:
    """The notes of the game that is recorded in this file."""
    return NotesFile(path.with_suffix(".notes"))


class Eyes(Protocol):
    """What reads the table: a ``TableEye``, or one that is made when it is needed."""

    def look(self, picture: Picture, expected: Collection[str]) -> TableReading:
        """What lies there after this picture (h × w × 3, B, G, R); ``expected`` are the faces the rules allow."""


class EyeOnDemand:
    """An eye that is made with the first look, in the thread that looks: getting to know a deck takes seconds."""

    def __init__(self, make: Callable[[], Eyes]) -> None:
        """``make`` is called once."""
        self._make = make
        self._eye: Eyes | None = None

    def look(self, picture: Picture, expected: Collection[str]) -> TableReading:
        """What lies there after this picture (h × w × 3, B, G, R); ``expected`` are the faces the rules allow."""
        if self._eye is None:
            self._eye = self._make()
        return self._eye.look(picture, expected)


class CameraWatch(threading.Thread):
    """Looks through the camera again and again and posts what it sees, or what is wrong with it."""

    def __init__(
        self, camera: Camera, eye: Eyes, expected: Callable[[], Collection[str]], post: Callable[[Event], None]
    ) -> None:
        """``expected`` is asked before each look; ``post`` is called in this thread."""
        super().__init__(name="eye", daemon=True)
        self._camera = camera
        self._eye = eye
        self._expected = expected
        self._post = post
        self._ends = threading.Event()
        self._is_away = False

    def run(self) -> None:
        """The thread."""
        while not self._ends.is_set():
            try:
                picture = self._camera.read()
            except DeviceError as error:
                self._is_away = True
                self._post(Fault("camera", str(error)))
                self._ends.wait(_RETRY_SECONDS)
                continue
            except EndOfPictures:
                return
            if self._is_away:
                self._is_away = False
                self._post(Restored("camera"))
            self._look(picture)

    def _look(self, picture: Picture) -> None:
        try:
            self._post(Seen(self._eye.look(picture, self._expected())))
        except Exception as error:  # noqa: BLE001 - one picture that cannot be read must not blind the companion
            self._is_away = True
            self._post(Fault("camera", f"A picture could not be read ({error}); the next one is tried."))

    def end(self) -> None:
        """Ends after the picture that is being read."""
        self._ends.set()


def _is_moving(screen: Screen, large: bool) -> bool:
    """Whether a screen has more than one picture."""
    return (screen.map is not None and screen.map.new is not None) or count_pages(screen, large) > 1


class ScreenPainter(threading.Thread):
    """Draws the last screen onto the display; the loop never waits for it. Tries again while the display is away."""

    def __init__(self, display: Display, post: Callable[[Event], None]) -> None:
        """``post`` is told when the display goes and comes back."""
        super().__init__(name="screen", daemon=True)
        self._display = display
        self._post = post
        self._news = threading.Condition()
        self._next: tuple[Screen, bool] | None = None
        self._ends = False

    def show(self, screen: Screen, *, large: bool) -> None:
        """This is to be seen; a screen that has not been drawn yet is left out."""
        with self._news:
            self._next = (screen, large)
            self._news.notify()

    def run(self) -> None:
        """The thread."""
        is_away, shown, image = False, None, None
        while (wanted := self._taken(shown)) is not None:
            if image is None or wanted != shown:
                image = draw(wanted[0], large=wanted[1])
            try:
                self._display.show(image)
            except DeviceError as error:
                self._keep(wanted)
                self._post(Fault("display", str(error)))
                is_away = True
                self._pause()
                continue
            shown = wanted
            if is_away:
                is_away = False
                self._post(Restored("display"))

    def _taken(self, shown: tuple[Screen, bool] | None) -> tuple[Screen, bool] | None:
        """The next screen; or the one that is shown again, its next picture if something on it turns over or blinks."""
        with self._news:
            is_moving = shown is not None and _is_moving(*shown)
            if self._next is None and not self._ends:
                again_seconds = FRAME_SECONDS if is_moving else _AGAIN_SECONDS
                self._news.wait(again_seconds if shown is not None else None)
            if self._ends:
                return None
            if self._next is None and shown is not None:
                return (replace(shown[0], frame=shown[0].frame + 1), shown[1]) if is_moving else shown
            wanted, self._next = self._next, None
        return wanted if wanted is not None else self._taken(shown)

    def _pause(self) -> None:
        """Before the display is tried again."""
        with self._news:
            self._news.wait_for(lambda: self._ends, _RETRY_SECONDS)

    def _keep(self, wanted: tuple[Screen, bool]) -> None:
        with self._news:
            self._next = self._next or wanted

    def end(self) -> None:
        """Ends after the screen that is being drawn."""
        with self._news:
            self._ends = True
            self._news.notify()


class Appliance:
    """A game, or the lobby before it, on the devices."""

    def __init__(
        self,
        controller: Controller | Lobby | DiceTable,
        devices: Devices,
        eye: Eyes | None,
        *,
        keep: Callable[[Settings], None] | None = None,
        mirrors: Collection[Callable[[Effect], None]] = (),
        clock: Callable[[], float] = time.monotonic,
        on_turn: Callable[[], None] | None = None,
    ) -> None:
        """``keep`` stores changed settings; ``mirrors`` are told every effect too, as a page is.

        ``on_turn`` is called once a turn of the loop, many times a second, as ``Loop`` says.
        """
        self.controller = controller
        self._lights: Lights = devices.lights
        self._keep = keep
        self.loop = Loop(controller, devices.buttons, (self._obey, *mirrors), clock, on_turn)
        self._painter = ScreenPainter(devices.display, self._told_by_painter)
        self._is_dark = False
        self._watch = None
        if devices.camera is not None and eye is not None:
            self._watch = CameraWatch(devices.camera, eye, lambda: self.loop.expected_faces, self.loop.post)
        for fault in devices.faults:
            # The loop itself asks which buttons do not work: they may do so later.
            if fault.part not in {Part.BUTTONS, Part.DISPLAY}:
                self.loop.post(Fault(str(fault.part), str(fault)))

    def run(self, is_over: Callable[[], bool] = lambda: False) -> Leave | None:
        """Plays until the game is left; returns for what."""
        self._painter.start()
        if self._watch is not None:
            self._watch.start()
        try:
            return self.loop.run(is_over)
        finally:
            self._painter.end()
            self._painter.join(2 * _RETRY_SECONDS)
            if self._watch is not None:
                self._watch.end()
                self._watch.join(_READING_SECONDS)

    def _told_by_painter(self, event: Event) -> None:
        """A screen that is away is told with the light."""
        self._is_dark = isinstance(event, Fault)
        self.loop.post(event)

    def _obey(self, effect: Effect) -> None:
        match effect:
            case Show(screen=screen):
                self._painter.show(screen, large=self.controller.settings.large)
                self._lights.light([Light.WRONG] if screen.alert or self._is_dark else [])
            case Sound(name=name):
                self._lights.sound(TUNES[name])
            case Kept(settings=settings) if self._keep is not None:
                self._keep(settings)
            case _:
                pass
