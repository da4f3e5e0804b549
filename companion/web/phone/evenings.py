"""Past evenings on the page: the games that were played, told, drawn, counted, given away and taken in.

Looking is free, and so is a game's record: it holds names and cards. Taking in is for those that were let in, and so
is giving away all games at once, which costs a small computer minutes.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.games.evenings.evenings import Curve, Refused, refusal
from companion.record.file import LARGEST_BYTES, RecordError
from companion.texts.language import LANGUAGES, Texts
from companion.web.phone.door import Door, as_json, body_of

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

    from companion.device.session import Session
    from companion.games.evenings.dice_check import DieCheck
    from companion.games.evenings.evenings import Evenings, Listed

_AT_ONCE: Final = 50
"""So many games are listed at a time."""
_SHARE_IN_A_GAME: Final = 0.05
"""Of the time that games are learnt for at most while one is played: its loop does not feel that."""
_PIECE_BYTES: Final = 65_536
DRAWING: Final = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:"}
"""Nothing in a drawing can run or ask for anything, wherever it is opened."""
_Asked = ParamSpec("_Asked")
_Made = TypeVar("_Made")


class EveningsRoutes:
    """What a page asks about past games. One thing that takes long is done at a time, whoever asks."""

    def __init__(self, session: Session, door: Door, evenings: Evenings, folder: Path) -> None:
        """``folder`` is where a file of all games is made before it is sent."""
        self._session, self._door, self._evenings, self._folder = session, door, evenings, folder
        self._one = asyncio.Lock()
        self._unknown, self._rests_until = 0, float("-inf")

    @property
    def routes(self) -> list[Route]:
        """The list, all dice and curves, the files, and what there is of a game."""
        game = "/phone/evenings/games/{name}"
        return [
            Route("/phone/evenings/list/{language}.json", self._list),
            Route("/phone/evenings/learn", self._learn, methods=["POST"]),
            Route("/phone/evenings/dice/{language}.json", self._dice),
            Route("/phone/evenings/curves/{language}.json", self._curves),
            Route("/phone/evenings/all.zip", self._door.only_inside(self._all)),
            Route("/phone/evenings/take-in/{language}", self._door.only_inside(self._take_in), methods=["POST"]),
            Route(f"{game}/told/{{language}}.json", self._told),
            Route(f"{game}/faces/{{face:path}}.svg", self._face),
            Route(f"{game}/picture.svg", self._picture),
            Route(f"{game}/record.jsonl", self._record),
        ]

    async def _alone(self, do: Callable[_Asked, _Made], *args: _Asked.args, **kwargs: _Asked.kwargs) -> _Made:
        """Does something in a thread once nothing else of this is done: a game is played on the same processor."""
        async with self._one:
            return await asyncio.to_thread(do, *args, **kwargs)

    async def _list(self, request: Request) -> Response:
        language, first = request.path_params["language"], _number(request.query_params.get("from", "0"))
        if language not in LANGUAGES or first is None:
            return _none()
        return as_json(await self._alone(self._listed, language, first))

    def _listed(self, language: str, first: int) -> dict[str, Any]:
        listed, say, kinds = self._evenings.listed(), Texts(language), self._kinds(language)
        return {
            "count": len(listed),
            "unknown": sum(not each.is_known for each in listed),
            "games": [_plain(each, kinds, say) for each in listed[first : first + _AT_ONCE]],
        }

    async def _learn(self, _: Request) -> Response:
        async with self._one:
            began = time.monotonic()
            # However many look at the list, they all together learn no more.
            if began >= self._rests_until:
                self._unknown = await asyncio.to_thread(self._evenings.learn)
                if self._session.play is not None:
                    self._rests_until = began + (time.monotonic() - began) / _SHARE_IN_A_GAME
        return as_json({"unknown": self._unknown, "rest": max(0.0, self._rests_until - time.monotonic())})

    async def _dice(self, request: Request) -> Response:
        language = request.path_params["language"]
        if language not in LANGUAGES:
            return _none()
        checks = await self._alone(self._evenings.dice, request.query_params.get("game"))
        return as_json({"dice": [_checked(check, language) for check in checks]})

    async def _curves(self, request: Request) -> Response:
        language = request.path_params["language"]
        if language not in LANGUAGES:
            return _none()
        try:
            curves = await self._alone(self._evenings.curves)
        except RecordError:
            return PlainTextResponse("A book of results cannot be read.\n", 422)
        kinds = await asyncio.to_thread(self._kinds, language)
        return as_json({"curves": [self._curve(curve, kinds, language) for curve in curves]})

    def _curve(self, curve: Curve, kinds: dict[tuple[str, str], str], language: str) -> Curve:
        """A curve in the reader's words."""
        kind = kinds.get((curve.game, curve.kind), curve.kind)
        return replace(curve, kind=kind, rules=self._evenings.rules_called(curve, language))

    def _kinds(self, language: str) -> dict[tuple[str, str], str]:
        return self._evenings.kinds(replace(self._session.settings, language=language))

    async def _told(self, request: Request) -> Response:
        name, language = request.path_params["name"], request.path_params["language"]
        if language not in LANGUAGES:
            return _none()
        story = await self._alone(self._story, name, language)
        return _none() if story is None else Response(story, media_type="application/json")

    def _story(self, name: str, language: str) -> bytes | None:
        """The moments of a game, as far as they can be told and have room; None without any."""
        story, is_whole = bytearray(), True
        try:
            for told in self._evenings.told(name, language):
                moment = msgspec.json.encode(told)
                if len(story) + len(moment) > LARGEST_BYTES:
                    is_whole = False
                    break
                story += (b"," if story else b"") + moment
        except RecordError:
            is_whole = False
        whole = b"true" if is_whole else b"false"
        return b"".join((b'{"is_whole":', whole, b',"moments":[', story, b"]}")) if story else None

    async def _face(self, request: Request) -> Response:
        try:
            face = await self._alone(self._evenings.face, request.path_params["name"], request.path_params["face"])
        except RecordError:
            return _none()
        return Response(face, media_type="image/svg+xml", headers=DRAWING) if face else _none()

    async def _picture(self, request: Request) -> Response:
        name, wanted = request.path_params["name"], request.query_params.get("moment")
        moment = None if wanted is None else _number(wanted)
        if wanted is not None and moment is None:
            return _none()
        try:
            picture = await self._alone(self._evenings.picture, name, moment)
        except (RecordError, IndexError):
            return _none()
        if not picture:
            return _none()
        at = "" if moment is None else f"-{moment}"
        file = f"{name.removesuffix('.jsonl')}{at}.svg"
        return Response(picture, media_type="image/svg+xml", headers={**DRAWING, **_to_keep(file)})

    async def _record(self, request: Request) -> Response:
        name = request.path_params["name"]
        try:
            record = await self._alone(self._evenings.exported, name)
        except RecordError:
            return _none()
        file = f"{name.removesuffix('.jsonl')}.jsonl"
        return Response(record, media_type="application/jsonl", headers=_to_keep(file))

    async def _all(self, _: Request) -> Response:
        try:
            archive = await self._alone(self._packed)
        except OSError:
            return PlainTextResponse("There is no room for it: is the memory card full?\n", 507)
        return StreamingResponse(_pieces(archive), media_type="application/zip", headers=_to_keep("games.zip"))

    def _packed(self) -> IO[bytes]:
        """A file of all games, which is gone as soon as it is closed; raises OSError."""
        # Beside the games: the folder of temporary files is in memory on some systems.
        file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - closed once it has been sent
        try:
            without = self._evenings.export_all(file)
            if without:
                with zipfile.ZipFile(file, "a") as archive:
                    archive.writestr(zipfile.ZipInfo("left-out.txt"), "".join(f"{name}\n" for name in without))
        except BaseException:
            file.close()
            raise
        return file

    async def _take_in(self, request: Request) -> Response:
        language = request.path_params["language"]
        if language not in LANGUAGES:
            return _none()
        data = await body_of(request, LARGEST_BYTES)
        if data is None:
            too_large = Refused("too-large", megabytes=LARGEST_BYTES // 1_000_000)
            return _refused(too_large, language, 413)
        try:
            return as_json({"name": await self._alone(self._evenings.take_in, data)})
        except Refused as error:
            return _refused(error, language, 422)


def _plain(listed: Listed, kinds: dict[tuple[str, str], str], say: Texts) -> dict[str, Any]:
    """A game as the list has it, in the reader's words."""
    summary = listed.summary
    told = msgspec.structs.asdict(summary)
    # Of the dice all together are asked for.
    del told["dice"], told["occasion"]
    return {
        **told,
        **summary.occasion._asdict(),
        "name": listed.name,
        "is_known": listed.is_known,
        "kind": kinds.get((summary.game, summary.kind), summary.kind),
        "trouble": summary.trouble and say(f"evenings.{summary.trouble}"),
    }


def _checked(check: DieCheck, language: str) -> dict[str, Any]:
    told = msgspec.structs.asdict(check)
    return {**told, "faces": [face._asdict() for face in check.faces], "words": check.in_words(language)}


def _number(text: str) -> int | None:
    """A number that counts games or moments."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(LARGEST_BYTES)) else None


def _to_keep(file: str) -> dict[str, str]:
    """That it is kept as a file: names of games have no other letters than digits, points and hyphens."""
    return {"content-disposition": f'attachment; filename="{file}"'}


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while piece := file.read(_PIECE_BYTES):
            yield piece


def _refused(refused: Refused, language: str, status: int) -> Response:
    told = as_json({"why": refusal(refused, language)})
    told.status_code = status
    return told


def _none() -> Response:
    return PlainTextResponse("There is no such game.\n", 404)
