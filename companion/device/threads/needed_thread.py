"""A thread that the companion cannot do without: nothing that goes wrong in it ends it."""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

from hardware.errors import DeviceError

RETRY_SECONDS: Final = 1.0
_log = logging.getLogger(__name__)


class NeededThread(ABC):
    """Does its turns one after the other until it is ended. Whoever minds it asks ``is_turning`` and calls ``revive``.

    What derives from it has a ``turn`` and is told by ``failed`` what a turn has raised.
    """

    def __init__(self, name: str, patience_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """A turn that takes longer than ``patience_seconds`` hangs."""
        self._name, self._patience_seconds, self._clock = name, patience_seconds, clock
        self._ends = threading.Event()
        self._is_done = False
        self._turned_at = clock()
        self._told = ""
        self._thread: threading.Thread | None = None

    @abstractmethod
    def turn(self) -> bool:
        """Does the next thing; says whether there is more to do."""

    @abstractmethod
    def failed(self, error: Exception) -> None:
        """A turn has raised this; the next one comes in RETRY_SECONDS."""

    def start(self) -> None:
        """Begins its turns."""
        self._turned_at = self._clock()
        # A thread that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        self._thread.start()

    def revive(self) -> bool:
        """Begins it anew if it has ended by itself, as a library can end a thread; says whether it had."""
        if self._thread is None or self._thread.is_alive() or self._is_done or self._ends.is_set():
            return False
        _log.error("the thread %s has ended by itself and is begun anew", self._name)
        self.failed(RuntimeError("its thread has ended by itself"))
        self.start()
        return True

    def is_turning(self) -> bool:
        """Whether it goes on, or has done all that there was to do."""
        return self._is_done or self._clock() - self._turned_at < self._patience_seconds

    def end(self) -> None:
        """Ends after the turn that is being done."""
        self._ends.set()

    def join(self, seconds: float | None = None) -> None:
        """Waits until it has ended, at most so long if that is given."""
        if self._thread is not None:
            self._thread.join(seconds)

    def is_alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _run(self) -> None:
        while not self._ends.is_set():
            self._turned_at = self._clock()
            try:
                if not self.turn():
                    self._is_done = True
                    return
            except Exception as error:  # noqa: BLE001 - whatever it is, the next turn may go well
                self._log(error)
                self.failed(error)
                # Not a sleep: whoever ends this thread waits for it.
                self._ends.wait(RETRY_SECONDS)

    def _log(self, error: Exception) -> None:
        """A mistake once with its trace: what goes wrong every second would fill the disk."""
        if isinstance(error, DeviceError):
            return
        told = f"{type(error).__name__}: {error}"
        if told != self._told:
            self._told = told
            _log.error("in the thread %s something went wrong; it is tried again", self._name, exc_info=error)
