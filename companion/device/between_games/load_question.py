"""The first question on a fresh memory card: whether the backup is loaded that lies on it."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Collection, Mapping
from datetime import date
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from companion.device.appliance import Appliance
from companion.device.between_games.keeping.loading import load, title_of
from companion.device.between_games.keeping.parts import KeepingError, entries_in
from companion.games.events import Effect, Event, Leave, Pressed, Show, Spoken, Tick
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.texts.language import Texts
from hardware.buttons import Button
from hardware.devices import Devices

_log = logging.getLogger(__name__)


class LoadQuestion:
    """ROLL loads it, BACK does not; is left for ``loaded``, or for ``lobby``."""

    expected_faces: Collection[str] = ()
    held_buttons: Collection[Button] = (Button.PASS, Button.BACK)
    """They count when they are let go: held together they switch the companion off."""

    def __init__(self, settings: Settings, day: str, loads: Callable[[], object]) -> None:
        """``day`` (ISO 8601) is that of saving, "" if nobody knows; ``loads`` takes its time, raises KeepingError."""
        self.settings = settings
        self._day, self._loads = day, loads
        self._loading: threading.Thread | None = None
        self._is_loaded = False
        self._refused: KeepingError | None = None
        self._shown: Screen | None = None

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event."""
        effects: list[Effect] = []
        match event:
            case Spoken(language=language):
                self.settings = replace(self.settings, language=language)
            case Pressed(button=button):
                effects += self._pressed(button)
            case Tick() if self._loading is not None and not self._loading.is_alive():
                self._loading = None
                effects += [Leave("loaded")] if self._is_loaded else []
        screen = self.screen()
        if screen != self._shown:
            self._shown = screen
            effects.append(Show(screen))
        return effects

    def facts(self) -> Mapping[str, object]:
        """Nothing but where we are."""
        return {"room": "load"}

    def _pressed(self, button: Button) -> list[Effect]:
        if self._loading is not None:
            return []
        if self._refused is not None or button is Button.BACK:
            return [Leave("lobby")]
        if button is Button.ROLL:
            # Beside the loop, which is waited for: a memory card may need minutes.
            self._loading = threading.Thread(target=self._load, name="loading", daemon=True)
            self._loading.start()
        return []

    def _load(self) -> None:
        try:
            self._loads()
        except KeepingError as error:
            self._refused = error
        except Exception:  # noqa: BLE001 - the companion can be used without it
            _log.exception("nothing is loaded: the program has made a mistake")
            self._refused = KeepingError("damaged")
        else:
            self._is_loaded = True

    def screen(self) -> Screen:
        """The question, or what has come of the answer."""
        say = Texts(self.settings.language)
        if self._loading is not None:
            return Screen(heading=say("saved.title"), main=say("saved.loading"), lines=(say("saved.loading-takes"),))
        if self._is_loaded:
            return Screen(heading=say("saved.title"), main=say("saved.loaded"))
        if self._refused is not None:
            told, keys = self._refused.told(self.settings.language), (say("device.key-ok"), "", "", "", "")
            return Screen(main=say("saved.not-loaded"), lines=(told,), keys=keys, alert=True)
        found = say("saved.found-of", date=date.fromisoformat(self._day)) if self._day else say("saved.found")
        keys = (say("device.yes"), "", "", "", say("device.no"))
        return Screen(heading=say("saved.title"), main=say("saved.load"), lines=(found,), keys=keys)


def asked_on_fresh_card(
    devices: Devices,
    settings: Settings,
    folder: Path,
    file: Path,
    *,
    on_turn: Callable[[], None],
    is_over: Callable[[], bool],
) -> Leave | None:
    """Asks, where a companion has nothing yet and there is a saved one; what the question was left for, if it was.

    ``loaded``: it counts from the next start on. ``on_turn`` is as for a session.
    """
    # Not Path.exists: it raises where the way there is closed to us, and then no start would ever go on.
    if entries_in(folder) or not os.path.exists(file):  # noqa: PTH110
        return None
    try:
        title = title_of(file)
    except KeepingError as error:
        _log.warning("%s is not loaded: %s", file, error)
        return None
    speaking = replace(settings, language=title.language or settings.language)
    question = LoadQuestion(speaking, title.saved, partial(load, file, folder))
    return Appliance(question, devices, None, on_turn=on_turn).run(is_over)
