"""Serves the page on the phone: watching is free, whatever changes something is for those that were let in."""

from __future__ import annotations

import asyncio
import io
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import segno
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from companion.device.between_games.aiming import Aiming
from companion.doctor.machine import Machine
from companion.games.evenings.evenings import Evenings
from companion.games.registry import games
from companion.teaching.face_words import are_aside, shape_of, usual_places
from companion.texts.language import LANGUAGES, Texts
from companion.web.lines import Lines
from companion.web.phone.care.care import Care
from companion.web.phone.door import Door, as_json
from companion.web.phone.evenings import DRAWING, EveningsRoutes
from companion.web.phone.keys import Keys
from companion.web.phone.line import take
from companion.web.phone.teaching import TeachingRoutes
from companion.web.phone.views import Views

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request
    from starlette.websockets import WebSocket

    from companion.device.session import Session
    from companion.device.visitors import Visitors
    from companion.games.game import Chapter
    from companion.web.phone.news import SessionNews
    from vision.cards import Edge, Face

PAGE: Final = Path(str(files("companion.web.phone") / "page"))
MOST_PHONES: Final = 64


class Phones:
    """The phones that look at a session."""

    def __init__(
        self,
        session: Session,
        news: SessionNews,
        visitors: Visitors,
        folder: Path,
        *,
        devices: Path | None = None,
        machine: Machine | None = None,
    ) -> None:
        """``folder`` is the companion's, ``devices`` the file of its devices, ``machine`` the one that it runs on."""
        self._session, self._folder = session, folder
        self._door = Door(visitors, Keys(folder / "phones.json"))
        self._care = Care(session, self._door, visitors, folder, devices=devices, machine=machine or Machine())
        self._views = Views(session)
        self.lines = Lines(news.since, MOST_PHONES)
        news.listen(self.lines.ring)

    def open(self) -> None:
        """From now on they are served; called where the server runs."""
        self.lines.open()
        self._care.log.listen()

    def close(self) -> None:
        """The server ends."""
        self._care.log.stop_listening()
        self.lines.close()

    @property
    def routes(self) -> list[BaseRoute]:
        """All that a phone may ask for."""
        return [
            Route("/phone", _index),
            Route("/phone/texts/{language}.json", _texts),
            Route("/phone/rules/{language}.json", self._rules),
            Route("/phone/faces.json", self._faces),
            Route("/phone/faces/{face}.webp", self._face),
            Route("/phone/drawings/{name}.svg", self._drawing),
            Route("/phone/called/{language}.json", self._called),
            Route("/phone/camera.jpg", self._camera),
            Route("/phone/aim.json", self._aim),
            Route("/phone/address.svg", _address),
            *self._door.routes,
            *TeachingRoutes(self._session, self._door).routes,
            *EveningsRoutes(self._session, self._door, Evenings(self._folder, games()), self._folder).routes,
            *self._care.routes,
            WebSocketRoute("/phone/line", self._meet),
            Mount("/phone/page", StaticFiles(directory=PAGE)),
        ]

    async def _meet(self, socket: WebSocket) -> None:
        is_inside = self._door.may(socket)
        # Asked for each message: who is sent away steers nothing from then on.
        await self.lines.keep(
            socket,
            {"type": "you", "inside": is_inside},
            lambda text: take(
                self._session, text, is_inside=self._door.may(socket), is_door_asked=self._door.is_asked_at
            ),
            comes_first=is_inside,
        )

    async def _rules(self, request: Request) -> Response:
        language = request.path_params["language"]
        if language not in LANGUAGES:
            return PlainTextResponse("There is no such language.\n", 404)
        games = await asyncio.to_thread(self._session.rules, language)
        return as_json({"games": [{"title": title, "chapters": _plain(chapters)} for title, chapters in games]})

    async def _camera(self, _: Request) -> Response:
        # The camera may see the companion's own screen: not while there are digits on it.
        view = None if self._door.is_asked_at else await asyncio.to_thread(self._views.camera)
        return Response(status_code=204) if view is None else Response(view, media_type="image/jpeg")

    async def _aim(self, _: Request) -> Response:
        # Not told on the line: a lens is turned without anything new on the screen.
        handler = self._session.handler
        return as_json(dict(handler.facts()) if isinstance(handler, Aiming) else {})

    async def _faces(self, _: Request) -> Response:
        """What is on each card of the game, so that it can be said: value, kind, and which way its rails take."""
        play = self._session.play
        faces = () if play is None else play.deck.faces
        usual = usual_places(faces)
        return as_json({"faces": {face.id: _in_words(face, usual) for face in faces}})

    async def _drawing(self, request: Request) -> Response:
        """What a game draws itself: nothing in it can run or ask for anything."""
        play = self._session.play
        drawing = "" if play is None else await asyncio.to_thread(play.drawing, request.path_params["name"])
        if not drawing:
            return PlainTextResponse("There is no such drawing.\n", 404)
        return Response(drawing, media_type="image/svg+xml", headers=DRAWING)

    async def _called(self, request: Request) -> Response:
        """What that is called, so that it can be said."""
        play, language = self._session.play, request.path_params["language"]
        if language not in LANGUAGES:
            return PlainTextResponse("There is no such language.\n", 404)
        return as_json({} if play is None else dict(play.called(language)))

    async def _face(self, request: Request) -> Response:
        face = await asyncio.to_thread(self._views.face, request.path_params["face"])
        if face is None:
            return PlainTextResponse("There is no such picture.\n", 404)
        return Response(face, media_type="image/webp")


def _plain(chapters: Sequence[Chapter]) -> list[dict[str, Any]]:
    return [
        {"title": chapter.title, "clauses": [clause._asdict() for clause in chapter.clauses]} for chapter in chapters
    ]


def _in_words(face: Face, usual: Mapping[Edge, float]) -> dict[str, Any]:
    rails, is_aside = shape_of(face.ports), are_aside(face.ports, usual)
    return {"value": face.value, "kind": face.kind.value, "rails": rails, "aside": is_aside}


async def _address(request: Request) -> Response:
    """The page's address as this phone knows it, for another one that looks at its screen."""
    # The guard has let in this name alone, so it is one of ours.
    code = io.BytesIO()
    segno.make(f"http://{request.headers['host']}/", micro=False).save(code, kind="svg", border=4)
    return Response(code.getvalue(), media_type="image/svg+xml")


async def _index(_: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _texts(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        return PlainTextResponse("There is no such language.\n", 404)
    return as_json({"language": language, "texts": page_texts(language)})


def page_texts(language: str) -> dict[str, str]:
    """All that the page says: what stands in a section of a place has that one's name before its own."""
    say = Texts(language, "companion.web.phone")
    places = ("page", "correct", "edit", "rules", "teach", "aim", "evenings", "care")
    return {
        name if place == "page" else f"{place}-{name}": text
        for place in places
        for name, text in say.section(place).items()
    }
