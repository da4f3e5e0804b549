"""The thread that looks through the camera."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from companion.games.events import Event, Fault, Restored, Seen
from companion.games.game import Eyes
from hardware.camera import Camera, EndOfPictures, Picture
from hardware.errors import DeviceError
from vision.watching.table_reading import TableReading

if TYPE_CHECKING:
    from vision.deck_pictures import DeckPictures

RETRY_SECONDS: Final = 1.0


class EyeOnDemand:
    """Eyes that are made with the first look, in the thread that looks: getting to know a deck takes seconds."""

    def __init__(self, deck: Callable[[], DeckPictures], make: Callable[[DeckPictures], Eyes]) -> None:
        """``deck`` is asked with the first look at each table; ``make`` is called for one that is not known yet."""
        self._ask, self._make = deck, make
        self._deck: DeckPictures | None = None
        self._eyes: Eyes | None = None
        self._is_new = True

    def look(self, picture: Picture, expected: Collection[str]) -> TableReading:
        """What lies there after this picture (h × w × 3, B, G, R); ``expected`` are the faces the rules allow."""
        # Not in ``forget``, which the game's thread calls: buttons and screen would wait for the eye to learn.
        eyes = self._ready() if self._is_new or self._eyes is None else self._eyes
        return eyes.look(picture, expected)

    def forget(self) -> None:
        """Another table comes, perhaps with another deck; called while nobody looks."""
        self._is_new = True

    def drawn(self) -> Picture | None:
        """The last picture with what was read drawn in it; None before the first one."""
        return None if self._eyes is None else self._eyes.drawn()

    def _ready(self) -> Eyes:
        self._is_new, deck = False, self._ask()
        # The same deck keeps its eyes, which are slow to make; only what they remember of the table goes.
        if self._eyes is None or deck is not self._deck:
            self._deck, self._eyes = deck, self._make(deck)
        self._eyes.forget()
        return self._eyes


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
        """Looks until it is ended, or no picture comes any more."""
        while not self._ends.is_set():
            try:
                picture = self._camera.read()
            except DeviceError as error:
                self._is_away = True
                self._post(Fault("camera", str(error)))
                # Not a sleep: whoever ends this thread waits for it.
                self._ends.wait(RETRY_SECONDS)
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
