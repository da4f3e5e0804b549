"""``companion locomotion solve``: the fewest steps of a puzzle, with their proof."""

from __future__ import annotations

import argparse
import json
import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from rich.console import Console
from rich.status import Status

from companion.commands.shared.arguments import add_language, whole_number
from companion.commands.shared.errors import CommandError
from companion.games.locomotion.networks.files import BadFile, read_network
from companion.games.locomotion.networks.puzzle import Puzzle
from companion.games.locomotion.rules.state import SIDES_OF_A_DIE
from companion.games.locomotion.wording import Wording
from companion.record.whole_file import read_whole

if TYPE_CHECKING:
    from companion.games.locomotion.strategy.solver.solo import Solution

_SECONDS: Final = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  companion locomotion solve puzzle.json\n  companion locomotion solve puzzle.json --json"
    )
    parser.add_argument("puzzle", metavar="FILE", type=Path, help="a puzzle as JSON (docs/locomotion.md)")
    parser.add_argument(
        "--seconds",
        metavar="N",
        type=whole_number(1),
        default=_SECONDS,
        help="search no longer; what is known then is told (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Searches, and shows the plan; Ctrl-C ends the search with the best so far."""
    from companion.games.locomotion.strategy.solver.solo import solve

    say, puzzle = Wording(options.language), _puzzle(options)
    number = puzzle.network.dots.index
    wagons = {wagon: number(dot) for wagon, dot in enumerate(puzzle.wagons, 1)}
    begun = time.monotonic()
    with _ctrl_c() as is_stopped, Console(stderr=True).status(say("solve.begins")) as status:
        found = solve(
            puzzle.network,
            number(puzzle.locomotive),
            wagons,
            puzzle.order,
            has_time=lambda: not is_stopped() and time.monotonic() - begun < options.seconds,
            watch=_watcher(status, say),
        )
        stopped = is_stopped()
    seconds = time.monotonic() - begun
    if options.json:
        print(json.dumps(_as_json(puzzle, found, seconds)))
    else:
        print(say.counted("solve.states", count=found.states, seconds=f"{seconds:.1f}"))
        print("\n".join(_told(found, say)))
    return 130 if stopped else 0


def _puzzle(options: argparse.Namespace) -> Puzzle:
    path: Path = options.puzzle
    try:
        read = read_network(read_whole(path), str(path))
    except BadFile as error:
        raise CommandError(str(error)) from error
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {(error.strerror if isinstance(error, OSError) else None) or error}") from error
    if not isinstance(read, Puzzle):
        raise CommandError(Wording(options.language)("solve.no-puzzle", file=path))
    return read


def _watcher(status: Status, say: Wording) -> Callable[[int, int | None], None]:
    def watch(bound: int, steps: int | None) -> None:
        known = "" if steps is None else say("solve.known", steps=steps)
        searching = say("solve.searching", bound=bound)
        status.update(f"{searching} {known}".rstrip())

    return watch


@contextmanager
def _ctrl_c() -> Iterator[Callable[[], bool]]:
    """Whether it has been pressed meanwhile: an exception would come out of the middle of a search."""
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


def _as_json(puzzle: Puzzle, found: Solution, seconds: float) -> dict[str, Any]:
    return {
        "steps": found.steps,
        "proven": found.is_proven,
        "bound": found.bound,
        "impossible": found.is_impossible,
        "turns": None if found.steps is None else math.ceil(found.steps / SIDES_OF_A_DIE),
        "expected_turns": None if found.steps is None else round(expected_turns(found.steps), 3),
        "plan": None if found.plan is None else [msgspec.to_builtins(motion) for motion in found.plan],
        "order": list(puzzle.order),
        "states": found.states,
        "seconds": round(seconds, 3),
    }


def expected_turns(steps: int) -> float:
    """How many turns so many steps take on average, with a fair die whose steps are all used."""
    means = [0.0]
    for left in range(1, steps + 1):
        following = (means[max(0, left - roll)] for roll in range(1, SIDES_OF_A_DIE + 1))
        means.append(1 + sum(following) / SIDES_OF_A_DIE)
    return means[steps]


def _told(found: Solution, say: Wording) -> Iterator[str]:
    if found.is_impossible:
        yield say("solve.impossible")
        return
    if found.plan is None:
        yield say("solve.nothing", bound=found.bound)
        return
    steps = len(found.plan)
    yield say("solve.proven" if found.is_proven else "solve.best-known", steps=steps, bound=found.bound)
    yield say("solve.turns", turns=math.ceil(steps / SIDES_OF_A_DIE), mean=f"{expected_turns(steps):.1f}")
    width = len(str(steps))
    for number, motion in enumerate(found.plan, 1):
        yield f"  {number:{width}}  {say.motion(motion)}"
