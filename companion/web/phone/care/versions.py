"""Another version of the program: a browser that is in loads it, and people at the table say whether it is put in."""

from __future__ import annotations

import asyncio
import contextlib
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import msgspec

from companion.device.between_games.keeping.newer import look, looked, take
from companion.device.between_games.keeping.parts import KeepingError
from companion.device.between_games.keeping.upgrading import (
    LARGEST_WHEEL_BYTES,
    ask_for,
    ask_for_version_before,
    told,
    version_in,
)
from companion.device.visitors import BEFORE, WAITING_SECONDS, Answer, NotNowError, Visitors
from companion.doctor.machine import Machine
from companion.web.phone.care.uploads import UploadError, language_of, refused, refused_so
from companion.web.phone.door import address_of, as_json, not_understood, read_body

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.device.session import Session
    from companion.web.phone.care.uploads import Uploads

_UNIT: Final = "etc/systemd/system/companion-upgrade.path"
"""What answers: a companion that was started by hand has nobody who could exchange it."""
_LOOKS: Final = "etc/systemd/system/companion-newer.path"
"""What looks for newer versions, where the owner has said where they lie."""
_PACKAGE: Final = "table-companion"


class _Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``install`` what was loaded, or the ``newer`` one that was found, or go ``back``."""

    what: Literal["install", "newer", "back"]


class _Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether there is a newer version: somebody wants to know it now, or as often as it is due."""

    now: bool


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What has come of the question at the table."""

    ask: Annotated[str, msgspec.Meta(max_length=64)]


class _Question(NamedTuple):
    """What people are asked: a file to put in, None for the version before; and until when they may answer."""

    secret: str
    wheel: Path | None
    until: float


class Versions:
    """Which version runs, and which one may run."""

    def __init__(self, session: Session, visitors: Visitors, uploads: Uploads, folder: Path, machine: Machine) -> None:
        self._session, self._visitors, self._uploads = session, visitors, uploads
        self._folder, self._machine = folder, machine
        self._wheel = folder / ".wheel"
        """What was loaded and waits for an answer."""
        self._version = ""
        self._question: _Question | None = None
        self._is_put_in = False
        with contextlib.suppress(OSError):
            self._wheel.unlink(missing_ok=True)

    async def tell(self, _: Request) -> Response:
        """The version that runs, the one that was loaded, what came of the last request; whether one can be put in.

        Where it is looked for newer ones, ``newer`` is what came of that.
        """
        return as_json(
            {
                "running": version(_PACKAGE),
                "loaded": self._version,
                "told": told(self._folder),
                "can": (self._machine.root / _UNIT).exists(),
                "most": min(LARGEST_WHEEL_BYTES, self._uploads.free_bytes),
                "newer": self._newer() if self._looks else None,
            }
        )

    @property
    def _looks(self) -> bool:
        return (self._machine.root / _LOOKS).exists()

    def _newer(self) -> dict[str, object]:
        found, is_asked, _ = looked(self._folder, version(_PACKAGE))
        told = {"looking": is_asked, "looked": found is not None}
        return told | ({} if found is None else {"version": found.version, "trouble": found.trouble})

    async def look(self, request: Request) -> Response:
        """Looks for a newer version where that is due, or wanted now; never while a game is played."""
        wanted = await read_body(request, _Look)
        if wanted is None or not self._looks:
            return not_understood()
        if wanted.now or looked(self._folder, version(_PACKAGE)).is_due:
            if self._session.play is not None:
                return refused(language_of(request), "played") if wanted.now else await self.tell(request)
            try:
                await asyncio.to_thread(look, self._folder)
            except OSError:
                return refused(language_of(request), "kept")
        return await self.tell(request)

    async def load(self, request: Request) -> Response:
        """A wheel; nothing of it is run."""
        language = language_of(request)
        try:
            async with self._uploads.received(request, LARGEST_WHEEL_BYTES) as file:
                loaded = await asyncio.to_thread(version_in, file)
                # What people are asked about must not become another one before it is in place.
                if self._is_asked():
                    return refused(language, "ask-busy")
                file.replace(self._wheel)
                self._version = loaded
        except UploadError as error:
            return refused(language, error.reason)
        except KeepingError as error:
            return refused(language, "damaged" if error.reason == "damaged" else "no-version")
        except OSError:
            return refused(language, "kept")
        return await self.tell(request)

    async def ask(self, request: Request) -> Response:
        """Asks the people at the table; ``hear`` says what they have answered."""
        wanted = await read_body(request, _Wanted)
        if wanted is None or (wanted.what == "newer" and not await self._take_newer()):
            return not_understood()
        if wanted.what != "back" and not self._version:
            return not_understood()
        wheel = None if wanted.what == "back" else self._wheel
        try:
            secret = self._visitors.ask(self._version if wheel else BEFORE, address_of(request))
        except NotNowError as error:
            return refused(language_of(request), f"ask-{error.reason}")
        self._question = _Question(secret, wheel, time.monotonic() + WAITING_SECONDS)
        return as_json({"ask": secret})

    async def hear(self, request: Request) -> Response:
        """What people have said; once they have said yes it is done."""
        asked, language = await read_body(request, _Asked), language_of(request)
        if asked is None:
            return not_understood()
        question = self._question
        if question is None or question.secret != asked.ask:
            return refused(language, "ask-gone")
        try:
            answer = self._visitors.answer_to(asked.ask, at_door=False)
            if answer is Answer.COME_IN:
                await self._put_in(question)
        except NotNowError:
            self._question = None
            return refused(language, "ask-gone")
        except KeepingError as error:
            return refused_so(error.told(language))
        if answer is Answer.NO:
            self._question = None
            return refused(language, "ask-no")
        return as_json({"answer": answer.value})

    async def _take_newer(self) -> bool:
        """What was found is from now on what was loaded; whether something was."""
        if self._is_asked() or not self._looks:
            return False
        try:
            take(self._folder, self._wheel)
            self._version = ""
            self._version = await asyncio.to_thread(version_in, self._wheel)
        except (OSError, KeepingError):
            return False
        return True

    def _is_asked(self) -> bool:
        return self._is_put_in or (self._question is not None and time.monotonic() < self._question.until)

    async def _put_in(self, question: _Question) -> None:
        """Raises KeepingError."""
        self._question, self._is_put_in = None, True
        try:
            if question.wheel is None:
                await asyncio.to_thread(ask_for_version_before, self._folder)
            else:
                await asyncio.to_thread(ask_for, question.wheel, self._folder)
                self._version = ""
        finally:
            self._is_put_in = False
