"""The companion as a device: the wiring of camera, buttons, screen, lights and record, in one place."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from companion.device.loop import Loop
from companion.device.threads.camera_watch import CameraWatch
from companion.device.threads.needed_thread import RETRY_SECONDS, NeededThread
from companion.device.threads.screen_painter import ScreenPainter
from companion.games.events import Effect, Event, Fault, Kept, Leave, Show, Sound
from companion.games.game import Eyes, Handler
from companion.games.settings import Settings
from hardware.errors import Part
from hardware.lights import Light, Lights, Tone

if TYPE_CHECKING:
    from hardware.devices import Devices

_READING_SECONDS: Final = 10.0
"""A picture that is being read is waited for: a thread that still reads when the program ends would crash it."""
TUNES: Final = {
    "right": (Tone(880, 0.06),),
    "wrong": (Tone(220, 0.15), Tone(0, 0.05), Tone(220, 0.15)),
    "dice": (Tone(600, 0.03), Tone(700, 0.03), Tone(800, 0.03)),
    "turn": (Tone(660, 0.08),),
    "end": (Tone(660, 0.1), Tone(880, 0.2)),
}


class Appliance:
    """A game, or the lobby before it, on the devices."""

    def __init__(
        self,
        controller: Handler,
        devices: Devices,
        eye: Eyes | None,
        *,
        keep: Callable[[Settings], None] | None = None,
        mirrors: Collection[Callable[[Effect], None]] = (),
        clock: Callable[[], float] = time.monotonic,
        on_turn: Callable[[], None] | None = None,
        news: Collection[str] = (),
    ) -> None:
        """``keep`` stores changed settings; ``mirrors`` are told every effect too, as a page is.

        ``on_turn`` is called once a turn of the loop, many times a second, as ``Loop`` says, while screen and eye turn
        too: it is a sign of life of all of them. ``news`` are faults that people are told of for a while.
        """
        self.controller = controller
        self._lights: Lights = devices.lights
        self._keep = keep
        self._on_turn = on_turn
        self.loop = Loop(controller, devices.buttons, (self._obey, *mirrors), clock, self._turned, news=news)
        self._painter = ScreenPainter(devices.display, self._told_by_painter)
        self._is_dark = False
        self._needed: list[NeededThread] = [self._painter]
        if devices.camera is not None and eye is not None:
            watch = CameraWatch(devices.camera, eye, lambda: self.loop.expected_faces, self.loop.post)
            self._needed.append(watch)
        for fault in devices.faults:
            # The loop itself asks which buttons do not work: they may do so later.
            if fault.part not in {Part.BUTTONS, Part.DISPLAY}:
                self.loop.post(Fault(str(fault.part), str(fault)))

    def run(self, is_over: Callable[[], bool] = lambda: False) -> Leave | None:
        """Plays until the game is left; returns for what."""
        for thread in self._needed:
            thread.start()
        try:
            return self.loop.run(is_over)
        finally:
            for thread in self._needed:
                thread.end()
            # The next appliance draws on the same display: two painters at once would mix their images.
            self._painter.join(2 * RETRY_SECONDS)
            for watch in self._needed[1:]:
                watch.join(_READING_SECONDS)

    def _turned(self) -> None:
        """The loop has turned; what it needs is begun anew where it has ended."""
        for thread in self._needed:
            thread.revive()
        if self._on_turn is not None and all(thread.is_turning() for thread in self._needed):
            self._on_turn()

    def _told_by_painter(self, event: Event) -> None:
        """A screen that is away is told with the light."""
        self._is_dark = isinstance(event, Fault)
        self.loop.post(event)

    def _obey(self, effect: Effect) -> None:
        match effect:
            case Show(screen=screen):
                self._painter.show(screen, large=self.controller.settings.large)
                # With the screen away the light is all that can say so.
                self._lights.light([Light.WRONG] if screen.alert or self._is_dark else [])
            case Sound(name=name):
                self._lights.sound(TUNES[name])
            case Kept(settings=settings) if self._keep is not None:
                self._keep(settings)
            case _:
                pass
