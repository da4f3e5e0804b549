"""The page's server beside a session that plays on its own devices."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.web import SHARED
from companion.web.addresses import own_names
from companion.web.guard import Guard
from companion.web.phone.server import Phones

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.device.session import Session
    from companion.device.visitors import Visitors
    from companion.doctor.machine import Machine
    from companion.web.phone.news import SessionNews


def make_app(
    session: Session,
    news: SessionNews,
    visitors: Visitors,
    folder: Path,
    port: int,
    *,
    devices: Path | None = None,
    machine: Machine | None = None,
) -> Starlette:
    """The page of a session; ``folder`` is the companion's, ``port`` is the one that is served at.

    ``devices`` is the file of its devices, ``machine`` the one that it runs on.
    """
    phones = Phones(session, news, visitors, folder, devices=devices, machine=machine)

    @contextlib.asynccontextmanager
    async def opened(_: Starlette) -> AsyncIterator[None]:
        phones.open()
        yield
        phones.close()

    routes = [Route("/", _to_the_page), *phones.routes, Mount("/shared", StaticFiles(directory=SHARED))]
    return Starlette(routes=routes, lifespan=opened, middleware=[Middleware(Guard, port=port, names=own_names())])


async def _to_the_page(_: Request) -> Response:
    return RedirectResponse("/phone")
