"""Before a game: which one is played, or gone on with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from msgspec.structs import replace

from companion.control.events import Effect, Event, Kept, Leave, Pressed, Show
from companion.control.settings import Settings
from companion.language import LANGUAGES, Texts
from companion.loknroll import Mode
from companion.screen import Screen
from hardware.buttons import Button

_RESUME: Final = "resume"
_LANGUAGE: Final = "language"
_LEAVING: Final = ("dice", "off")


class Lobby:
    """Asks what is to be done; is left for ``begin`` (``mode`` says which game), ``resume``, ``dice`` or ``off``."""

    expected_faces: Collection[str] = ()
    held_buttons: Collection[Button] = ()

    def __init__(self, settings: Settings, modes: Sequence[Mode], *, can_resume: bool) -> None:
        """``modes`` are those of the edition; ``can_resume``: there is a game that has not been finished."""
        self.settings = settings
        self.mode: Mode | None = None
        resume = (_RESUME,) if can_resume else ()
        self._entries: tuple[str, ...] = (*resume, *(mode.value for mode in modes), _LANGUAGE, *_LEAVING)
        self._chosen = 0
        self._shown: Screen | None = None

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event."""
        effects: list[Effect] = []
        if isinstance(event, Pressed):
            if event.button in {Button.UP, Button.DOWN}:
                step = 1 if event.button is Button.DOWN else -1
                self._chosen = (self._chosen + step) % len(self._entries)
            elif event.button is Button.ROLL:
                effects += self._choose(self._entries[self._chosen])
        if self.screen() != self._shown:
            self._shown = self.screen()
            effects.append(Show(self._shown))
        return effects

    def _choose(self, entry: str) -> list[Effect]:
        if entry == _LANGUAGE:
            language = LANGUAGES[(LANGUAGES.index(self.settings.language) + 1) % len(LANGUAGES)]
            self.settings = replace(self.settings, language=language)
            return [Kept(self.settings)]
        if entry == _RESUME or entry in _LEAVING:
            return [Leave(entry)]
        self.mode = Mode(entry)
        return [Leave("begin")]

    def screen(self) -> Screen:
        """The list."""
        say = Texts(self.settings.language, "companion")
        keys = (say("control.key-ok"), "", "▲", "▼", "")
        choices = tuple(self._name(say, entry) for entry in self._entries)
        return Screen(heading="LOK'n'ROLL", choices=choices, chosen=self._chosen, keys=keys)

    def _name(self, say: Texts, entry: str) -> str:
        if entry == _LANGUAGE:
            return say("control.set-language", language=self.settings.language)
        if entry in _LEAVING:
            return say(f"control.leave-{entry}")
        return say("control.resume" if entry == _RESUME else f"control.mode-{entry}")
