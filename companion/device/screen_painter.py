"""The thread that draws onto the display."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from companion.games.events import Event, Fault, Restored
from companion.screen import count_pages, draw
from companion.screen.screen import Screen
from hardware.display import Display
from hardware.errors import DeviceError

RETRY_SECONDS: Final = 1.0
_AGAIN_SECONDS: Final = 1.0
"""So often a screen that stays as it is is shown again: one that had no power for a moment is then set up anew."""
FRAME_SECONDS: Final = 0.25
"""So long a picture of a screen stands on which something turns over or blinks."""


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
        """Draws until it is ended."""
        is_away, shown, image = False, None, None
        while (wanted := self._taken(shown)) is not None:
            if image is None or wanted != shown:
                image = draw(wanted[0], large=wanted[1])
            try:
                self._display.show(image)
            except DeviceError as error:
                # Nobody will ask for it again: the controller sends a screen only when it changes.
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
                # The frame is counted here: the loop need not send a screen anew for what only blinks.
                return (replace(shown[0], frame=shown[0].frame + 1), shown[1]) if is_moving else shown
            wanted, self._next = self._next, None
        return wanted if wanted is not None else self._taken(shown)

    def _pause(self) -> None:
        """Before the display is tried again."""
        with self._news:
            self._news.wait_for(lambda: self._ends, RETRY_SECONDS)

    def _keep(self, wanted: tuple[Screen, bool]) -> None:
        with self._news:
            # A newer one may have come meanwhile.
            self._next = self._next or wanted

    def end(self) -> None:
        """Ends after the screen that is being drawn."""
        with self._news:
            self._ends = True
            self._news.notify()
