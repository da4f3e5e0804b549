"""A controller: events in, effects out, always the same for the same events.

It has no devices, no clock and no chance of its own. Every accepted step is in the game's record before its effects
are given back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from companion.games.at_table.desk import PlayDesk
from companion.games.at_table.faults import BLINDING
from companion.games.at_table.layers import Layer, hear, screen
from companion.games.at_table.lists import ListEntry, Page
from companion.games.events import Changed, Effect, Event, Fault, Kept, Pressed, Restored, Show, Spoken, Tick
from companion.games.settings import Change, Settings
from companion.games.step import RuleError
from companion.record.file import RecordError
from companion.screen.screen import Screen

Desk = TypeVar("Desk", bound=PlayDesk)


class TableController(ABC, Generic[Desk]):
    """Leads people through a game; what the game does about the table is its own."""

    def __init__(self, desk: Desk, layers: Sequence[Layer[Desk]]) -> None:
        """``layers`` are all of them, from top to bottom."""
        self.desk = desk
        self._layers = layers
        self._shown: Screen | None = None

    @property
    def settings(self) -> Settings:
        return self.desk.settings

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event; the screen only where it has changed."""
        desk = self.desk
        done = self._written()
        try:
            self._take(event)
            self._advance()
        except RecordError as error:
            desk.faults.lose_step(error, desk.now)
        except RuleError as error:
            desk.refuse(error)
        # A step that was done shows that the record can be written again.
        desk.faults.find_record(desk.now, is_written=self._written() != done)
        shown = self._screen()
        if shown != self._shown:
            self._shown = shown
            desk.send(Show(shown))
        return desk.sent()

    def _screen(self) -> Screen:
        """What is to be seen now."""
        return screen(self._layers, self.desk)

    @abstractmethod
    def _written(self) -> int:
        """How often the record has been written."""

    @abstractmethod
    def _advance(self) -> None:
        """Does what follows from the table as it lies, step after step."""

    @abstractmethod
    def _forget_table(self) -> None:
        """Hands go on while nothing is seen: the last reading must not count for what lies there."""

    def _take(self, event: Event) -> None:
        desk = self.desk
        match event:
            case Tick(seconds=seconds):
                desk.clock.tick(seconds)
            case Fault(device=device, message=message):
                self._lose(device, message)
            case Restored(device=device):
                desk.faults.restore(device)
            case Spoken(language=language):
                self._speak(language)
            case Changed(change=change):
                self._change(change)
            case Pressed():
                hear(self._layers, desk, event)
            case _:
                pass

    def _speak(self, language: str) -> None:
        self.desk.speak(language)
        # What is headed in the old language is asked no more; a press asks it again.
        if self._speaks(self.desk.dialog):
            self.desk.close()

    def _speaks(self, dialog: object) -> bool:
        """Whether a dialog was opened with sentences in it."""
        return isinstance(dialog, ListEntry | Page)

    def _change(self, change: Change) -> None:
        changed = change.of(self.desk.settings)
        if changed.language != self.desk.settings.language:
            self._speak(changed.language)
        self.desk.use(changed)
        # The list of settings would set them as they were when it was opened.
        if isinstance(self.desk.dialog, ListEntry):
            self.desk.close()
        self._shown = None
        self.desk.send(Kept(changed))

    def _lose(self, device: str, message: str) -> None:
        if device not in self.desk.faults:
            if device in BLINDING:
                self._forget_table()
            self.desk.sound("wrong")
        self.desk.faults.report(device, message, self.desk.now)
