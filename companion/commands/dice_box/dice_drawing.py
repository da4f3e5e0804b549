"""Dice as text: drawn with box characters, or plain, and what else is told of them in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from companion.dice.box import DiceBox, Die
from companion.dice.fairness import Fairness
from companion.texts.language import Texts

CELL: Final = 11
"""Columns of a die with the space beside it."""

_PIPS: Final = {
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}
_WHEEL: Final = (" ╭─┬─╮ ", " ├─┼─┤ ", " ╰─┴─╯ ")
_LOOSE: Final = "╭─╮│╰╯"
_HELD: Final = "┏━┓┃┗┛"


def die_name(die: Die, say: Texts) -> str:
    """What players call the die."""
    if die.name in {"wheel", "percent"}:
        return say(f"dice.{die.name}")
    return say("dice.die", sides=len(die.faces))


def face_name(die: Die, face: int, say: Texts) -> str:
    """What players call the face."""
    if die.name == "wheel":
        return say("dice.wheel" if face else "dice.blank")
    return str(face)


def drawn(box: DiceBox, say: Texts, columns: int) -> Iterator[str]:
    """Lines of dice beside each other, as many as fit into the columns; held ones have a heavy frame."""
    cells = [
        _cell(number, die, face, is_held=held, name=die_name(die, say))
        for number, (die, face, held) in enumerate(zip(box.dice, box.faces, box.held, strict=True), start=1)
    ]
    at_once = max(1, columns // CELL)
    for first in range(0, len(cells), at_once):
        for parts in zip(*cells[first : first + at_once], strict=True):
            yield "".join(parts).rstrip()
    yield sums(box, say)


def plain(box: DiceBox, say: Texts) -> Iterator[str]:
    """A line for each kind of die."""
    for die, group in groupby(zip(box.dice, box.faces, strict=True), key=lambda pair: pair[0]):
        yield f"{die_name(die, say)}: {' '.join(str(face) for _, face in group)}"
    yield sums(box, say)


def sums(box: DiceBox, say: Texts) -> str:
    """The sum of the dice and the number of wheels, whichever there are."""
    total, wheels = total_and_wheels(box)
    told = [] if total is None else [say("dice.total", total=total)]
    return "   ".join(told if wheels is None else [*told, say("dice.wheels", wheels=wheels)])


def total_and_wheels(box: DiceBox) -> tuple[int | None, int | None]:
    """The sum of the dice other than wheels, and the number of wheels; None where there are no such dice."""
    numbers = [face for die, face in zip(box.dice, box.faces, strict=True) if die.name != "wheel"]
    wheels = [face for die, face in zip(box.dice, box.faces, strict=True) if die.name == "wheel"]
    return (sum(numbers) if numbers else None), (sum(wheels) if wheels else None)


def faces_in_a_row(faces: Sequence[int], held: Sequence[bool]) -> str:
    """Faces on one line, held ones in brackets."""
    return " ".join(f"[{face}]" if is_held else str(face) for face, is_held in zip(faces, held, strict=True))


def _cell(number: int, die: Die, face: int, *, is_held: bool, name: str) -> tuple[str, ...]:
    left_top, bar, right_top, side, left_foot, right_foot = _HELD if is_held else _LOOSE
    label = f"[{number}] {name}" if is_held else f"{number} {name}"
    rows = (
        f"{left_top}{bar * 7}{right_top}",
        *(f"{side}{row}{side}" for row in _picture(die, face)),
        f"{left_foot}{bar * 7}{right_foot}",
    )
    return (*(f" {row} " for row in rows), f"{label:^{CELL}}")


def _picture(die: Die, face: int) -> tuple[str, ...]:
    blank = " " * 7
    if die.name == "d6":
        return _PIPS[face]
    if die.name == "wheel":
        return _WHEEL if face else (blank,) * 3
    return blank, f"{face:^7}", blank


def test_line(done: Fairness, say: Texts) -> str:
    """The test in one line."""
    return say(
        "dice.chi-square",
        chi_square=f"{done.chi_square:.2f}",
        degrees=done.degrees_of_freedom,
        p=f"{done.p_value:.3g}",
    )
