"""The page's server beside a session that plays on its own devices."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.web import SHARED
from companion.web.connections import make_server
from companion.web.guard import Guard
from companion.web.phone.keys import Keys
from companion.web.phone.server import Phones

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.device.session import Session
    from companion.device.visitors import Visitors

_STOPPING_SECONDS: Final = 3.0


def make_app(session: Session, visitors: Visitors, folder: Path, port: int) -> Starlette:
    """The page of a session; ``folder`` keeps who was let in, ``port`` is the one that is served at."""
    phones = Phones(session, visitors, Keys(folder / "phones.json"))

    @contextlib.asynccontextmanager
    async def opened(_: Starlette) -> AsyncIterator[None]:
        phones.lines.open()
        yield
        phones.lines.close()

    routes = [Route("/", _to_the_page), *phones.routes, Mount("/shared", StaticFiles(directory=SHARED))]
    return Starlette(routes=routes, lifespan=opened, middleware=[Middleware(Guard, port=port, names=own_names())])


@contextlib.contextmanager
def page_beside(session: Session, visitors: Visitors, folder: Path, listening: socket.socket) -> Iterator[None]:
    """Serves the page at a socket while the session runs; what goes wrong with it does not end the game."""
    server = make_server(make_app(session, visitors, folder, listening.getsockname()[1]))
    thread = threading.Thread(target=server.run, args=([listening],), name="page", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(_STOPPING_SECONDS)


def own_names() -> tuple[str, ...]:
    """What this machine is called in its network."""
    name = socket.gethostname().lower()
    return (name, f"{name}.local")


async def _to_the_page(_: Request) -> Response:
    return RedirectResponse("/phone")
