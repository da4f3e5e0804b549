"""The dice box on the device: any dice for any game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from msgspec.structs import replace

from companion.dice.box import KINDS, SYSTEM, DiceBox, Source
from companion.games.events import Changed, Effect, Event, Kept, Leave, Pressed, Show, Sound, Spoken, Tick
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.texts.language import Texts
from hardware.buttons import Button

MOST_DICE: Final = 6
FALL_SECONDS: Final = 0.6
_FRAME_SECONDS: Final = 0.1
_FEW: Final = 4
"""So many dice leave room for words beside them."""


class DiceTable:
    """ROLL rolls, PASS takes another kind of dice, UP and DOWN one more or one less, BACK leaves."""

    expected_faces: Collection[str] = ()
    held_buttons: Collection[Button] = (Button.PASS, Button.BACK)
    """They count when they are let go: held together they switch the companion off."""

    def __init__(self, settings: Settings, source: Source = SYSTEM) -> None:
        """Four wheel dice lie ready."""
        self.settings = settings
        self._source = source
        self._kind = next(iter(KINDS))
        self._box = self._dice(4)
        self._now = 0.0
        self._rolled_at: float | None = None
        self._shown: Screen | None = None

    def _dice(self, count: int) -> DiceBox:
        return DiceBox([KINDS[self._kind]] * count, self._source)

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event."""
        effects: list[Effect] = []
        if isinstance(event, Tick):
            self._now = event.seconds
        elif isinstance(event, Spoken):
            self.settings = replace(self.settings, language=event.language)
        elif isinstance(event, Changed):
            self.settings, self._shown = event.change.of(self.settings), None
            effects.append(Kept(self.settings))
        elif isinstance(event, Pressed):
            effects += self._pressed(event.button)
        screen = self.screen()
        if screen != self._shown:
            self._shown = screen
            effects.append(Show(screen))
        return effects

    def facts(self) -> Mapping[str, object]:
        """Nothing but where we are."""
        return {"room": "dice"}

    def _pressed(self, button: Button) -> list[Effect]:
        count = len(self._box.dice)
        if button is Button.ROLL:
            self._box.roll()
            self._rolled_at = self._now
            return [Sound("dice")]
        if button is Button.BACK:
            return [Leave("lobby")]
        if button is Button.PASS:
            names = list(KINDS)
            self._kind = names[(names.index(self._kind) + 1) % len(names)]
        elif button is Button.UP:
            count = min(count + 1, MOST_DICE)
        else:
            count = max(count - 1, 1)
        self._box = self._dice(count)
        self._rolled_at = None
        return []

    def screen(self) -> Screen:
        """The dice as they lie or fall."""
        say = Texts(self.settings.language)
        count, faces = len(self._box.dice), self._box.faces
        name = say(f"dice.{self._kind}") if self._kind == "wheel" else self._kind
        keys = (say("device.key-roll"), say("dice.key-kind"), "+", "\N{MINUS SIGN}", say("device.key-back"))
        if not faces:
            return Screen(heading=say("device.leave-dice"), main=f"{count} × {name}", keys=keys)
        fallen = self._now - (self._rolled_at or 0.0)
        tumbling = 0 if fallen >= FALL_SECONDS else 1 + int(fallen / _FRAME_SECONDS)
        sides = () if self._kind == "wheel" else (max(KINDS[self._kind].faces),) * count
        told = say("dice.total", total=sum(faces)) if sides else say("dice.wheels", wheels=sum(faces))
        if count > _FEW:
            # Many dice need the room themselves.
            return Screen(heading="" if tumbling else told, dice=faces, sides=sides, tumbling=tumbling, keys=keys)
        lines = () if tumbling else (told,)
        return Screen(heading=f"{count} × {name}", dice=faces, sides=sides, tumbling=tumbling, lines=lines, keys=keys)
