"""Screen, buttons, camera and the rest: what the doctor says of them, and what can be tried meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from companion.device.between_games.keeping.parts import devices_file
from companion.device.visitors import NotNowError, Visitors
from companion.doctor.examination import examine
from companion.doctor.findings import Verdict
from companion.doctor.machine import Machine
from companion.texts.harmless import shortened
from companion.texts.language import Texts
from companion.web.phone.care.uploads import language_of, refused
from companion.web.phone.door import as_json

if TYPE_CHECKING:
    from typing import Any

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.device.session import Session


class Devices:
    """Looks at the devices and tries them; nothing of it disturbs a game that is played."""

    def __init__(self, session: Session, visitors: Visitors, folder: Path, file: Path | None, machine: Machine) -> None:
        self._session, self._visitors, self._folder = session, visitors, folder
        self._file, self._machine = file, machine
        self._is_busy = False

    async def examine(self, request: Request) -> Response:
        """What the doctor says; it takes seconds, and is asked by one at a time."""
        language = language_of(request)
        if self._is_busy:
            return refused(language, "examined")
        self._is_busy = True
        try:
            return as_json({"findings": await asyncio.to_thread(self._findings, Texts(language))})
        finally:
            self._is_busy = False

    def _findings(self, say: Texts) -> list[dict[str, Any]]:
        # Pins and camera are in the hands of the session: another pair would take them from the game.
        found = examine(self._machine, devices_file(self._file, self._folder), self._folder, holds_devices=True)
        # What has to be mended first.
        order = [Verdict.BAD, Verdict.NOTE, Verdict.GOOD]
        return [
            {
                "part": say(f"doctor.part-{each.part}"),
                "verdict": each.verdict,
                "word": say(f"doctor.verdict-{each.verdict}"),
                "says": shortened(each.told(say)),
            }
            for each in sorted(found, key=lambda each: order.index(each.verdict))
        ]

    async def try_out(self, request: Request) -> Response:
        """The screen shows itself and buttons are only seen, for a while; not while a game is played."""
        if self._session.play is not None:
            return refused(language_of(request), "played")
        try:
            self._visitors.try_out()
        except NotNowError:
            return refused(language_of(request), "busy-table")
        return await self.tell_trial(request)

    async def tell_trial(self, _: Request) -> Response:
        """Whether screen and buttons are being tried, and which of them have been pressed."""
        trial = self._visitors.trial
        return as_json(
            {
                "on": trial is not None,
                "pressed": [] if trial is None else sorted(trial.pressed),
            }
        )
