"""``companion web``: the virtual table in a browser."""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import socket
import sys
import webbrowser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from companion.commands.cli import CommandError
from companion.commands.shared.arguments import add_edition, add_language, edition_of, whole_number
from companion.games.loknroll.rules import Mode
from companion.texts.language import Texts

if TYPE_CHECKING:
    from uvicorn import Server

    from companion.web.host import Host

USUAL_PORT: Final = 8055
_MORE_PORTS: Final = 20
_HOST: Final = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = (
        "Only this machine reaches the page. Ctrl-C ends it.\n\n"
        "examples:\n  companion web\n  companion web --mode 2 --language de --no-browser"
    )
    modes = [mode.value for mode in Mode]
    parser.add_argument("--mode", choices=modes, default="betsy", help="who plays (default: %(default)s)")
    add_edition(parser)
    parser.add_argument(
        "--port", metavar="N", type=whole_number(1, 65535), help=f"(default: {USUAL_PORT}, or a free one)"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--seed", metavar="N", type=whole_number(0), help="the same number gives the same cards")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Serves the page until Ctrl-C."""
    say = Texts(options.language, "companion.texts")
    listening = _listening(options.port)
    address = f"http://{_HOST}:{listening.getsockname()[1]}/"
    try:
        with TemporaryDirectory() as folder:
            host = _host(options, Path(folder))
            server = _server(host, listening.getsockname()[1])
            host.start()
            print(say("web.open", address=address), flush=True)
            if not options.no_browser:
                _open(address, say)
            _serve(server, listening)
            host.stop()
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is not installed; pip install 'table-companion[web]' brings it.") from error
    except (ImportError, OSError) as error:
        raise CommandError(f"the table cannot be laid: {error}.") from error
    print(say("web.closed"))
    return 0


def _host(options: argparse.Namespace, folder: Path) -> Host:
    from companion.commands.table import without_pins
    from companion.web.host import Host, Order

    seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    return Host(without_pins(), folder, Order(Mode(options.mode), options.language, seed, edition=edition_of(options)))


def _server(host: Host, port: int) -> Server:
    import uvicorn

    from companion.web.messages import LONGEST
    from companion.web.server import make_app

    config = uvicorn.Config(
        make_app(host, port),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=10 * LONGEST,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


def _serve(server: Server, listening: socket.socket) -> None:
    # uvicorn raises each signal again once it has closed everything: so both end alike.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        server.run([listening])
    except KeyboardInterrupt:
        print()


def _listening(wanted: int | None) -> socket.socket:
    """A socket at the port asked for, or at a free one from the usual one on; raises CommandError."""
    ports = range(USUAL_PORT, USUAL_PORT + _MORE_PORTS) if wanted is None else [wanted]
    reason = None
    for port in ports:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((_HOST, port))
            listening.listen()
        except OSError as error:
            listening.close()
            reason = error.strerror
            continue
        return listening
    raise CommandError(f"port {ports[0]} cannot be used ({reason}); name another with --port.")


def _open(address: str, say: Texts) -> None:
    if _has_browser():
        webbrowser.open(address)
    else:
        print(say("web.no-browser"), flush=True)


def _has_browser() -> bool:
    """Whether there is a desktop: a browser within the terminal would be no help."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
