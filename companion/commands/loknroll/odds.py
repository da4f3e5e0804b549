"""``companion odds``: what the dice hold in a situation, before the roll."""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from typing import Any, Final, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table

from companion.commands.shared.arguments import add_edition, add_language, edition_of
from companion.commands.shared.errors import ArgumentsError, CommandError
from companion.games.loknroll.record.narration import railway_text
from companion.games.loknroll.rules import NotAllowed
from companion.games.loknroll.rules.building import FORBIDDEN_DIFFERENCE
from companion.games.loknroll.rules.railway.railway import Railway
from companion.games.loknroll.strategy.odds import Chance, Odds, odds
from companion.games.loknroll.wording import Wording
from companion.texts.harmless import harmless
from vision.cards import Face, Kind
from vision.cards.deck import MOST_CARDS, VALUES

BAR_WIDTH = 10
EXAMPLE: Final = "companion odds --railway 1,3b,2,1 --emma 3 --lay 2,2 --pile 4,1"
LONGEST_NUMBER: Final = 9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Cards are values from the rear to the front; b marks a broken track.\n\n"
        "example: Emma on the 3rd card, two 2s laid to it, a 4 and a 1 (on top) in the pile:\n"
        f"  {EXAMPLE}"
    )
    # What is missing or no card is said by the command itself: only then is the language known.
    parser.usage = "%(prog)s --railway CARDS --emma N --lay CARDS [--pile CARDS] [options]"
    parser.add_argument("--railway", metavar="CARDS", help="before laying, as 1,3b,2,1")
    parser.add_argument("--emma", metavar="N", help="her card, 1 is the rear")
    parser.add_argument("--lay", metavar="CARDS", help="the cards to lay, as 2,2")
    parser.add_argument("--pile", metavar="CARDS", help="your pile, the top last, as 4,1")
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    add_edition(parser)
    add_language(parser)


class _Situation(NamedTuple):
    """What lies before a roll. ``emma`` is the index of her card from the rear."""

    railway: tuple[Face, ...]
    emma: int
    lay: tuple[Face, ...]
    pile: tuple[Face, ...]


def run(options: argparse.Namespace) -> int:
    """Shows the odds."""
    say = Wording(options.language)
    edition = edition_of(options)
    situation = _situation(options, say)
    _check(situation, say)
    faces = (*situation.railway, *situation.lay)
    railway = Railway()
    for face in faces:
        railway = railway.with_card(face)
    values = [face.value for face in situation.lay]
    dice = sum(values) if edition.dice_count == "sum" else values[-1]
    roll = odds(railway, situation.emma, edition.die, dice, situation.pile)
    if options.json:
        print(json.dumps(_as_json(roll, dice)))
    else:
        _show(roll, say("odds.title", dice=dice, railway=railway_text(faces, situation.emma)), say)
    return 0


def _situation(options: argparse.Namespace, say: Wording) -> _Situation:
    """What the arguments tell; raises CommandError."""
    missing = [f"--{name}" for name in ("railway", "emma", "lay") if getattr(options, name) is None]
    if missing:
        raise ArgumentsError(say("odds.missing", missing=missing, example=EXAMPLE))
    railway = _cards("--railway", options.railway, say)
    emma = int(options.emma[:LONGEST_NUMBER]) if options.emma.isdecimal() else 0
    if not 1 <= emma <= len(railway):
        message = say.counted("odds.where-emma", given=options.emma, count=len(railway))
        raise CommandError(message) if emma else ArgumentsError(message)
    pile = _cards("--pile", options.pile, say) if options.pile is not None else ()
    return _Situation(railway, emma - 1, _cards("--lay", options.lay, say), pile)


def _check(situation: _Situation, say: Wording) -> None:
    """Raises CommandError where the rules do not let such cards be laid."""
    laid, front = situation.lay[0].value, situation.railway[-1].value
    for face in situation.lay:
        if face.value != laid:
            error = NotAllowed("LAY0", "another-value", value=face.value, laid=laid)
            raise CommandError(f"--lay: {say.error(error)}")
        if abs(face.value - front) == FORBIDDEN_DIFFERENCE:
            fitting = [value for value in VALUES if abs(value - front) != FORBIDDEN_DIFFERENCE]
            error = NotAllowed("LAY4", "difference", value=face.value, front=front, allowed=fitting)
            raise CommandError(f"--lay: {say.error(error)}")


def _show(roll: Odds, title: str, say: Wording) -> None:
    console = Console(highlight=False, markup=False, emoji=False)
    console.print(harmless(title))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(say("odds.wheels"), justify="right", no_wrap=True)
    table.add_column(say("odds.chance"), justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(say("odds.emma"), no_wrap=True)
    for key in ("cards", "points", "pile"):
        table.add_column(say(f"odds.{key}"), justify="right", no_wrap=True)
    likeliest = max(chance.chance for chance in roll.chances)
    for chance in roll.chances:
        table.add_row(*_row(chance, likeliest, say))
    console.print(table)
    console.print(say("odds.derailing", chance=f"{float(roll.derailing):.1%}"))
    cards, points = f"{float(roll.expected_cards):.2f}", f"{float(roll.expected_points):.2f}"
    console.print(say("odds.expected", cards=cards, points=points))
    console.print(say("odds.expected-pile", change=f"{float(roll.expected_pile_change):+.2f}"))


def _row(chance: Chance, likeliest: Fraction, say: Wording) -> tuple[str, ...]:
    emma = say("odds.forward", moved=chance.wheels)
    if chance.missing:
        emma = say.counted("odds.derails", count=chance.missing, missing=chance.missing)
    return (
        str(chance.wheels),
        f"{float(chance.chance):.1%}",
        "█" * round(BAR_WIDTH * chance.chance / likeliest),
        emma,
        str(chance.cards),
        str(chance.points),
        f"{chance.pile_change:+}" if chance.pile_change else "0",
    )


def _as_json(roll: Odds, dice: int) -> dict[str, Any]:
    return {
        "dice": dice,
        "derailing": float(roll.derailing),
        "expected_cards": float(roll.expected_cards),
        "expected_points": float(roll.expected_points),
        "expected_pile_change": float(roll.expected_pile_change),
        "chances": [
            {
                "wheels": chance.wheels,
                "chance": float(chance.chance),
                "exact": str(chance.chance),
                "missing": chance.missing,
                "cards": chance.cards,
                "points": chance.points,
                "pile_change": chance.pile_change,
            }
            for chance in roll.chances
        ],
    }


def _cards(option: str, text: str, say: Wording) -> tuple[Face, ...]:
    """Cards as they are written on the command line: 1,3b,2. Raises ArgumentsError."""
    words = text.split(",")
    if len(words) > MOST_CARDS:
        raise ArgumentsError(say("odds.too-many", option=option, count=len(words), most=MOST_CARDS))
    return tuple(_card(option, word.strip(), say) for word in words)


def _card(option: str, word: str, say: Wording) -> Face:
    value, mark = word[:1], word[1:].lower()
    if value not in {"1", "2", "3", "4"} or mark not in {"", "b"}:
        raise ArgumentsError(say("odds.no-card", option=option, word=word or '""'))
    kind = Kind.BROKEN if mark else Kind.TRACK
    return Face(id=word, value=int(value), kind=kind, count=1)
