"""``companion dice``: a box of dice in the terminal, for any game."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Final, TextIO

from companion.commands.dice_box.dice_drawing import drawn, faces_in_a_row, plain, total_and_wheels
from companion.commands.shared.arguments import add_language, whole_number
from companion.commands.shared.errors import CommandError
from companion.dice.box import DiceBox, DiceError, parse_dice
from companion.texts.harmless import harmless
from companion.texts.language import Texts

SHOWN_THROWS: Final = 20
"""The history shows so many at most, the last ones."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Dice are wheel, d4, d6, d8, d10, d12, d20 and percent; without any the game's four wheel dice are rolled.\n"
        "In a terminal Enter rolls again, numbers hold dice, h shows the history, ? helps, q quits.\n\n"
        "examples:\n  companion dice\n  companion dice 3d6 2d20\n  companion dice wheel 4\n"
        "  companion dice d6 --check 1000000"
    )
    parser.add_argument("dice", metavar="DICE", nargs="*", help="which, and how many, as 3d6 or wheel 4")
    parser.add_argument(
        "--check", metavar="N", type=whole_number(1), help="throw a die of each kind N times: is it fair?"
    )
    parser.add_argument("--plot", metavar="FILE.png", type=Path, help="draw what --check has counted")
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Rolls dice, or checks them."""
    say = Texts(options.language)
    try:
        dice = parse_dice(options.dice or ["wheel", "4"])
    except DiceError as error:
        raise CommandError(_told(error, say)) from error
    if options.check is not None:
        from companion.commands.dice_box.dice_check import check

        return check(dice, options, say)
    if options.plot is not None:
        raise CommandError(say("dice.plot-alone"))
    box = DiceBox(dice)
    box.roll()
    if options.json:
        print(json.dumps(_as_json(box)))
        return 0
    _show(box, say)
    return _play(box, say) if sys.stdin.isatty() and sys.stdout.isatty() else 0


def can_draw(output: TextIO) -> bool:
    """Whether the output is a terminal that knows box characters."""
    try:
        "╭─┼━●█".encode(output.encoding)
    except UnicodeEncodeError:
        return False
    return output.isatty()


def _play(box: DiceBox, say: Texts) -> int:
    """Rolls until the person has had enough."""
    while True:
        try:
            answer = input(say("dice.keys")).strip().lower()
        except EOFError:
            print()
            return 0
        except KeyboardInterrupt:
            print()
            raise
        if answer == "q":
            return 0
        try:
            box = _answered(box, answer, say)
        except DiceError as error:
            print(harmless(_told(error, say)))


def _answered(box: DiceBox, answer: str, say: Texts) -> DiceBox:
    """Does what the person asks for; gives the box that lies there then. Raises DiceError."""
    if answer == "h":
        _show_history(box, say)
        return box
    if answer == "?":
        print(say("dice.help"))
        return box
    if not answer:
        box.roll()
    elif re.fullmatch(r"[0-9 ,]+", answer):
        _hold(box, answer)
    else:
        box = DiceBox(parse_dice(answer.split()), box.source)
        box.roll()
    _show(box, say)
    return box


def _hold(box: DiceBox, answer: str) -> None:
    """Holds the dice of these numbers, or lets them go; up to nine dice need no space between the numbers."""
    numbers = [int(number[:9]) for number in re.findall(r"[0-9]" if len(box.dice) <= 9 else r"[0-9]+", answer)]
    for number in numbers:
        if number > len(box.dice):
            raise DiceError("no-number", number=number, count=len(box.dice))
    for number in numbers:
        if number:
            box.hold(number - 1)
        else:
            box.release()


def _show(box: DiceBox, say: Texts) -> None:
    columns = shutil.get_terminal_size().columns
    for line in drawn(box, say, columns) if can_draw(sys.stdout) else plain(box, say):
        print(line)
    held = [number for number, is_held in enumerate(box.held, start=1) if is_held]
    if held:
        print(say("dice.held", numbers=held))


def _show_history(box: DiceBox, say: Texts) -> None:
    throws = list(enumerate(box.history, start=1))
    for number, throw in throws[-SHOWN_THROWS:]:
        print(say("dice.history", number=number, faces=faces_in_a_row(throw.faces, throw.held)))


def _as_json(box: DiceBox) -> dict[str, object]:
    total, wheels = total_and_wheels(box)
    return {"dice": [die.name for die in box.dice], "faces": box.faces, "total": total, "wheels": wheels}


def _told(error: DiceError, say: Texts) -> str:
    return say(f"dice.{error.key}", **error.details)
