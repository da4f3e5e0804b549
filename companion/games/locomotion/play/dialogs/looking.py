"""What can be looked at at any time: the map, the trains, the speeds, what happened last, and the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.games.at_table.lists import ListEntry, Page, open_settings
from companion.games.locomotion.artwork.map import state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.sentences import is_with_speed, order_line, speed_lines, train_lines
from companion.games.locomotion.rules import State
from companion.games.locomotion.wording import Kind
from companion.screen.screen import Screen
from hardware.buttons import Button


class WholeMap:
    """The network with all that stands on it, as large as the screen; or the part of it where a vehicle stands."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._vehicle: int | None = None

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """UP and DOWN go from vehicle to vehicle, everything else leaves."""
        if button not in {Button.UP, Button.DOWN}:
            desk.close()
            return
        count, way = len(self._state.stock.dots), 1 if button is Button.DOWN else -1
        # Before the first one and after the last is the whole.
        at = (count if self._vehicle is None else self._vehicle) + way
        at %= count + 1
        self._vehicle = None if at == count else at

    def screen(self, desk: Desk) -> Screen:
        keys = ("", "", "▲", "▼", desk.word("key-back"))
        if self._vehicle is None:
            return Screen(map=state_map(self._state), keys=keys)
        setup, dot = self._state.setup, self._state.stock.dots[self._vehicle]
        kind = Kind(setup.colours[self._vehicle], setup.is_locomotive(self._vehicle))
        return Screen(lines=(desk.word.kind(kind),), map=state_map(self._state, marked=[dot]), keys=keys)


def look(desk: Desk) -> None:
    """Opens the list of what can be looked at; before the game there are only the map and the settings."""
    if not desk.has_begun:
        _look_before(desk)
        return
    entries: dict[str, Callable[[Desk], None]] = {
        "look-map": lambda desk: desk.open(WholeMap(desk.state)),
        "look-trains": lambda desk: _read(desk, "look-trains", order_line(desk), train_lines(desk)),
        "look-speeds": lambda desk: _read(desk, "look-speeds", "", speed_lines(desk)),
        "last-instruction": last_instruction,
        "settings": settings,
    }
    if not is_with_speed(desk):
        del entries["look-speeds"]
    _choose(desk, entries)


def _look_before(desk: Desk) -> None:
    shown = None if desk.preparation is None else desk.preparation.shown
    if shown is None:
        settings(desk)
    else:
        _choose(desk, {"look-map": lambda desk: desk.open(WholeMap(shown)), "settings": settings})


def _choose(desk: Desk, entries: Mapping[str, Callable[[Desk], None]]) -> None:
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
