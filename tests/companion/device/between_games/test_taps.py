"""Lines of a list that are tapped on a page: the loop makes presses of it, if it still is that list."""

from __future__ import annotations

import pytest

from companion.device.loop import Loop
from companion.games.events import Effect, Event, Fault, Pressed, Show, Tapped
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button, VirtualButtons


class Lists:
    """Shows lists one after the other; each line that is chosen brings the next one."""

    settings = Settings()
    expected_faces: tuple[str, ...] = ()
    held_buttons: tuple[Button, ...] = ()

    def __init__(self, *keys: str) -> None:
        self.at, self.chosen, self.keys = 0, [], keys or ("OK", "OK")
        self.list = 0

    def facts(self) -> dict[str, object]:
        return {}

    @property
    def screen(self) -> Screen:
        choices = tuple("abcde")[: 5 - self.list]
        keys = (self.keys[self.list], "", "▲", "▼", "")
        return Screen(heading=f"list {self.list}", choices=choices, chosen=self.at, keys=keys)

    def handle(self, event: Event) -> list[Effect]:
        before = self.screen
        if isinstance(event, Pressed) and event.button is Button.ROLL:
            self.chosen.append(self.at)
            self.at, self.list = 0, 1
        elif isinstance(event, Pressed):
            self.at = (self.at + (1 if event.button is Button.DOWN else -1)) % len(before.choices)
        elif not isinstance(event, Fault):
            return []
        return [Show(self.screen)]


@pytest.mark.parametrize("line", range(5))
def test_a_line_that_is_tapped_is_gone_to_and_chosen_once(line: int) -> None:
    lists = Lists()
    loop = Loop(lists, VirtualButtons(), [])
    loop.post(Fault("begins"))
    # Twice, by an impatient finger or by two phones: the second one is meant for a list that is gone.
    for _ in range(2):
        loop.post(Tapped(line, "abcde"[line], "list 0"))
    loop.turn()
    assert (lists.chosen, lists.list, lists.at) == ([line], 1, 0)


@pytest.mark.parametrize(
    "tapped", [Tapped(2, "c", "list 1"), Tapped(2, "d", "list 0"), Tapped(-1, "e", "list 0"), Tapped(9, "c", "list 0")]
)
def test_a_tap_that_was_meant_for_another_list_does_nothing(tapped: Tapped) -> None:
    lists = Lists()
    loop = Loop(lists, VirtualButtons(), [])
    loop.post(Fault("begins"))
    loop.post(tapped)
    loop.turn()
    assert (lists.chosen, lists.at) == ([], 0)


def test_where_roll_counts_a_line_that_is_tapped_is_only_gone_to() -> None:
    lists = Lists("+", "OK")
    loop = Loop(lists, VirtualButtons(), [])
    loop.post(Fault("begins"))
    loop.post(Tapped(3, "d", "list 0"))
    loop.turn()
    assert (lists.chosen, lists.at) == ([], 3)
