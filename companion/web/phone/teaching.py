"""Teaching on the page: pictures of the cards, and photographs that a phone has taken."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from companion.texts.language import LANGUAGES, Texts
from companion.web.phone.door import Door, as_json, body_of
from companion.web.phone.views import packed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from companion.device.session import Session
    from vision.arrays import Picture

_PHOTOGRAPH_PX = 2048
"""As wide or high as a photograph is looked at: a card that fills it has more than any face is kept with."""


@runtime_checkable
class _Teaches(Protocol):
    """What runs while a deck is taught."""

    def picture(self, name: str) -> Picture | None: ...

    def facts(self) -> Mapping[str, object]: ...

    def photograph(self, picture: Picture) -> bool: ...


class TeachingRoutes:
    """What a page asks while a deck is taught."""

    def __init__(self, session: Session, door: Door) -> None:
        self._session, self._door = session, door

    @property
    def routes(self) -> list[Route]:
        """Pictures of cards, and where photographs are sent to."""
        return [
            Route("/phone/cards/{name}.webp", self._card),
            Route("/phone/photograph/{language}", self._door.only_inside(self._photograph), methods=["POST"]),
        ]

    @property
    def _teaching(self) -> _Teaches | None:
        """What teaches, while it does."""
        handler: object = self._session.handler
        return handler if isinstance(handler, _Teaches) else None

    async def _card(self, request: Request) -> Response:
        teaching = self._teaching
        picture = None if teaching is None else teaching.picture(request.path_params["name"])
        if picture is None:
            return PlainTextResponse("There is no such picture.\n", 404)
        return Response(await asyncio.to_thread(packed, picture, ".webp"), media_type="image/webp")

    async def _photograph(self, request: Request) -> Response:
        from vision.picture_files.apart import LARGEST_FILE_BYTES

        language = request.path_params["language"]
        say = Texts(language if language in LANGUAGES else "en")
        teaching = self._teaching
        if teaching is None:
            return _answered("not-teaching", 409)
        data = await body_of(request, LARGEST_FILE_BYTES)
        if data is None:
            return _answered("refused", 413, say("photograph.refused-bytes"))
        # Before it is unpacked, which takes seconds: a phone that waits asks again and again.
        if teaching.facts()["step"] != "waiting":
            return _answered("busy", 409)
        picture = await asyncio.to_thread(_decoded, data)
        if isinstance(picture, str):
            return _answered("refused", 422, say(f"photograph.refused-{picture}"))
        if self._teaching is not teaching:
            return _answered("not-teaching", 409)
        return _answered("looking", 200) if teaching.photograph(picture) else _answered("busy", 409)


def _decoded(data: bytes) -> Picture | str:
    """The picture, not larger than it is looked at; or the name of the reason why it is none."""
    import cv2
    import numpy as np

    from vision.picture_files import PictureError, picture_apart

    try:
        picture = picture_apart(data, "")
    except PictureError as error:
        return error.reason
    scale = _PHOTOGRAPH_PX / max(picture.shape[:2])
    return (
        np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
        if scale < 1
        else picture
    )


def _answered(answer: str, status: int, why: str = "") -> Response:
    told = as_json({"answer": answer, "why": why})
    told.status_code = status
    return told
