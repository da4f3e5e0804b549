"""A name spelled with five buttons: two presses a letter."""

from __future__ import annotations

from typing import Final

from companion.screen.screen import Screen
from companion.texts.language import Texts
from hardware.buttons import Button

LONGEST_NAME: Final = 9
"""So many letters stand beside the count of cards in one line."""
_GROUPS: Final = ("ABCDEFGH", "IJKLMNOP", "QRSTUVWX", "YZÄÖÜÑÉ-")
_KEYS: Final = (Button.ROLL, Button.PASS, Button.UP, Button.DOWN)


class NameEntry:
    """One press chooses some letters, the next, short or held, one of them. BACK deletes; held it ends."""

    def __init__(self, number: int, name: str) -> None:
        """``number`` of the player, from 1; ``name`` as it has been so far."""
        self.number = number
        self.name = name
        self._group: str | None = None

    @property
    def held_buttons(self) -> frozenset[Button]:
        """The buttons that mean something else when they are held."""
        return frozenset({Button.BACK} if self._group is None else Button)

    def press(self, button: Button, *, held: bool) -> bool:
        """A button was pressed; says whether the name is done. An empty one is the usual one."""
        if self._group is None:
            return self._press_first(button, held=held)
        if button is not Button.BACK:
            letter = self._group[_KEYS.index(button) + len(_KEYS) * held]
            begins = not self.name or self.name.endswith("-")
            self.name += letter if begins else letter.lower()
        self._group = None
        return len(self.name) >= LONGEST_NAME

    def _press_first(self, button: Button, *, held: bool) -> bool:
        if button is not Button.BACK:
            self._group = _GROUPS[_KEYS.index(button)]
        elif held or not self.name:
            return True
        else:
            self.name = self.name[:-1]
        return False

    def screen(self, say: Texts) -> Screen:
        """What has been spelled so far."""
        heading = say("lobby.title-name", number=self.number)
        if self._group is None:
            roll, other, up, down = (f"{group[0]}-{_last(group)}" for group in _GROUPS)
            keys = (roll, other, up, down, "⌫" if self.name else say("device.key-back"))
            lines = (say("lobby.hold-done"),) if self.name else ()
            return Screen(heading=heading, main=f"{self.name}_", lines=lines, keys=keys)
        short, held = self._group[: len(_KEYS)], self._group[len(_KEYS) :]
        roll, other, up, down = list(short)
        lines = (say("device.held-keys", cards=list(held)),)
        keys = (roll, other, up, down, say("device.key-back"))
        return Screen(heading=heading, main=f"{self.name}_", lines=lines, keys=keys)


def _last(group: str) -> str:
    return group[-1] if group[-1].isalpha() else group[-2]
