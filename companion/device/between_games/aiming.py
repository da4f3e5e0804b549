"""Aiming the camera on the device: what to do with its arm, its lens and the light, one thing at a time."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from companion.doctor.hints import Hint
from companion.games.events import Changed, Effect, Event, Fault, Kept, Leave, Pressed, Restored, Show, Sound, Spoken
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.texts.faults import FAULTS, fault_line
from companion.texts.language import Texts
from hardware.buttons import Button

if TYPE_CHECKING:
    from companion.doctor.aiming_eyes import AimingEyes

_TOLD_BY_EYES: Final = frozenset({"not-sharp", "strange-cards"})


class Aiming:
    """Says what the eyes want: ROLL leaves a thing as it is, or all once that is well. Left for ``lobby``."""

    expected_faces: Collection[str] = ()
    held_buttons: Collection[Button] = (Button.PASS, Button.BACK)
    """They count when they are let go: held together they switch the companion off."""

    def __init__(self, settings: Settings, eyes: AimingEyes) -> None:
        self.settings = settings
        self._eyes = eyes
        self._faults: dict[str, str] = {}
        self._shown: Screen | None = None
        self._hint = Hint("looking")

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event."""
        effects: list[Effect] = []
        match event:
            # A press is meant for what was to be seen before.
            case Pressed(button=Button.BACK):
                return [Leave("lobby")]
            case Pressed(button=Button.ROLL) if self._hint.subject == "well":
                return [Leave("lobby")]
            case Pressed(button=Button.ROLL) if self._hint.can_stay:
                self._eyes.accept(self._hint.subject)
            case Fault(device=device, message=message) if device in FAULTS and device not in _TOLD_BY_EYES:
                self._faults[device] = message
            case Restored(device=device):
                self._faults.pop(device, None)
            case Spoken(language=language):
                self.settings = replace(self.settings, language=language)
            case Changed(change=change):
                self.settings, self._shown = change.of(self.settings), None
                effects.append(Kept(self.settings))
            case _:
                pass
        before, self._hint = self._hint, self._now()
        screen = self.screen()
        if screen != self._shown:
            self._shown = screen
            effects.append(Show(screen))
            # Who turns the lens may not see the screen.
            if self._hint != before and (self._hint.subject == "well" or self._hint.turn == "sharpest"):
                effects.append(Sound("right"))
        return effects

    def screen(self) -> Screen:
        """What is to be seen."""
        say = Texts(self.settings.language)
        faults = [_fault_line(say, device, told) for device, told in sorted(self._faults.items()) if device != "dark"]
        return self._hint.screen(say, (*faults, "")[0])

    def facts(self) -> Mapping[str, Any]:
        """What the eyes see and want, for a page: plain data; may be asked in any thread."""
        return {"room": "aiming", **self._eyes.facts()}

    def _now(self) -> Hint:
        if "camera" in self._faults:
            return Hint("looking")
        if "dark" in self._faults:
            return Hint("dark")
        judged = self._eyes.judged
        return self._hint if judged is None else judged.hint


def _fault_line(say: Texts, device: str, told: str) -> str:
    """What is said of a fault; without a picture the buttons are no help here, as they are in a game."""
    return say("aiming.no-camera") if device == "camera" else fault_line(say, device, told)
