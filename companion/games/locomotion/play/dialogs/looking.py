"""What can be looked at at any time: the map, the trains, the speeds, what happened last, and the settings."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.at_table.lists import ListEntry, Page, open_settings
from companion.games.locomotion.artwork.map import state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.sentences import is_with_speed, order_line, speed_lines, train_lines
from companion.screen.screen import Screen
from hardware.buttons import Button


class WholeMap:
    """The network with all that stands on it, as large as the screen."""

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - whatever is pressed
        """Everything leaves."""
        desk.close()

    def screen(self, desk: Desk) -> Screen:
        return Screen(map=state_map(desk.state), keys=("", "", "", "", desk.word("key-back")))


def look(desk: Desk) -> None:
    """Opens the list of what can be looked at; before the game there are only the settings."""
    if not desk.has_begun:
        settings(desk)
        return
    entries: dict[str, Callable[[Desk], None]] = {
        "look-map": lambda desk: desk.open(WholeMap()),
        "look-trains": lambda desk: _read(desk, "look-trains", order_line(desk), train_lines(desk)),
        "look-speeds": lambda desk: _read(desk, "look-speeds", "", speed_lines(desk)),
        "last-instruction": last_instruction,
        "settings": settings,
    }
    if not is_with_speed(desk):
        del entries["look-speeds"]
    names, opens = list(entries), list(entries.values())

    def chosen(desk: Desk, index: int) -> None:
        opens[index](desk)

    desk.open(ListEntry(desk.word("title-look"), [desk.word(name) for name in names], chosen))


def _read(desk: Desk, title: str, main: str, lines: tuple[str, ...]) -> None:
    desk.open(Page(desk.word(title), main, lines))


def last_instruction(desk: Desk) -> None:
    """Shows once more what happened last."""
    if desk.story is None or not desk.story.lines:
        _read(desk, "last-instruction", desk.word("nothing-yet"), ())
        return
    first, *rest = desk.story.lines
    desk.open(Page(desk.story.heading, first, tuple(rest)))


def settings(desk: Desk, chosen_at: int = 0) -> None:
    """Opens the list of settings, at one of them."""
    open_settings(desk, [], settings, chosen_at)
