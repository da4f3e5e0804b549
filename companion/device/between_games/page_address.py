"""Where the page on the phone is found: its address, as name and as number."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec.structs import replace

from companion.games.events import Changed, Effect, Event, Kept, Leave, Pressed, Show, Spoken, Tick
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.texts.language import Texts
from hardware.buttons import Button

_AGAIN_SECONDS = 2.0
"""So often it is looked up: a network may come later than the list of games."""


class PageAddress:
    """Says what to type on a phone. Left for ``lobby``."""

    expected_faces: Collection[str] = ()
    held_buttons: Collection[Button] = (Button.PASS, Button.BACK)
    """They count when they are let go: held together they switch the companion off."""

    def __init__(self, settings: Settings, addresses: Callable[[], Sequence[str]]) -> None:
        """``addresses`` are those that phones at home reach, the one with a name first; none without a network."""
        self.settings = settings
        self._ask = addresses
        self._addresses = addresses()
        self._asked_at = float("-inf")
        self._shown: Screen | None = None

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event."""
        effects: list[Effect] = []
        match event:
            case Pressed(button=Button.BACK | Button.ROLL):
                return [Leave("lobby")]
            case Tick(seconds=seconds) if seconds - self._asked_at >= _AGAIN_SECONDS:
                self._asked_at, self._addresses = seconds, self._ask()
            case Spoken(language=language):
                self.settings = replace(self.settings, language=language)
            case Changed(change=change):
                self.settings, self._shown = change.of(self.settings), None
                effects.append(Kept(self.settings))
            case _:
                pass
        screen = address_screen(Texts(self.settings.language), self._addresses)
        if screen != self._shown:
            self._shown = screen
            effects.append(Show(screen))
        return effects

    def facts(self) -> Mapping[str, object]:
        """Nothing but where we are."""
        return {"room": "address"}


def address_screen(say: Texts, addresses: Sequence[str]) -> Screen:
    """What is to be typed on a phone; the name does not lead here on all of them, so the number stands there too."""
    keys = (say("device.key-ok"), "", "", "", say("device.key-back"))
    lines = tuple(addresses) or (say("page.no-network"),)
    return Screen(say("page.type-this"), lines=lines, keys=keys)
