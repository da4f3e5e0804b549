"""The thread that looks through the camera."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final
from weakref import ReferenceType, ref

from companion.device.threads.needed_thread import NeededThread
from companion.games.events import Event, Fault, Restored, Seen
from companion.games.game import Eyes
from hardware.camera import Camera, EndOfPictures, Picture, notices_of
from hardware.errors import DeviceError
from hardware.errors import Fault as DeviceFault
from vision.watching.table_reading import TableReading

if TYPE_CHECKING:
    from vision.deck_pictures import DeckPictures
    from vision.watching.steady_view import Still

_PATIENCE_SECONDS: Final = 180.0
"""To get to know a deck takes a slow machine half a minute, to open a camera as long; a driver hangs after that."""


_YOUNG_SECONDS: Final = 600.0
"""A program that has been started anew for a camera that is lost, in vain, leaves the table alone for so long."""
DARK_SECONDS: Final = 1.5
STRANGE_CARDS: Final = 2
"""Different ones: a single thing of a card's shape may be another one."""
_STARTED_AT: Final = time.monotonic()
_NOTICES: Final = {DeviceFault.NOT_SHARP: "not-sharp", DeviceFault.LIGHT_CHANGES: "light"}


class EyeOnDemand:
    """Eyes that are made with the first look, in the thread that looks: getting to know a deck takes seconds."""

    def __init__(self, deck: Callable[[], DeckPictures], make: Callable[[DeckPictures], Eyes]) -> None:
        """``deck`` is asked with the first look at each table; ``make`` is called for one that is not known yet."""
        self._ask, self._make = deck, make
        self._face: ReferenceType[Picture] | None = None
        """A picture of the deck that the eyes know, as long as anybody keeps it: they need none of them any more."""
        self._eyes: Eyes | None = None
        self._is_new = True

    def look(self, picture: Picture, expected: Collection[str], still: Still) -> TableReading:
        """As the game's eyes, once they are made."""
        # Not in ``forget``, which the game's thread calls: buttons and screen would wait for the eye to learn.
        eyes = self._ready() if self._is_new or self._eyes is None else self._eyes
        return eyes.look(picture, expected, still)

    def forget(self) -> None:
        """Another table comes, perhaps with another deck; called while nobody looks."""
        self._is_new = True

    def drawn(self) -> Picture | None:
        """The last picture with what was read drawn in it; None before the first one."""
        return None if self._eyes is None else self._eyes.drawn()

    def _ready(self) -> Eyes:
        self._is_new, deck = False, self._ask()
        face, eyes = next(iter(deck.faces.values())), self._eyes
        # The same deck keeps its eyes, which are slow to make; only what they remember of the table goes.
        if eyes is None or self._face is None or self._face() is not face:
            # Those of another one go first: there may not be memory for both.
            eyes = self._eyes = None
            eyes = self._eyes = self._make(deck)
            self._face = ref(face)
        eyes.forget()
        return eyes


class CameraWatch(NeededThread):
    """Looks through the camera again and again and posts what it sees, or what is wrong with it."""

    def __init__(
        self, camera: Camera, eye: Eyes, expected: Callable[[], Collection[str]], post: Callable[[Event], None]
    ) -> None:
        """``expected`` is asked before each look; ``post`` is called in this thread."""
        super().__init__("eye", _PATIENCE_SECONDS)
        self._camera = camera
        self._eye = eye
        self._expected = expected
        self._post = post
        self._away = ""
        self._dark_since: float | None = None
        self._is_reading = False
        self._is_lost = False
        self._noticed: set[str] = set()

    def is_turning(self) -> bool:
        """Not with a camera that only a program which is started anew gets back: the watchdog sees to that."""
        is_young = time.monotonic() - _STARTED_AT < _YOUNG_SECONDS
        return super().is_turning() and (not self._is_lost or is_young)

    def turn(self) -> bool:
        """Looks once; there is no more to do where no picture comes any more."""
        self._is_reading = False
        try:
            picture = self._camera.read()
        except EndOfPictures:
            return False
        # One picture that cannot be read must not blind the companion, nor does it say that the camera is back.
        self._is_reading = True
        reading = self._eye.look(picture, self._expected(), self._camera.still)
        if self._away:
            self._post(Restored(self._away))
            self._away = ""
        self._is_lost = False
        found = {_NOTICES[notice.fault] for notice in notices_of(self._camera) if notice.fault in _NOTICES}
        found |= {"dark"} if self._stays_dark(reading) else set()
        self._notice(found | ({"strange-cards"} if reading.strange >= STRANGE_CARDS else set()))
        self._post(Seen(reading))
        return True

    def _stays_dark(self, reading: TableReading) -> bool:
        """Whether it has been dark for longer than somebody leans over the table."""
        now = time.monotonic()
        self._dark_since = (self._dark_since or now) if reading.is_dark else None
        return self._dark_since is not None and now - self._dark_since >= DARK_SECONDS

    def _notice(self, found: set[str]) -> None:
        """Tells what is not as it should be with pictures that come nevertheless, and what is right again."""
        for name in found - self._noticed:
            self._post(Fault(name))
        for name in self._noticed - found:
            self._post(Restored(name))
        self._noticed = found

    def failed(self, error: Exception) -> None:
        """The camera does not answer, or its picture cannot be read."""
        fault = error.fault if isinstance(error, DeviceError) else None
        away = "dark" if fault is DeviceFault.DARK else "camera"
        if self._away and self._away != away:
            self._post(Restored(self._away))
        self._away = away
        self._is_lost = fault is DeviceFault.LOST
        told = f"A picture could not be read ({error}); the next one is tried." if self._is_reading else str(error)
        self._post(Fault(away, told))
