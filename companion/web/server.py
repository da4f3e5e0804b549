"""Serves the page to browsers on this machine, and to nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
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
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from companion.device.virtual_device import VirtualDevice
from companion.texts.language import LANGUAGES, Texts
from companion.virtual.things import HandsError, Place
from companion.virtual.world import World
from companion.web.actions import act
from companion.web.messages import LONGEST, MessageError, read_message
from companion.web.news import News, deck_news
from companion.web.views import camera_view, face_picture

PAGE: Final = Path(str(files("companion.web") / "page"))
MOST_BROWSERS: Final = 24
_BREATH_SECONDS: Final = 0.03
"""A browser is told the news at most so often."""
_TOO_BIG, _TRY_LATER = 1009, 1013
_USUAL_OF_HTTP: Final = 80
_SECURE: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


class OnlyThisMachine:
    """Refuses requests that were meant for another device, or that pages of other origins make."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        names = ("127.0.0.1", "localhost")
        self._hosts = {f"{name}:{port}" for name in names}
        if port == _USUAL_OF_HTTP:  # browsers leave it out
            self._hosts.update(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or answers 403."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        # The Host, since any name can be made to lead here; the Origin, since any page may open a socket to here.
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get(b"origin")
        if headers.get(b"host") in self._hosts and (origin is None or origin in {f"http://{h}" for h in self._hosts}):
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            refused = PlainTextResponse("Only pages of this program on this machine may ask for that.\n", 403)
            await refused(scope, receive, send)


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            known = {name.lower() for name, _ in message["headers"]}
            more = [(name.encode(), value.encode()) for name, value in _SECURE.items() if name.encode() not in known]
            message["headers"] = [*message["headers"], *more]
        await send(message)

    return send_with_headers


class Office:
    """The browsers that are there; wakes them when there is news."""

    def __init__(self, device: VirtualDevice) -> None:
        self.device = device
        self.news = News(device)
        self._bells: set[asyncio.Event] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        device.listen(self._ring)

    @contextlib.asynccontextmanager
    async def open(self, _: Starlette) -> AsyncIterator[None]:
        """While the server runs."""
        self._loop = asyncio.get_running_loop()
        watch = asyncio.create_task(self._watch_screen())
        yield
        watch.cancel()
        self._loop = None

    def _ring(self) -> None:
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has just been closed
                loop.call_soon_threadsafe(self._ring_all)

    def _ring_all(self) -> None:
        for bell in self._bells:
            bell.set()

    async def _watch_screen(self) -> None:
        """The screen's driver tells nobody when it has written."""
        sent = -1
        while True:
            await asyncio.sleep(_BREATH_SECONDS)
            if self._bells and self.device.memory.bytes_sent != sent:
                sent = self.device.memory.bytes_sent
                self._ring_all()

    async def meet(self, socket: WebSocket) -> None:
        """A browser, from its coming to its going."""
        if len(self._bells) >= MOST_BROWSERS:
            await socket.close(_TRY_LATER)
            return
        # Nobody can guess this name: what a browser holds only that one can move.
        who, bell = secrets.token_hex(4), asyncio.Event()
        # A browser that has never been here brings its language, before it is told anything in another one.
        brought = socket.query_params.get("language")
        if brought in LANGUAGES and not self.device.is_language_given and not _is_played_at(self.device.world):
            self.device.speak(brought)
        # Counted before anything is waited for: else any number could come in at once.
        self._bells.add(bell)
        bell.set()
        telling: asyncio.Task[None] | None = None
        try:
            await socket.accept()
            telling = asyncio.create_task(self._tell(socket, who, bell))
            await self._listen(socket, who)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            if telling is not None:
                telling.cancel()
            self._bells.discard(bell)
            # Else what a closed page held would hang in the air until others may take it.
            self.device.world.leave(who)

    async def _tell(self, socket: WebSocket, who: str, bell: asyncio.Event) -> None:
        known: dict[str, int] = {}
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(msgspec.json.encode({"type": "you", "are": who}).decode())
            while True:
                await bell.wait()
                # Cleared before the news are asked for: what comes meanwhile rings again, and nothing is missed.
                bell.clear()
                for text in await asyncio.to_thread(self.news.since, known):
                    await socket.send_text(text)
                await asyncio.sleep(_BREATH_SECONDS)

    async def _listen(self, socket: WebSocket, who: str) -> None:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            # A message that is a little too long is a mistake, and answered; one like this ends the line.
            if text is not None and len(text) > 8 * LONGEST:
                await socket.close(_TOO_BIG)
                return
            await self._take(socket, who, text)

    async def _take(self, socket: WebSocket, who: str, text: str | None) -> None:
        try:
            act(self.device, who, read_message(text or ""))
        except (MessageError, HandsError) as error:
            reason = error.reason if isinstance(error, HandsError) else "message"
            await socket.send_text(
                msgspec.json.encode({"type": "refused", "reason": reason, "why": str(error)}).decode()
            )


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
        Route("/camera.jpg", _picture_of(device, camera_view, missing=Response(status_code=204))),
        WebSocketRoute("/table", office.meet),
        Mount("/page", StaticFiles(directory=PAGE)),
    ]
    return Starlette(routes=routes, lifespan=office.open, middleware=[Middleware(OnlyThisMachine, port=port)])


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
        await asyncio.sleep(_BREATH_SECONDS)


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
