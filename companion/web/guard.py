"""Who may ask at all: only pages of this program, under addresses that no foreign name can be made to lead to."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from typing import Final

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_USUAL_OF_HTTP: Final = 80
_THIS_MACHINE: Final = ("localhost", "127.0.0.1")
_OF_OURS: Final = {"same-origin", "none"}
"""Where a browser says that a request comes from: from a page of here, or from its own address line."""
_SECURE: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


class Guard:
    """Refuses requests that were meant for another device, or that pages of other origins make."""

    def __init__(self, app: ASGIApp, port: int, names: Collection[str] = ()) -> None:
        """``port`` is the one that is served at, ``names`` what this machine is called, in small letters."""
        self._app, self._port, self._names = app, port, {*names, *_THIS_MACHINE}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or answers 403."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        # The Host, since any name can be made to lead here; the Origin, since any page may open a socket to here.
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get(b"host", ""), headers.get(b"origin")
        is_asked_here = (
            headers.get(b"sec-fetch-site", "none") in _OF_OURS or headers.get(b"sec-fetch-mode") == "navigate"
        )
        if self._is_ours(host) and is_asked_here and (origin is None or self._is_of_ours(origin, host)):
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            refused = PlainTextResponse("Only pages of this program may ask for that.\n", 403)
            await refused(scope, receive, _with_headers(send))

    def _is_of_ours(self, origin: str, host: str) -> bool:
        """Whether a page came from here: from the Host that is asked now, or from this machine by its other name."""
        at = "" if self._port == _USUAL_OF_HTTP else f":{self._port}"
        return origin in {f"http://{host}", *(f"http://{name}{at}" for name in _THIS_MACHINE)}

    def _is_ours(self, host: str) -> bool:
        """Whether a Host is one that only this machine can be meant by."""
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if not name:  # browsers leave the usual port out
            name, port = host, str(_USUAL_OF_HTTP)
        return (port or str(_USUAL_OF_HTTP)) == str(self._port) and (name.lower() in self._names or _is_address(name))


def _is_address(name: str) -> bool:
    """Whether it is a number and no name: a number leads where it says, whoever has written it into a page."""
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            known = {name.lower() for name, _ in message["headers"]}
            more = [(name.encode(), value.encode()) for name, value in _SECURE.items() if name.encode() not in known]
            message["headers"] = [*message["headers"], *more]
        await send(message)

    return send_with_headers
