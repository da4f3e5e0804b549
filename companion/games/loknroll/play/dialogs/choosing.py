"""Things that are chosen with the buttons: a card, a place for it, a number of wheels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.rules.railway.geometry import Placement
from companion.games.loknroll.table.maps import railway_map
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Face

BUTTONS: Final = (Button.ROLL, Button.PASS, Button.UP, Button.DOWN, Button.BACK)
_ROW: Final = len(BUTTONS) - 1
"""The buttons that can be held for a card; BACK held leaves."""

Done = Callable[[Desk, Face], None]


class FaceEntry:
    """Which card it is: a button for its value, then one for what is on it: two presses.

    Where more than five cards of a value are possible, the others are chosen by holding a button. BACK held leaves.
    """

    def __init__(self, title: str, faces: Sequence[Face], done: Done) -> None:
        """``faces`` are those that are possible, the likeliest first; ``done`` is told the chosen one."""
        self._title = title
        self._faces = faces
        self._done = done
        values = sorted({face.value for face in faces})
        self._value = values[0] if len(values) == 1 else None
        self._from = 0

    @property
    def is_held_too(self) -> bool:
        """Whether holding a button means something else than pressing it."""
        return self._value is not None and len(self._group) > len(BUTTONS)

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:
        number = BUTTONS.index(button)
        if button is Button.BACK and held:
            desk.close()
        elif self._value is None and button is not Button.BACK:
            self._value = number + 1
        elif button is Button.BACK and self._has_pages:
            self._from = self._from + 2 * _ROW if self._from + 2 * _ROW < len(self._group) else 0
        elif self._value is not None and (face := self._key_face(number, held=held)):
            desk.close()
            self._done(desk, face)
        elif button is Button.BACK:
            desk.close()

    @property
    def _group(self) -> list[Face]:
        return [face for face in self._faces if face.value == self._value]

    @property
    def _has_pages(self) -> bool:
        return len(self._group) > len(BUTTONS) + _ROW

    def _key_face(self, number: int, *, held: bool) -> Face | None:
        group = self._group[self._from :]
        row = _ROW if self._has_pages else len(BUTTONS)
        place = number + row * held
        return group[place] if place < len(group) and number < row else None

    def screen(self, desk: Desk) -> Screen:
        if self._value is None:
            keys = ("1", "2", "3", "4", desk.word("key-back"))
            return Screen(heading=self._title, main=desk.word("which-value"), keys=keys)
        faces = [self._key_face(number, held=False) for number in range(len(BUTTONS))]
        one, two, three, four, five = (desk.word.sign(face) if face else "" for face in faces)
        five = desk.word("key-more") if self._has_pages else five or desk.word("key-back")
        others = [self._key_face(number, held=True) for number in range(_ROW)]
        names = [desk.word.shape(face) for face in others if face]
        lines = (desk.word("held-keys", cards=names),) if names else ()
        main = desk.word("which-card", value=self._value)
        return Screen(heading=self._title, main=main, lines=lines, keys=(one, two, three, four, five))


class PlaceEntry:
    """Where a card lies: the places that the rules allow, one after the other on a map."""

    def __init__(
        self, title: str, face: Face, places: Sequence[Placement], done: Callable[[Desk, Placement], None]
    ) -> None:
        """``places`` is not empty, the likeliest first."""
        self._title = title
        self._face = face
        self._places = places
        self._done = done
        self._chosen = 0

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        match button:
            case Button.UP | Button.DOWN:
                self._chosen = (self._chosen + (1 if button is Button.DOWN else -1)) % len(self._places)
            case Button.ROLL:
                desk.close()
                self._done(desk, self._places[self._chosen])
            case _:
                desk.close()

    def screen(self, desk: Desk) -> Screen:
        is_choice = len(self._places) > 1
        keys = (desk.word("key-ok"), "", "▲" if is_choice else "", "▼" if is_choice else "", desk.word("key-back"))
        return Screen(
            heading=self._title,
            main=desk.word.face(self._face),
            lines=(desk.word("place-of", number=self._chosen + 1, count=len(self._places)),),
            map=railway_map(desk.state, self._face, self._places[self._chosen]),
            keys=keys,
        )


class WheelsEntry:
    """How many wheels real dice show."""

    def __init__(self, most: int, done: Callable[[Desk, int], None]) -> None:
        """``most`` is how many there can be."""
        self._most = most
        self._done = done
        self._wheels = 0

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        match button:
            case Button.UP:
                self._wheels = (self._wheels + 1) % (self._most + 1)
            case Button.DOWN:
                self._wheels = (self._wheels - 1) % (self._most + 1)
            case Button.ROLL:
                desk.close()
                self._done(desk, self._wheels)
            case _:
                desk.close()

    def screen(self, desk: Desk) -> Screen:
        keys = (desk.word("key-ok"), "", "+", "\N{MINUS SIGN}", desk.word("key-back"))
        return Screen(heading=desk.name, main=str(self._wheels), lines=(desk.word("how-many-wheels"),), keys=keys)
