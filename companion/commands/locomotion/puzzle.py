"""``companion locomotion puzzle``: a puzzle found by lot and proven, in the terminal, as data, or on a page."""

from __future__ import annotations

import argparse
import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from rich.console import Console

from companion.commands.locomotion.network import show_drawing
from companion.commands.shared.arguments import add_language, whole_number
from companion.commands.shared.errors import ArgumentsError, CommandError
from companion.commands.shared.whole import appearing, check_is_free
from companion.games.drawing.paper import PAPERS
from companion.games.locomotion.artwork.as_text import shape_in_words
from companion.games.locomotion.networks.files import puzzle_as_json
from companion.games.locomotion.rules import BadNetwork, load_piece, piece_names
from companion.games.locomotion.rules.piece import PIECES
from companion.games.locomotion.rules.state import COLOURS
from companion.games.locomotion.strategy.with_the_die import fewest_turns, turns_in_words
from companion.games.locomotion.wording import Wording
from companion.texts.harmless import harmless

if TYPE_CHECKING:
    from companion.games.locomotion.strategy.puzzles import Difficulty, DrawnPuzzle

_PIECES: Final = 13
"""A network that a table has room for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  companion locomotion puzzle\n"
        "  companion locomotion puzzle --pieces 13 --wagons 4 --seed 7 --pdf puzzle.pdf\n"
        "  companion locomotion puzzle --day 2026-11-30 --json > puzzle.json"
    )
    parser.add_argument(
        "--pieces", metavar="N", type=whole_number(1, PIECES), default=_PIECES, help="on so many (default: %(default)s)"
    )
    parser.add_argument(
        "--wagons", metavar="N", type=whole_number(*COLOURS), default=COLOURS[1], help="so many (default: %(default)s)"
    )
    parser.add_argument("--piece", choices=piece_names(), default="T", help="their shape (default: %(default)s)")
    parser.add_argument("--seed", metavar="N", type=whole_number(0), help="the puzzle of this number")
    parser.add_argument("--day", metavar="YYYY-MM-DD", type=_day, help="the puzzle of a day (default: today's)")
    parser.add_argument("--solution", action="store_true", help="also a plan with the fewest steps")
    parser.add_argument("--json", action="store_true", help="as data: a FILE for solve, with all that is known")
    parser.add_argument("--pdf", metavar="FILE", type=Path, help="write a page to print; the solution is upside down")
    parser.add_argument("--paper", choices=list(PAPERS), default="a4", help="of the page (default: %(default)s)")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Draws the puzzle by lot, and shows or writes it."""
    from companion.games.locomotion.strategy.puzzles import difficulty_of

    say = Wording(options.language)
    if options.seed is not None and options.day is not None:
        raise ArgumentsError(say("puzzle.seed-or-day"))
    if options.pdf is not None:
        check_is_free(options.pdf)
    day = None if options.seed is not None else options.day or date.today()  # the day here
    drawn = _drawn(options, _number(day) if day is not None else options.seed, say)
    difficulty = difficulty_of(drawn)
    title = say("puzzle.title", number=drawn.number) if day is None else say("puzzle.title-day", day=day)
    if options.pdf is not None:
        _print(options, drawn, difficulty, title)
    if options.json:
        print(json.dumps(_as_json(drawn, difficulty)))
    elif options.pdf is not None:
        print(harmless(options.pdf))
    else:
        _show(options, drawn, difficulty, title, say)
    return 0


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day as 2026-11-30") from None


def _number(day: date) -> int:
    """A day's puzzle has the day's digits as its number."""
    return day.year * 10000 + day.month * 100 + day.day


def _drawn(options: argparse.Namespace, number: int, say: Wording) -> DrawnPuzzle:
    from companion.games.locomotion.strategy.puzzles import NoPuzzle, draw_puzzle
    from companion.games.locomotion.strategy.puzzles.in_words import tries_in_words

    with Console(stderr=True).status(say("puzzle.looking")) as status:
        try:
            return draw_puzzle(
                number,
                load_piece(options.piece),
                options.pieces,
                options.wagons,
                lambda tries: status.update(f"{say('puzzle.looking')} {tries_in_words(tries, say)}".rstrip()),
            )
        except NoPuzzle as error:
            raise CommandError(say("puzzle.none", tries=tries_in_words(error.tries, say)).rstrip()) from error
        except BadNetwork as error:
            raise CommandError(say.error(error)) from error


def _print(options: argparse.Namespace, drawn: DrawnPuzzle, difficulty: Difficulty, title: str) -> None:
    from companion.games.locomotion.printing.puzzle_page import print_puzzle

    with appearing(options.pdf) as file:
        file.write_bytes(print_puzzle(drawn, difficulty, title, PAPERS[options.paper], options.language))


def _as_json(drawn: DrawnPuzzle, difficulty: Difficulty) -> dict[str, Any]:
    return {
        **puzzle_as_json(drawn.puzzle),
        "number": drawn.number,
        "steps": difficulty.steps,
        "proven": True,
        "turns": fewest_turns(difficulty.steps),
        "solutions": drawn.shortest.plans,
        "all_counted": drawn.shortest.is_counted,
        "judgement": {"grade": difficulty.grade, "changes": difficulty.changes, "detour": difficulty.detour},
        "plan": [msgspec.to_builtins(motion) for motion in drawn.plan],
        "states": drawn.shortest.states,
        "tries": drawn.tries._asdict(),
    }


def _show(options: argparse.Namespace, drawn: DrawnPuzzle, difficulty: Difficulty, title: str, say: Wording) -> None:
    from companion.games.locomotion.strategy.puzzles.in_words import (
        difficulty_in_words,
        plans_in_words,
        tries_in_words,
    )

    puzzle, steps = drawn.puzzle, difficulty.steps
    show_drawing(puzzle.network, puzzle.start(), say)
    print(f"{title}: {shape_in_words(puzzle.network, say)}")
    print(say("network.order", order=list(puzzle.order)))
    print(say("solve.proven", steps=steps))
    print(plans_in_words(drawn, say))
    print(turns_in_words(steps, say))
    print(say("puzzle.grade", grade=say(f"puzzle.{difficulty.grade}")))
    print(difficulty_in_words(difficulty, say))
    if told := tries_in_words(drawn.tries, say):
        print(told)
    if not options.solution:
        print(say("puzzle.solution"))
        return
    plan = list(say.plan(drawn.plan))
    width = max(len(steps) for steps, _ in plan)
    for steps_told, what in plan:
        print(f"  {steps_told:>{width}}  {what}")
