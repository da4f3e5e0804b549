"""``companion simulate``: many games, and how their scores spread."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from companion.commands.shared.arguments import add_game, automatic_players, names_of, seed_of, start_of, whole_number
from companion.commands.shared.errors import CommandError
from companion.commands.shared.progress import gathered
from companion.games.loknroll.rules import RuleError
from companion.games.loknroll.strategy.simulation import Plan, PlayedGame, play_games, record_path, recorded_number
from companion.games.loknroll.wording import Wording
from companion.record.file import RecordError
from companion.texts.harmless import harmless

BAR_WIDTH = 40
MOST_BARS = 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  companion simulate --games 1000 --mode betsy --players greedy\n"
        "  companion simulate --games 20 --mode 4 --seed 7 --record games/"
    )
    parser.add_argument("--games", metavar="N", type=whole_number(1), default=1000, help="(default: %(default)s)")
    add_game(parser)
    parser.add_argument("--record", metavar="DIR", type=Path, help="write every game as a record into this folder")
    parser.add_argument(
        "--processes", metavar="N", type=whole_number(1, 256), default=os.cpu_count(), help="(default: one a core)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")


def run(options: argparse.Namespace) -> int:
    """Plays the games and shows what came out."""
    say, seed = Wording(options.language), seed_of(options)
    start = start_of(options, names_of(options))
    _make_folder(options)
    played, stopped = _play(Plan(start, automatic_players(options), seed, options.record), options, say)
    if options.json:
        print(json.dumps(_as_json(played, start.setup.names, seed)))
    elif played:
        players = say(f"simulation.{options.players}")
        title = say.counted("simulation.title", count=len(played), mode=options.mode, players=players, seed=seed)
        _show(title, played, [harmless(name) for name in start.setup.names], say)
    if stopped:
        print(say("simulation.stopped", games=len(played), wanted=options.games), file=sys.stderr)
    return 130 if stopped else 0


def _make_folder(options: argparse.Namespace) -> None:
    if options.record is None:
        return
    try:
        options.record.mkdir(parents=True, exist_ok=True)
        # What is there is looked through, not what will be: that may be a billion games.
        numbers = [number for path in options.record.iterdir() if (number := recorded_number(path)) is not None]
    except OSError as error:
        raise CommandError(f"{options.record}: cannot be made a folder ({error.strerror}); name another.") from error
    first = min(numbers, default=options.games)
    if first < options.games:
        path = record_path(options.record, first)
        raise CommandError(f"{path} is there already and is not overwritten; name another folder.")


def _play(plan: Plan, options: argparse.Namespace, say: Wording) -> tuple[list[PlayedGame], bool]:
    """The games played, and whether Ctrl-C stopped them."""
    batches = play_games(plan, options.games, options.processes)
    try:
        return gathered(say("simulation.playing"), batches, options.games)
    except RecordError as error:
        raise CommandError(str(error)) from error
    except RuleError as error:  # the deck is not one to begin a game with
        raise CommandError(say.error(error)) from error


def _show(title: str, played: Sequence[PlayedGame], names: Sequence[str], say: Wording) -> None:
    console = Console(highlight=False, markup=False, emoji=False)
    console.print(title)
    console.print(_spread(played, names, say))
    derailments = [sum(game.derailments) for game in played]
    mean = f"{statistics.fmean(derailments):.2f}"
    console.print(say("simulation.derailments", mean=mean, highest=max(derailments)))
    lost = sum(not game.winners for game in played)
    if lost:
        console.print(say("simulation.lost", share=f"{lost / len(played):.1%}"))
    for number, name in enumerate(names):
        console.print()
        console.print(say("simulation.histogram", player=name))
        for line in histogram([game.points[number] for game in played]):
            console.print(f"  {line}")


def _spread(played: Sequence[PlayedGame], names: Sequence[str], say: Wording) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(say("simulation.player"))
    for key in ("points", "lowest", "quarter", "median", "three-quarters", "highest", "cards", "wins"):
        table.add_column(say(f"simulation.{key}"), justify="right", no_wrap=True)
    for number, name in enumerate(names):
        points = [game.points[number] for game in played]
        quarters = statistics.quantiles(points, n=4, method="inclusive") if len(points) > 1 else points * 3
        wins = sum(number in game.winners for game in played) / len(played)
        table.add_row(
            name,
            f"{statistics.fmean(points):.1f}",
            *(f"{value:g}" for value in (min(points), *quarters, max(points))),
            f"{statistics.fmean(game.cards[number] for game in played):.1f}",
            f"{wins:.1%}",
        )
    return table


def histogram(values: Sequence[int]) -> list[str]:
    """A bar for each score, or for each range of scores where there are too many."""
    lowest, highest = min(values), max(values)
    width = -(-(highest - lowest + 1) // MOST_BARS)
    count = Counter((value - lowest) // width for value in values)
    largest = max(count.values())
    lines = []
    for index in range((highest - lowest) // width + 1):
        first = lowest + index * width
        label = f"{first:3}" if width == 1 else f"{first:3} - {first + width - 1:3}"
        lines.append(f"{label} {'█' * round(BAR_WIDTH * count[index] / largest):{BAR_WIDTH}} {count[index]}")
    return lines


def _as_json(played: Sequence[PlayedGame], names: Sequence[str], seed: int) -> dict[str, Any]:
    return {"seed": seed, "players": list(names), "games": [game._asdict() for game in played]}
