"""Who comes in: knocking, the digits of the screen, the key that a browser keeps, and sending browsers away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import msgspec
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from companion.device.visitors import Answer, NotNowError, Visitors
from companion.web.addresses import plain_number
from companion.web.phone.keys import LONGEST_NAME, Keys

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request

COOKIE: Final = "companion-key"
_LONGEST_BODY: Final = 1_000
BODY_SECONDS: Final = 15.0
"""So long the few bytes of a body may take."""
FILE_SECONDS: Final = 120.0
"""So long a file may take to come over a slow Wi-Fi."""
_YEAR_SECONDS: Final = 365 * 24 * 3600
_STATUS: Final = {"busy": 409, "quiet": 429, "often": 429, "gone": 410}
_Asked = TypeVar("_Asked", bound=msgspec.Struct)


class _Knocking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser wants to come in."""

    name: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)] = ""


class _Digits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The digits that somebody has read on the screen; none where only what came of it is asked."""

    knock: Annotated[str, msgspec.Meta(max_length=64)]
    digits: Annotated[str, msgspec.Meta(max_length=16)] = ""
    name: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)] = ""


class _Withdrawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who knocked wants to come in no more."""

    knock: Annotated[str, msgspec.Meta(max_length=64)]


class _Revoked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser is sent away."""

    id: Annotated[str, msgspec.Meta(max_length=16)]


class Door:
    """Lets browsers in that people have said yes to."""

    def __init__(self, visitors: Visitors, keys: Keys) -> None:
        self._visitors, self._keys = visitors, keys

    def may(self, asked: HTTPConnection) -> bool:
        """Whether a browser has been let in, and not been sent away since."""
        return self._keys.knows(asked.cookies.get(COOKIE, ""))

    @property
    def is_asked_at(self) -> bool:
        """Whether the screen shows digits, or asks whether somebody may come in."""
        return self._visitors.now is not None

    def only_inside(self, answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """The same answer, but only for those that were let in."""

        async def guarded(request: Request) -> Response:
            if not self.may(request):
                return PlainTextResponse("Let this browser in first: ask for it on the page.\n", 403)
            return await answer(request)

        return guarded

    @property
    def routes(self) -> list[Route]:
        """Where browsers ask to be let in."""
        return [
            Route("/phone/knock", self._knock, methods=["POST"]),
            Route("/phone/digits", self._digits, methods=["POST"]),
            Route("/phone/withdraw", self._withdraw, methods=["POST"]),
            Route("/phone/keys", self.only_inside(self._list)),
            Route("/phone/revoke", self.only_inside(self._revoke), methods=["POST"]),
        ]

    async def _knock(self, request: Request) -> Response:
        if await read_body(request, _Knocking) is None:
            return not_understood()
        try:
            return as_json({"knock": self._visitors.knock(address_of(request))})
        except NotNowError as error:
            return _not_now(error)

    async def _digits(self, request: Request) -> Response:
        asked = await read_body(request, _Digits)
        if asked is None:
            return not_understood()
        try:
            if asked.digits and not self._visitors.try_digits(asked.knock, asked.digits, address_of(request)):
                return as_json({"answer": "wrong"})
            answer = self._visitors.answer_to(asked.knock, at_door=True)
        except NotNowError as error:
            return _not_now(error)
        told = as_json({"answer": answer.value})
        if answer is Answer.COME_IN:
            try:
                key = self._keys.make(asked.name)
            except OSError:
                return PlainTextResponse("Nothing can be kept: is the memory card full?\n", 507)
            told.set_cookie(COOKIE, key, max_age=_YEAR_SECONDS, path="/", httponly=True, samesite="strict")
        return told

    async def _withdraw(self, request: Request) -> Response:
        asked = await read_body(request, _Withdrawn)
        if asked is None:
            return not_understood()
        try:
            self._visitors.withdraw(asked.knock)
        except NotNowError as error:
            return _not_now(error)
        return as_json({})

    async def _list(self, request: Request) -> Response:
        mine = request.cookies.get(COOKIE, "")
        return as_json(
            {"keys": [{"id": each.id, "name": each.name, "me": each.fits(mine)} for each in self._keys.entries]}
        )

    async def _revoke(self, request: Request) -> Response:
        asked = await read_body(request, _Revoked)
        if asked is None:
            return not_understood()
        try:
            self._keys.revoke(asked.id)
        except OSError:
            return PlainTextResponse("Nothing can be kept: is the memory card full?\n", 507)
        return as_json({})


async def body_of(request: Request, most_bytes: int, most_seconds: float = FILE_SECONDS) -> bytes | None:
    """What a browser has sent, if it is not too long, and there in time: then nothing of it is kept in memory."""
    body = bytearray()
    try:
        async with asyncio.timeout(most_seconds):
            async for part in request.stream():
                body += part
                if len(body) > most_bytes:
                    return None
    except (TimeoutError, ClientDisconnect):
        return None
    return bytes(body)


async def read_body(request: Request, kind: type[_Asked]) -> _Asked | None:
    """What a browser has sent, if it is a short message of that kind."""
    body = await body_of(request, _LONGEST_BODY, BODY_SECONDS)
    try:
        return None if body is None else msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def as_json(value: dict[str, Any]) -> Response:
    """An answer that programs read."""
    return Response(msgspec.json.encode(value), media_type="application/json")


def not_understood() -> Response:
    """The answer to what is nothing that a page of ours sends."""
    return PlainTextResponse("This was not understood.\n", 400)


def _not_now(error: NotNowError) -> Response:
    told = as_json({"answer": error.reason})
    told.status_code = _STATUS[error.reason]
    return told


def address_of(request: Request) -> str:
    """From where somebody asks, as people know it."""
    return "?" if request.client is None else plain_number(request.client.host)
