"""Before the record of a game for one: which puzzle it is to be."""

from __future__ import annotations

from typing import Final

from companion.games.events import Kept
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.desk.puzzles import Chosen, Puzzles
from companion.games.locomotion.play.dialogs.looking import look
from companion.games.locomotion.rules import DrawLots, after
from companion.games.locomotion.settings import LAST_PUZZLE, with_own
from companion.screen.screen import Screen
from hardware.buttons import Button

_FARTHER: Final = 10
"""So many puzzles are passed over with a long press."""


class ChoosingPuzzle:
    """Nothing lies there yet, or something else."""

    def __init__(self) -> None:
        self._at = 0

    def watch(self, desk: Desk) -> bool:
        """Takes the puzzle that was found."""
        puzzles = desk.puzzles
        if puzzles is None or not puzzles.is_found:
            return False
        found = puzzles.take()
        if found is None:
            desk.remark(desk.word("no-puzzle"))
            desk.sound("wrong")
            return False
        _choose(desk, puzzles, found)
        return True

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:
        """UP and DOWN choose, ROLL takes it; PASS: another number, or it is not looked for any more."""
        puzzles = desk.puzzles
        if puzzles is None:
            return
        lines = _lines(puzzles)
        match button:
            case Button.PASS if puzzles.is_looking:
                puzzles.stop()
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
                _choose(desk, puzzles, Chosen(puzzles.again))
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


def _choose(desk: Desk, puzzles: Puzzles, chosen: Chosen) -> None:
    """People set it up."""
    start = chosen.start.played_by(desk.names)
    puzzles.chosen = chosen._replace(start=start)
    if desk.preparation is not None:
        desk.preparation.fix(start.state)
    desk.sound("right")


def puzzle_title(desk: Desk) -> str:
    """What is set up to be played alone, and how hard it is; "" where that is nothing of the kind."""
    puzzles = desk.puzzles
    chosen = None if puzzles is None else puzzles.chosen
    if puzzles is None or chosen is None:
        return ""
    if not chosen.grade:
        return desk.word("solo-again")
    number = chosen.start.agreement.puzzle
    title = desk.word("solo-today" if number == puzzles.today else "solo-number", number=number)
    return desk.word("heading", player=title, left=desk.word(f"solo-{chosen.grade}"))


def choose_again(desk: Desk) -> None:
    """It is to be another one, before anything has begun."""
    puzzles = desk.puzzles
    if puzzles is not None and desk.preparation is not None:
        puzzles.chosen, puzzles.lays_own = None, False
        desk.preparation.fix(None)


def agree(desk: Desk) -> None:
    """What belongs to the puzzle is agreed with it; the next number is the next one's."""
    chosen = None if desk.puzzles is None else desk.puzzles.chosen
    if chosen is None:
        return
    start, agreement = chosen.start.state, chosen.start.agreement
    desk.agreement = agreement
    if chosen.outlook is not None:
        desk.advice.learn(after(start, DrawLots((1,), agreement.order)), chosen.outlook)
    if agreement.puzzle == desk.own.puzzle:
        _keep_number(desk, desk.own.puzzle % LAST_PUZZLE + 1)
