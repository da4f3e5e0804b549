"""What all parts of a controller work at: the people's settings, the time, and what is on the screen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from companion.dice.box import Source
from companion.games.at_table.clock import Clock, EarlyPress
from companion.games.at_table.faults import Faults
from companion.games.at_table.told import Story, Told
from companion.games.at_table.words import Words
from companion.games.events import Effect, Sound
from companion.games.settings import Settings
from companion.games.step import RuleError
from companion.screen.screen import Screen
from hardware.buttons import Button

_Desk = TypeVar("_Desk", bound="PlayDesk", contravariant=True)  # noqa: PLC0105 - one word for one thing


class Dialog(Protocol[_Desk]):
    """Something that people do with the buttons before the game goes on."""

    def press(self, desk: _Desk, button: Button, *, held: bool) -> None:
        """A button was pressed."""

    def screen(self, desk: _Desk) -> Screen:
        """What is to be seen."""


class PlayDesk(ABC):
    """The state of a controller that every game has."""

    word: Words

    def __init__(self, settings: Settings, source: Source) -> None:
        """``source`` is the chance of dice and lots."""
        self.source = source
        self.clock = Clock()
        self.early = EarlyPress()
        self.faults = Faults()
        self.told = Told()
        self.dialog: Dialog[Any] | None = None
        self._effects: list[Effect] = []
        self.use(settings)

    def use(self, settings: Settings) -> None:
        """Changes the settings."""
        self.settings = settings
        self._read_settings()

    @abstractmethod
    def _read_settings(self) -> None:
        """Takes from the settings what the game needs of them: ``word``, and its own part."""

    @abstractmethod
    def forbid(self, clause: str) -> None:
        """People have tried what this clause forbids."""

    def speak(self, language: str) -> None:
        """Tells everything in this language from now on, also what has been told already."""
        self.use(replace(self.settings, language=language))
        self.told.remark("", self.now)
        if self.story is not None:
            self.told.tell(self._told_again(self.story))

    @abstractmethod
    def _told_again(self, story: Story) -> Story:
        """What the story says in the language of now."""

    @property
    def now(self) -> float:
        """The time in seconds."""
        return self.clock.now

    @property
    def story(self) -> Story | None:
        """What happened last."""
        return self.told.story

    @property
    def notice(self) -> str:
        """A remark that is still worth reading."""
        return self.told.notice(self.now)

    def open(self, dialog: Dialog[Any]) -> None:
        """People are asked something, in place of what they were asked before."""
        self.dialog = dialog

    def close(self) -> None:
        """Nothing is asked any more."""
        self.dialog = None

    def remark(self, text: str) -> None:
        """Says something for a while."""
        self.told.remark(text, self.now)

    def refuse(self, error: RuleError) -> None:
        """Says what the rules object to."""
        self.forbid(error.clause)
        self.remark(self.word.error(error))

    def sound(self, name: str) -> None:
        """Makes a sound, if sounds are wanted."""
        if self.settings.sounds:
            self.send(Sound(name))

    def send(self, effect: Effect) -> None:
        """Something is to be done outside."""
        self._effects.append(effect)

    def sent(self) -> list[Effect]:
        """What has been sent since this was called last."""
        sent, self._effects = self._effects, []
        return sent
