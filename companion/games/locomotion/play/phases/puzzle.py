"""Before the record of a game for one: which puzzle it is to be."""

from __future__ import annotations

from typing import Final

from companion.games.events import Kept
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.desk.puzzles import Puzzles
from companion.games.locomotion.play.dialogs.looking import look
from companion.games.locomotion.record.solo_starts import SoloStart
from companion.games.locomotion.rules import DrawLots, after
from companion.games.locomotion.settings import LAST_PUZZLE, with_own
from companion.games.locomotion.strategy.outlook import Outlook
from companion.screen.screen import Screen
from hardware.buttons import Button

_FARTHER: Final = 10
"""So many puzzles are passed over with a long press."""


class ChoosingPuzzle:
    """Nothing lies there yet, or something else."""

    def __init__(self) -> None:
        self._at = 0

    def watch(self, desk: Desk) -> bool:
        """Begins with the puzzle that was found."""
        puzzles = desk.puzzles
        if puzzles is None or not puzzles.is_found:
            return False
        found = puzzles.take()
        if found is None:
            desk.remark(desk.word("no-puzzle"))
            desk.sound("wrong")
            return False
        _begin(desk, *found)
        return True

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:
        """UP and DOWN choose, ROLL takes it; PASS: another number, or it is not looked for any more."""
        puzzles = desk.puzzles
        if puzzles is None:
            return
        lines = _lines(puzzles)
        match button:
            case Button.PASS if puzzles.is_looking:
                puzzles.close()
            case _ if puzzles.is_looking:
                pass
            case Button.UP | Button.DOWN:
                self._at = (self._at + (1 if button is Button.DOWN else -1)) % len(lines)
            case Button.PASS if lines[self._at] == "number":
                number = desk.own.puzzle + (_FARTHER if held else 1)
                _keep_number(desk, number if number <= LAST_PUZZLE else 1)
            case Button.ROLL:
                self._take(desk, puzzles, lines[self._at])
            case _:
                pass

    def _take(self, desk: Desk, puzzles: Puzzles, line: str) -> None:
        match line:
            case "again" if puzzles.again is not None:
                _begin(desk, puzzles.again, None)
            case "today" if puzzles.today is not None:
                puzzles.look_for(puzzles.today)
            case "number":
                puzzles.look_for(desk.own.puzzle)
            case "own":
                puzzles.lays_own = True
            case _:
                look(desk)

    def screen(self, desk: Desk) -> Screen:
        """The list, or that one is looked for."""
        puzzles = desk.puzzles
        if puzzles is None:
            return Screen()
        heading = desk.word("solo-heading")
        if puzzles.is_looking:
            keys = ("", desk.word("key-stop"), "", "", "")
            return Screen(heading=heading, main=desk.word("solo-looking"), keys=keys)
        lines = _lines(puzzles)
        choices = tuple(desk.word(f"solo-{line}", number=desk.own.puzzle) for line in lines)
        another = desk.word("key-another") if lines[self._at] == "number" else ""
        keys = (desk.word("key-ok"), another, "▲", "▼", "")
        return Screen(heading=heading, choices=choices, chosen=self._at, keys=keys)


def _lines(puzzles: Puzzles) -> list[str]:
    """What can be chosen, by its name in the messages."""
    there = {"again": puzzles.again is not None, "today": puzzles.today is not None}
    return [line for line in ("again", "today", "number", "own", "info") if there.get(line, True)]


def _keep_number(desk: Desk, number: int) -> None:
    """The number of the next puzzle."""
    desk.use(with_own(desk.settings, puzzle=number))
    desk.send(Kept(desk.settings))


def _begin(desk: Desk, start: SoloStart, outlook: Outlook | None) -> None:
    """The record begins; what is still to be set up is what does not lie as it should."""
    puzzles = desk.puzzles
    desk.agreement = start.agreement
    begun = start.played_by(desk.names).state
    desk.begin(begun)
    if outlook is not None:
        desk.advice.learn(after(begun, DrawLots((1,), start.agreement.order)), outlook)
    if puzzles is not None and start.agreement.puzzle == desk.own.puzzle:
        _keep_number(desk, desk.own.puzzle % LAST_PUZZLE + 1)
    desk.sound("right")
