"""``companion odds``: what the dice hold in a situation, before the roll."""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from companion.commands.shared.arguments import add_edition, add_language, edition_of, whole_number
from companion.commands.shared.errors import CommandError
from companion.games.loknroll.record.narration import railway_text
from companion.games.loknroll.rules.railway.railway import Railway
from companion.games.loknroll.strategy.odds import Chance, Odds, odds
from companion.games.loknroll.wording import Wording
from vision.cards import Face, Kind

BAR_WIDTH = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = (
        "Cards are values from the rear to the front; b marks a broken track.\n\n"
        "example: Emma on the 3rd card, two 2s laid to it, a 4 and a 1 (on top) in the pile:\n"
        "  companion odds --railway 1,3b,2,1 --emma 3 --lay 2,2 --pile 4,1"
    )
    parser.add_argument("--railway", metavar="CARDS", type=_cards, required=True, help="before laying, as 1,3b,2,1")
    parser.add_argument("--emma", metavar="N", type=whole_number(1, 55), required=True, help="her card, 1 is the rear")
    parser.add_argument("--lay", metavar="CARDS", type=_cards, required=True, help="the cards to lay, as 2,2")
    parser.add_argument("--pile", metavar="CARDS", type=_cards, default=(), help="your pile, the top last, as 4,1")
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    add_edition(parser)
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Shows the odds."""
    say = Wording(options.language)
    edition = edition_of(options)
    _check(options)
    faces = (*options.railway, *options.lay)
    railway = Railway()
    for face in faces:
        railway = railway.with_card(face)
    values = [face.value for face in options.lay]
    dice = sum(values) if edition.dice_count == "sum" else values[-1]
    roll = odds(railway, options.emma - 1, edition.die, dice, options.pile)
    if options.json:
        print(json.dumps(_as_json(roll, dice)))
    else:
        _show(roll, say("odds.title", dice=dice, railway=railway_text(faces, options.emma - 1)), say)
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.emma > len(options.railway):
        raise CommandError(f"--emma {options.emma}: the railway has {len(options.railway)} cards; give 1 to that.")
    front = options.railway[-1].value
    for face in options.lay:
        if face.value != options.lay[0].value:
            raise CommandError("--lay: cards laid in a turn have one value; give for example 2,2. (LAY0)")
        if abs(face.value - front) == 2:
            raise CommandError(f"--lay: {face.value} on {front}: difference 2; such a card cannot be laid. (LAY4)")


def _show(roll: Odds, title: str, say: Wording) -> None:
    console = Console(highlight=False)
    console.print(title)
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
    emma = say("odds.derails", missing=chance.missing) if chance.missing else say("odds.forward", moved=chance.wheels)
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


def _cards(text: str) -> tuple[Face, ...]:
    """Cards as they are written on the command line: 1,3b,2."""
    return tuple(_card(word.strip()) for word in text.split(","))


def _card(word: str) -> Face:
    value, mark = word[:1], word[1:].lower()
    if value not in {"1", "2", "3", "4"} or mark not in {"", "b"}:
        raise argparse.ArgumentTypeError(f"{word!r} is no card; write 1 to 4, with b for a broken track, as 1,3b,2")
    kind = Kind.BROKEN if mark else Kind.TRACK
    return Face(id=word, value=int(value), kind=kind, count=1)
