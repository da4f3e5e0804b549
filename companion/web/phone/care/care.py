"""All that the place of the page answers where the companion is looked after."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.routing import Route

from companion.doctor.machine import Machine
from companion.web.phone.care.decks import Decks
from companion.web.phone.care.devices import Devices
from companion.web.phone.care.log import RecentLines
from companion.web.phone.care.saved import Saved
from companion.web.phone.care.settings import SettingsOnPage
from companion.web.phone.care.uploads import Uploads
from companion.web.phone.care.versions import Versions
from companion.web.phone.door import as_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.device.session import Session
    from companion.device.visitors import Visitors
    from companion.web.phone.door import Door

    Answer = Callable[[Request], Awaitable[Response]]


class Care:
    """Looks after a companion, for browsers that were let in."""

    def __init__(
        self, session: Session, door: Door, visitors: Visitors, folder: Path, *, devices: Path | None, machine: Machine
    ) -> None:
        """``folder`` is the companion's, ``devices`` the file of its devices, ``machine`` the one that it runs on."""
        self._door = door
        self._settings = SettingsOnPage(session)
        self._devices = Devices(session, visitors, folder, devices, machine)
        uploads = Uploads(folder)
        self._saved = Saved(session, uploads, folder, devices)
        self._decks = Decks(session, uploads)
        self._versions = Versions(session, visitors, uploads, folder, machine)
        self.log = RecentLines()

    @property
    def routes(self) -> list[Route]:
        """What may be asked for below ``/phone/care``."""
        get: dict[str, Answer] = {
            "settings/{language}.json": self._settings.tell,
            "findings/{language}.json": self._devices.examine,
            "trial": self._devices.tell_trial,
            "saved": self._saved.tell,
            "left-out": self._saved.tell_left_out,
            "companion-backup.zip": self._saved.save,
            "deck": self._decks.tell,
            "deck.zip": self._decks.save,
            "version": self._versions.tell,
            "log": self._tell_log,
        }
        post: dict[str, Answer] = {
            "settings": self._settings.change,
            "trial": self._devices.try_out,
            "load": self._saved.load,
            "before": self._saved.take_back,
            "deck": self._decks.load,
            "wheel": self._versions.load,
            "look": self._versions.look,
            "version": self._versions.ask,
            "answer": self._versions.hear,
        }
        return [
            Route(f"/phone/care/{path}", self._door.only_inside(answer), methods=[method])
            for method, answers in (("GET", get), ("POST", post))
            for path, answer in answers.items()
        ]

    async def _tell_log(self, _: Request) -> Response:
        return as_json({"lines": self.log.lines})
