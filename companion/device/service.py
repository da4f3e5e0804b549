"""What the companion tells the service manager that started it: that it is ready, that it is alive, that it ends."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from typing import Final

_FEEDS_PER_DEADLINE: Final = 3
_FIRST_PASSED: Final = 3


class ServiceManager:
    """systemd, where it waits for word; silent where nobody waits."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``environment`` is what systemd started the program with; what it says of sockets and the watchdog counts."""
        self._environment = environment
        self._address = environment.get("NOTIFY_SOCKET", "")
        deadline_seconds = int(environment.get("WATCHDOG_USEC", "0")) / 1e6
        self._pause_seconds = deadline_seconds / _FEEDS_PER_DEADLINE if deadline_seconds else None
        self._clock = clock
        self._told_at: float | None = None

    @property
    def is_there(self) -> bool:
        """Whether a service manager has started the program."""
        return bool(self._address)

    def passed_socket(self) -> socket.socket | None:
        """The socket that systemd listens at for the program (sd_listen_fds(3)); None where there is none."""
        environment = self._environment
        if environment.get("LISTEN_PID") != str(os.getpid()) or environment.get("LISTEN_FDS") != "1":
            return None
        try:
            return socket.socket(fileno=_FIRST_PASSED)
        except OSError:
            return None

    def turned(self) -> None:
        """The loop has come to the end of a turn: the first makes the service ready, later ones feed its watchdog."""
        now = self._clock()
        if self._told_at is None:
            self._tell("READY=1\nSTATUS=Playing")
        # Some times within each deadline: a message for each turn would be dozens a second.
        elif self._pause_seconds is None or now - self._told_at < self._pause_seconds:
            return
        self._told_at = now
        self._tell("WATCHDOG=1")

    def ends(self) -> None:
        """The program is about to end."""
        self._tell("STOPPING=1")

    def _tell(self, news: str) -> None:
        if not self._address:
            return
        # A leading @ stands for the zero byte of an abstract name.
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK) as out:
                out.sendto(news.encode(), address)
        except OSError:
            pass  # a game does not end because nobody listens; the watchdog is the one who judges
