"""Lists that are chosen from, and pages that are read, with the buttons; among them the list of settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec.structs import replace

from companion.games.at_table.desk import PlayDesk
from companion.games.events import Kept, Leave
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.texts.language import LANGUAGES
from hardware.buttons import Button

Desk = TypeVar("Desk", bound=PlayDesk)


class ListEntry(Generic[Desk]):
    """One of a list."""

    def __init__(self, title: str, choices: Sequence[str], done: Callable[[Desk, int], None], chosen: int = 0) -> None:
        """``done`` is told the index of the chosen one; ``chosen`` is where the list begins."""
        self._title = title
        self._choices = tuple(choices)
        self._done = done
        self._chosen = chosen

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        match button:
            case Button.UP | Button.DOWN:
                self._chosen = (self._chosen + (1 if button is Button.DOWN else -1)) % len(self._choices)
            case Button.ROLL:
                desk.close()
                self._done(desk, self._chosen)
            case _:
                desk.close()

    def screen(self, desk: Desk) -> Screen:
        keys = (desk.word("key-ok"), "", "▲", "▼", desk.word("key-back"))
        return Screen(heading=self._title, choices=self._choices, chosen=self._chosen, keys=keys)


class Page:
    """Sentences to read, a page at a time."""

    def __init__(self, heading: str, main: str, lines: tuple[str, ...] = ()) -> None:
        """``lines`` are shown a few at a time."""
        self._heading = heading
        self._main = main
        self._lines = lines
        self._from = 0

    def press(self, desk: PlayDesk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """UP and DOWN leaf through, everything else leaves."""
        if button in {Button.UP, Button.DOWN} and len(self._lines) > 2:
            step = 2 if button is Button.DOWN else -2
            self._from = (self._from + step) % (len(self._lines) + len(self._lines) % 2)
        else:
            desk.close()

    def screen(self, desk: PlayDesk) -> Screen:
        arrows = ("▲", "▼") if len(self._lines) > 2 else ("", "")
        keys = ("", "", *arrows, desk.word("key-back"))
        lines = self._lines[self._from : self._from + 2]
        return Screen(heading=self._heading, main=self._main, lines=lines, keys=keys)


def open_settings(
    desk: Desk,
    own: Sequence[tuple[str, Settings]],
    again: Callable[[Desk, int], None],
    chosen_at: int = 0,
) -> None:
    """Opens the list of settings at one of them: those of every game, the game's ``own``, and what it is left for.

    Each is a title, and the settings once it is chosen; ``again`` opens the list once more at the one that was chosen.
    """
    now, say = desk.settings, desk.word
    language = LANGUAGES[(LANGUAGES.index(now.language) + 1) % len(LANGUAGES)]
    changes = [
        (say("set-language", language=say("this-language")), replace(now, language=language)),
        (say("set-large", value=say.yes_or_no(now.large)), replace(now, large=not now.large)),
        (say("set-sounds", value=say.yes_or_no(now.sounds)), replace(now, sounds=not now.sounds)),
        *own,
    ]
    leaving = ("dice", "new-game", "off")
    names = [name for name, _ in changes] + [say(f"leave-{to}") for to in leaving]

    def chosen(desk: Desk, index: int) -> None:
        if index < len(changes):
            desk.use(changes[index][1])
            desk.send(Kept(desk.settings))
            again(desk, index)
        else:
            desk.send(Leave(leaving[index - len(changes)]))

    desk.open(ListEntry(say("settings"), names, chosen, chosen_at))
