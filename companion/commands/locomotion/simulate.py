"""``companion locomotion simulate``: many games between automatic players, and who wins how often."""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import sys
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table

from companion.commands.locomotion.game_arguments import add_game, knobs_of, network_for
from companion.commands.locomotion.network_files import network_called
from companion.commands.shared.arguments import seed_of, whole_number
from companion.commands.shared.errors import ArgumentsError, CommandError
from companion.commands.shared.progress import gathered
from companion.games.locomotion.networks.drawing_lots import NoRoom
from companion.games.locomotion.rules import BadNetwork, Mode, Network, load_piece, piece_names
from companion.games.locomotion.rules.piece import PIECES
from companion.games.locomotion.rules.state import MOST_PLAYERS
from companion.games.locomotion.strategy.players.players import PLAYERS
from companion.games.locomotion.strategy.simulation import DrawnByLot, Plan, PlayedGame, play_games
from companion.games.locomotion.wording import Wording

_MOST_TURNS: Final = 100
_DEVIATIONS: Final = 1.96
"""Of the normal distribution, within which 95 % lie."""


class _Score(NamedTuple):
    """Of one player: wins, their share, within which limits that lies with 95 %, and seconds a turn."""

    player: str
    wins: int
    share: float
    low: float
    high: float
    seconds: float
    longest: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  companion locomotion simulate --games 1000 --players good,greedy --mode speed --seed 7\n"
        "  companion locomotion simulate --games 100 --players good,good,random --pieces 20"
    )
    parser.add_argument("--games", metavar="N", type=whole_number(1), default=1000, help="(default: %(default)s)")
    parser.add_argument(
        "--players",
        metavar="NAME,NAME",
        type=_players,
        default=("good", "random"),
        help=f"1 to {MOST_PLAYERS} of: {', '.join(PLAYERS)} (default: good,random)",
    )
    parser.add_argument("--network", metavar="NAME|FILE", help="one that ships, or a file (default: by the players)")
    parser.add_argument("--pieces", metavar="N", type=whole_number(1, PIECES), help="draw networks of so many by lot")
    parser.add_argument("--piece", choices=piece_names(), help="their shape (default: T)")
    parser.add_argument(
        "--turns",
        metavar="N",
        type=whole_number(1, 10**6),
        default=_MOST_TURNS,
        help="after so many of all players nobody wins any more (default: %(default)s)",
    )
    parser.add_argument(
        "--processes", metavar="N", type=whole_number(1, 256), default=os.cpu_count(), help="(default: one a core)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    add_game(parser)


def _players(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if not (len(names) <= MOST_PLAYERS and all(name in PLAYERS for name in names)):
        raise argparse.ArgumentTypeError(f"1 to {MOST_PLAYERS} of {', '.join(PLAYERS)}, as good,random")
    return names


def run(options: argparse.Namespace) -> int:
    """Plays the games and shows who has won."""
    say, seed = Wording(options.language), seed_of(options)
    mode, network = Mode(options.mode), _network(options, say)
    plan = Plan(network, options.players, options.colours, mode, knobs_of(options), seed, options.turns)
    batches = play_games(plan, options.games, options.processes)
    try:
        played, stopped = gathered(say("simulation.playing"), batches, options.games)
    except NoRoom as error:
        raise CommandError(say("network.no-room", vehicles=error.vehicles, dots=error.dots)) from error
    except BadNetwork as error:
        raise CommandError(say.error(error)) from error
    if options.json:
        print(json.dumps(_as_json(plan, played)))
    elif played:
        _show(plan, played, say)
    if stopped:
        print(say("simulation.stopped", games=len(played), wanted=options.games), file=sys.stderr)
    return 130 if stopped else 0


def _network(options: argparse.Namespace, say: Wording) -> Network | DrawnByLot:
    if options.pieces is not None:
        if options.network is not None:
            raise ArgumentsError(say("network.name-or-lot"))
        return DrawnByLot(load_piece(options.piece or "T"), options.pieces)
    if options.piece is not None:
        raise ArgumentsError(say("network.lot-alone", option="--piece"))
    if options.network is None:
        return network_for(len(options.players), options.colours)
    return network_called(options.network, say)


def _scores(plan: Plan, played: Sequence[PlayedGame]) -> list[_Score]:
    scores = []
    for number, name in enumerate(plan.players):
        wins = sum(game.winner == number for game in played)
        turns = sum(game.thought[number] for game in played)
        seconds = sum(game.seconds[number] for game in played) / max(turns, 1)
        longest = max((game.longest[number] for game in played), default=0.0)
        scores.append(_Score(name, wins, wins / max(len(played), 1), *interval(wins, len(played)), seconds, longest))
    return scores


def interval(wins: int, games: int) -> tuple[float, float]:
    """Within which limits the share that was counted lies with 95 % (Wilson's score interval)."""
    if not games:
        return 0.0, 1.0
    share, square = wins / games, _DEVIATIONS**2
    middle = share + square / (2 * games)
    half = _DEVIATIONS * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(0.0, middle - half) / (1 + square / games), min(1.0, (middle + half) / (1 + square / games))


def _show(plan: Plan, played: Sequence[PlayedGame], say: Wording) -> None:
    console = Console(highlight=False, markup=False, emoji=False)
    pieces = plan.network.pieces if isinstance(plan.network, DrawnByLot) else len(plan.network.pieces)
    mode = say(f"simulation.mode-{plan.mode}")
    console.print(say.counted("simulation.title", count=len(played), mode=mode, pieces=pieces, seed=plan.seed))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(say("simulation.player"))
    for key in ("wins", "share", "interval", "seconds", "longest"):
        table.add_column(say(f"simulation.{key}"), justify="right", no_wrap=True)
    for score in _scores(plan, played):
        limits = f"{score.low:.1%} - {score.high:.1%}"
        times = (f"{score.seconds:.3f} s", f"{score.longest:.2f} s")
        table.add_row(score.player, str(score.wins), f"{score.share:.1%}", limits, *times)
    console.print(table)
    turns = [game.turns for game in played if game.winner is not None]
    if turns:
        mean, most = f"{statistics.fmean(turns):.1f}", max(turns)
        console.print(say("simulation.turns", mean=mean, median=f"{statistics.median(turns):g}", most=most))
    undecided = len(played) - len(turns)
    if undecided:
        console.print(say.counted("simulation.undecided", count=undecided, turns=plan.most_turns))


def _as_json(plan: Plan, played: Sequence[PlayedGame]) -> dict[str, Any]:
    return {
        "seed": plan.seed,
        "mode": plan.mode.value,
        "players": [score._asdict() for score in _scores(plan, played)],
        "undecided": sum(game.winner is None for game in played),
        "games": [{"number": game.number + 1, "winner": game.winner, "turns": game.turns} for game in sorted(played)],
    }
