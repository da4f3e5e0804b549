"""The thread that draws onto the display."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from companion.device.threads.needed_thread import NeededThread
from companion.games.events import Event, Fault, Restored
from companion.screen import count_pages, draw
from companion.screen.screen import Screen
from hardware.display import Display

if TYPE_CHECKING:
    from PIL.Image import Image

_AGAIN_SECONDS: Final = 1.0
"""So often a screen that stays as it is is shown again: one that had no power for a moment is then set up anew."""
FRAME_SECONDS: Final = 0.25
"""So long a picture of a screen stands on which something turns over or blinks."""


_PATIENCE_SECONDS: Final = 10.0
"""A display is slow at worst for a second or two; its driver hangs where it takes longer."""


def _is_moving(screen: Screen, large: bool) -> bool:
    """Whether a screen has more than one picture."""
    return (screen.map is not None and screen.map.blinks) or count_pages(screen, large) > 1


class ScreenPainter(NeededThread):
    """Draws the last screen onto the display; the loop never waits for it. Tries again while the display is away."""

    def __init__(self, display: Display, post: Callable[[Event], None]) -> None:
        """``post`` is told when the display goes and comes back."""
        super().__init__("screen", _PATIENCE_SECONDS)
        self._display = display
        self._post = post
        self._news = threading.Condition()
        self._next: tuple[Screen, bool] | None = None
        self._shown: tuple[Screen, bool] | None = None
        self._image: Image | None = None
        self._is_away = False

    def show(self, screen: Screen, *, large: bool) -> None:
        """This is to be seen; a screen that has not been drawn yet is left out."""
        with self._news:
            self._next = (screen, large)
            self._news.notify()

    def turn(self) -> bool:
        """Draws the next screen, or waits for one."""
        wanted = self._taken(self._shown)
        if wanted is None:
            return True
        try:
            if self._image is None or wanted != self._shown:
                self._image = draw(wanted[0], large=wanted[1])
            self._display.show(self._image)
        except BaseException:  # also what ends this thread: the next one draws it
            # Nobody will ask for it again: the controller sends a screen only when it changes.
            self._keep(wanted)
            raise
        self._shown = wanted
        if self._is_away:
            self._is_away = False
            self._post(Restored("display"))
        return True

    def failed(self, error: Exception) -> None:
        """The display does not answer, or a screen cannot be drawn."""
        self._is_away = True
        self._post(Fault("display", str(error)))

    def _taken(self, shown: tuple[Screen, bool] | None) -> tuple[Screen, bool] | None:
        """The next screen; or the one that is shown again, its next picture if something on it turns over or blinks."""
        with self._news:
            is_moving = shown is not None and _is_moving(*shown)
            if self._next is None and not self._ends.is_set():
                self._news.wait(FRAME_SECONDS if is_moving else _AGAIN_SECONDS)
            if self._next is not None:
                wanted, self._next = self._next, None
                return wanted
        if self._ends.is_set() or shown is None:
            return None
        # The frame is counted here: the loop need not send a screen anew for what only blinks.
        return (replace(shown[0], frame=shown[0].frame + 1), shown[1]) if is_moving else shown

    def _keep(self, wanted: tuple[Screen, bool]) -> None:
        with self._news:
            # A newer one may have come meanwhile.
            self._next = self._next or wanted

    def end(self) -> None:
        """Ends after the screen that is being drawn."""
        with self._news:
            super().end()
            self._news.notify()
