"""The last lines of the program's log, to be copied: who runs as a service may not read the journal."""

from __future__ import annotations

import logging
from collections import deque
from typing import Final

from companion.texts.harmless import shortened

MOST_LINES: Final = 200
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_LONGEST_TRACE_LINES: Final = 30


class RecentLines(logging.Handler):
    """Remembers what has been logged, so many lines, each of harmless characters and not too long."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter(_FORMAT))
        self._lines: deque[str] = deque(maxlen=MOST_LINES)

    @property
    def lines(self) -> list[str]:
        """The oldest first."""
        self.acquire()
        try:
            return list(self._lines)
        finally:
            self.release()

    def emit(self, record: logging.LogRecord) -> None:
        """As logging calls it, under its lock."""
        try:
            told = self.format(record).splitlines()
        except Exception:  # noqa: BLE001 - a message that contradicts itself must not end what is logged about
            told = [str(record.msg)]
        # Of a trace its end, which says what went wrong.
        self._lines.extend(shortened(line) for line in (told[:1] + told[1:][-_LONGEST_TRACE_LINES:]))

    def listen(self) -> None:
        """From now on it hears everything."""
        root = logging.getLogger()
        if not root.handlers and logging.lastResort is not None:
            # Where nobody listens Python itself writes warnings to the journal. It shall go on with that.
            root.addHandler(logging.lastResort)
        root.addHandler(self)

    def stop_listening(self) -> None:
        """Nothing more is heard."""
        root = logging.getLogger()
        root.removeHandler(self)
        if logging.lastResort is not None and root.handlers == [logging.lastResort]:
            root.removeHandler(logging.lastResort)
