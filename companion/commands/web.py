"""``companion web``: the virtual table in a browser."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING, Final

from companion.commands.shared import virtual_table
from companion.commands.shared.arguments import whole_number
from companion.commands.shared.errors import CommandError
from companion.texts.language import Texts
from companion.web.addresses import THIS_MACHINE, USUAL_PORT, USUAL_PORTS, listening_on_this_machine

if TYPE_CHECKING:
    from uvicorn import Server

    from companion.device.virtual_device import VirtualDevice

_STOPPING_SECONDS: Final = 15.0
_LEFT_AS_IT_IS: Final = {
    "new": False, "seed": None, "mode": None, "edition": None, "knob": (), "language": None, "no_browser": True,
}  # fmt: skip
"""The options of who wants nothing but to go on."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Only this machine reaches the page. A game that was left goes on. Ctrl-C ends it.\n\n"
        "examples:\n  companion web\n  companion web --mode 2 --language de --no-browser"
    )
    virtual_table.add_arguments(parser)
    parser.add_argument(
        "--port", metavar="N", type=whole_number(1, 65535), help=f"(default: {USUAL_PORT}, or a free one)"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(options: argparse.Namespace) -> int:
    """Serves the page until Ctrl-C."""
    listening = _listening(options.port)
    address = f"http://{THIS_MACHINE}:{listening.getsockname()[1]}/"
    try:
        while _begins_anew(options, listening, address):
            # What was loaded counts, and not what was asked for before; the browser is there, and finds it again.
            for name, usual in _LEFT_AS_IT_IS.items():
                setattr(options, name, usual)
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is not installed; pip install 'table-companion[web]' brings it.") from error
    except (ImportError, OSError) as error:
        raise CommandError(f"the table cannot be laid: {error}.") from error
    finally:
        listening.close()
    return 0


def _begins_anew(options: argparse.Namespace, listening: socket.socket, address: str) -> bool:
    """Lays the table and serves it; whether it has ended because something was loaded that counts from now on."""
    with virtual_table.kept_folder() as folder:
        device = virtual_table.laid_table(options, folder)
        say = Texts(device.kept.settings.language)
        server = _server(device, listening.getsockname()[1])

        def play() -> None:
            device.run()
            server.should_exit |= device.session.begins_anew

        thread = threading.Thread(target=play, name="game", daemon=True)
        thread.start()
        print(say("web.open", address=address), flush=True)
        if not options.no_browser:
            _open(address, say)
        is_interrupted = _serve(server, listening)
        device.stop()
        thread.join(_STOPPING_SECONDS)
        begins = device.session.begins_anew and not is_interrupted
        if not begins:
            print(say("web.closed"))
        return begins


def _server(device: VirtualDevice, port: int) -> Server:
    from companion.web.connections import make_server
    from companion.web.virtual_table.server import make_app

    return make_server(make_app(device, port))


def _serve(server: Server, listening: socket.socket) -> bool:
    """Serves until the server ends; whether somebody has ended it."""
    # uvicorn raises each signal again once it has closed everything: so both end alike.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # Another one, which it closes when it ends: the same port may be served at again.
        server.run([listening.dup()])
    except KeyboardInterrupt:
        print()
        return True
    return False


def _listening(wanted: int | None) -> socket.socket:
    """A socket at the port asked for, or at a free one from the usual one on; raises CommandError."""
    ports = USUAL_PORTS if wanted is None else [wanted]
    try:
        return listening_on_this_machine(ports)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise CommandError(f"port {ports[0]} cannot be used ({reason}); name another with --port.") from error


def _open(address: str, say: Texts) -> None:
    if _has_browser():
        webbrowser.open(address)
    else:
        print(say("web.no-browser"), flush=True)


def _has_browser() -> bool:
    """Whether there is a desktop: a browser within the terminal would be no help."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
