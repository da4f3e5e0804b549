"""The page on the phone, served in a thread beside a session."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.web.addresses import listening_at_home, listening_on_this_machine
from companion.web.phone.news import SessionNews

if TYPE_CHECKING:
    import socket

    from uvicorn import Server

    from companion.device.service import ServiceManager
    from companion.device.session import Session
    from companion.device.visitors import Visitors

WHERE: Final = ("off", "machine", "home", "socket")
"""Who reaches the page: nobody, this machine, all machines of the home network, or whom systemd lets in."""
_PACKAGES: Final = ("starlette", "uvicorn", "websockets", "segno")
"""What the page cannot do without; games are played without them."""
_STOPPING_SECONDS: Final = 3.0
_THREAD: Final = "page"
"""Its name; it ends once nothing is done any more that a phone has asked for."""
_log = logging.getLogger(__name__)


def page_socket(where: str, service: ServiceManager) -> socket.socket | None:
    """Where the page is served; None where it is not, or cannot be, which is said."""
    # Not imported yet: that takes seconds. But where nobody could answer, people must not be led there.
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing and where != "off":
        print(f"there is no page: {missing[0]} is not installed.", file=sys.stderr, flush=True)
        return None
    try:
        match where:
            case "home":
                return listening_at_home()
            case "machine":
                return listening_on_this_machine()
            case "socket":
                return service.passed_socket()
    except OSError as error:
        print(f"there is no page: {os.strerror(error.errno or 0)}.", file=sys.stderr, flush=True)
    return None


@contextlib.contextmanager
def page_beside(
    listening: socket.socket | None, session: Session, visitors: Visitors, folder: Path, devices: Path | None
) -> Iterator[None]:
    """Serves the page meanwhile. Whatever goes wrong with it is written down: the game goes on without."""
    if listening is None:
        yield
        return
    page = _Page(session, visitors, folder, devices, listening)
    thread = threading.Thread(target=page.serve, name=_THREAD, daemon=True)
    thread.start()
    try:
        yield
    finally:
        page.end()
        thread.join(_STOPPING_SECONDS)


def end_without_waiting(status: int) -> None:
    """Ends the program at once if something is still done that a phone has asked for; else it returns.

    Python would wait for it, for minutes on a small computer, and systemd would lose patience, and with it the status.
    What is cut off is as after a power cut: whole, or not there.
    """
    if any(thread.name == _THREAD for thread in threading.enumerate()):
        for output in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                output.flush()
        os._exit(status)


class _Page:
    """A page that is served in another thread."""

    def __init__(
        self, session: Session, visitors: Visitors, folder: Path, devices: Path | None, listening: socket.socket
    ) -> None:
        self._session, self._visitors, self._listening = session, visitors, listening
        self._folder, self._devices = folder, devices
        # At once: what is told from now on must not be missed while the server's modules are still being read.
        self._news = SessionNews(session)
        self._server: Server | None = None
        self._is_over = threading.Event()

    def serve(self) -> None:
        """Serves it until ``end`` is called."""
        try:
            # In this thread: a Raspberry Pi Zero takes seconds for it, and somebody waits for the list of games.
            from companion.web.connections import make_server
            from companion.web.phone.served import make_app

            port = self._listening.getsockname()[1]
            app = make_app(self._session, self._news, self._visitors, self._folder, port, devices=self._devices)
            server = make_server(app)
            self._server = server
            # What has been read till here stays. To go through it again each time when garbage is looked for would
            # hold up all threads: for as long as nobody waits on a small computer whose page is asked a lot.
            gc.freeze()
            if not self._is_over.is_set():
                server.run([self._listening])
        except ModuleNotFoundError as error:
            print(f"there is no page: {error.name} is not installed.", file=sys.stderr, flush=True)
        except Exception:  # noqa: BLE001 - games are played without a page as well
            _log.exception("the page is served no more: the program has made a mistake")

    def end(self) -> None:
        """Ends it, soon."""
        self._is_over.set()
        if self._server is not None:
            self._server.should_exit = True
