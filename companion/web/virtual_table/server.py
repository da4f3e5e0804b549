"""Serves the page to browsers on this machine, and to nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from companion.device.virtual_device import VirtualDevice
from companion.texts.language import LANGUAGES, Texts
from companion.virtual.things import HandsError, Place
from companion.virtual.world import World
from companion.web import SHARED
from companion.web.guard import Guard
from companion.web.lines import BREATH_SECONDS, Lines
from companion.web.phone.news import SessionNews
from companion.web.phone.server import Phones
from companion.web.virtual_table.actions import act
from companion.web.virtual_table.messages import MessageError, read_message
from companion.web.virtual_table.news import News, deck_news
from companion.web.virtual_table.views import camera_view, face_picture, figure_picture

PAGE: Final = Path(str(files("companion.web.virtual_table") / "page"))
MOST_BROWSERS: Final = 24


class Office:
    """The browsers that look at the table."""

    def __init__(self, device: VirtualDevice) -> None:
        self.device = device
        self.lines = Lines(News(device).since, MOST_BROWSERS)
        folder = device.kept.path.parent
        self.phones = Phones(device.session, SessionNews(device.session), device.visitors, folder)
        device.listen(self.lines.ring)

    @contextlib.asynccontextmanager
    async def open(self, _: Starlette) -> AsyncIterator[None]:
        """While the server runs."""
        self.lines.open()
        self.phones.open()
        watch = asyncio.create_task(self._watch_screen())
        yield
        watch.cancel()
        self.phones.close()
        self.lines.close()

    async def _watch_screen(self) -> None:
        """The screen's driver tells nobody when it has written."""
        sent = -1
        while True:
            await asyncio.sleep(BREATH_SECONDS)
            if len(self.lines) and self.device.memory.bytes_sent != sent:
                sent = self.device.memory.bytes_sent
                self.lines.ring_all()

    async def meet(self, socket: WebSocket) -> None:
        """A browser, from its coming to its going."""
        # Nobody can guess this name: what a browser holds only that one can move.
        who = secrets.token_hex(4)
        # A browser that has never been here brings its language, before it is told anything in another one.
        brought = socket.query_params.get("language")
        is_new = not self.lines.is_full and not self.device.is_language_given
        if brought in LANGUAGES and is_new and not _is_played_at(self.device.world):
            self.device.speak(brought)
        try:
            await self.lines.keep(socket, {"type": "you", "are": who}, partial(self._take, who))
        finally:
            # Else what a closed page held would hang in the air until others may take it.
            self.device.world.leave(who)

    def _take(self, who: str, text: str) -> str | None:
        try:
            act(self.device, who, read_message(text))
        except (MessageError, HandsError) as error:
            reason = error.reason if isinstance(error, HandsError) else "message"
            return msgspec.json.encode({"type": "refused", "reason": reason, "why": str(error)}).decode()
        return None


def _is_played_at(world: World) -> bool:
    """Whether a game is under way, as anybody sees who comes to the table: its people read what the screen says."""
    return world.is_dealt or bool(world.cards(Place.TABLE))


def make_app(device: VirtualDevice, port: int) -> Starlette:
    """The page and its table; ``port`` is the one it is served at."""
    office = Office(device)
    routes = [
        Route("/", _index),
        Route("/deck.json", _deck_of(device)),
        Route("/texts/{language}.json", _texts),
        Route("/faces/{face}.webp", _picture_of(device, face_picture)),
        Route("/figures/{look}.webp", _picture_of(device, figure_picture)),
        Route("/camera.jpg", _picture_of(device, camera_view, missing=Response(status_code=204))),
        WebSocketRoute("/table", office.meet),
        *office.phones.routes,
        Mount("/shared", StaticFiles(directory=SHARED)),
        Mount("/page", StaticFiles(directory=PAGE)),
    ]
    return Starlette(routes=routes, lifespan=office.open, middleware=[Middleware(Guard, port=port)])


async def _index(_: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _texts(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        return PlainTextResponse("There is no such language.\n", 404)
    texts = Texts(language).section("web")
    return _as_json({"language": language, "texts": dict(texts)})


def _deck_of(device: VirtualDevice) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_: Request) -> Response:
        await _laid(device)
        return _as_json(await asyncio.to_thread(deck_news, device))

    return answer


async def _laid(device: VirtualDevice) -> None:
    """Waits until the cards are drawn; not in a thread: browsers that come early must not use them all up."""
    while not device.is_laid.is_set() and device.failure is None:
        await asyncio.sleep(BREATH_SECONDS)


def _as_json(value: dict[str, Any]) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")


def _picture_of(
    device: VirtualDevice,
    make: Callable[[VirtualDevice, Request], tuple[bytes, str] | None],
    missing: Response | None = None,
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        await _laid(device)
        made = await asyncio.to_thread(make, device, request)
        if made is None:
            return missing or PlainTextResponse("There is no such picture.\n", 404)
        content, kind = made
        return Response(content, media_type=kind)

    return answer
