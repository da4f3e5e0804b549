"""``companion locomotion solve``: the fewest steps of a puzzle, or turns with speed cards, with their proof."""

from __future__ import annotations

import argparse
import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from rich.console import Console
from rich.status import Status

from companion.commands.locomotion.network_files import network_in
from companion.commands.locomotion.speed_cards import turns_as_json, turns_told
from companion.commands.shared.arguments import add_language, whole_number
from companion.commands.shared.errors import CommandError
from companion.games.locomotion.networks.puzzle import Puzzle
from companion.games.locomotion.rules import Mode
from companion.games.locomotion.strategy.with_the_die import expected_turns, fewest_turns, turns_in_words
from companion.games.locomotion.wording import Wording

if TYPE_CHECKING:
    from companion.games.locomotion.strategy.solver.solo import Solution
    from companion.games.locomotion.strategy.solver.turns.solve import HasTime

_SECONDS: Final = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  companion locomotion solve puzzle.json\n  companion locomotion solve puzzle.json --json\n"
        "  companion locomotion solve puzzle.json --speed-cards\n"
        "  companion locomotion puzzle --pieces 8 --json | companion locomotion solve -"
    )
    parser.add_argument(
        "puzzle", metavar="FILE", help="a puzzle as JSON (docs/locomotion.md); - reads the standard input"
    )
    parser.add_argument(
        "--seconds",
        metavar="N",
        type=whole_number(1),
        default=_SECONDS,
        help="search no longer; what is known then is told (default: %(default)s)",
    )
    parser.add_argument("--speed-cards", action="store_true", help="the fewest turns of the game with speed cards")
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Searches, and shows the plan; Ctrl-C ends the search with the best so far."""
    say = Wording(options.language)
    puzzle = _puzzle(options.puzzle, say)
    begun = time.monotonic()
    with _ctrl_c() as is_stopped, Console(stderr=True).status(say("solve.begins")) as status:

        def has_time(share: float = 1, /) -> bool:
            return not is_stopped() and time.monotonic() - begun < share * options.seconds

        answer = (
            _in_turns(puzzle, has_time, status, say)
            if options.speed_cards
            else _in_steps(puzzle, has_time, status, say)
        )
        stopped = is_stopped()
    seconds = time.monotonic() - begun
    if options.json:
        print(json.dumps({**answer.told, "order": list(puzzle.order), "seconds": round(seconds, 3)}))
    else:
        print(say.counted("solve.states", count=answer.told["states"], seconds=f"{seconds:.1f}"))
        print("\n".join(answer.lines))
    return 130 if stopped else 0


class _Answer(NamedTuple):
    """What programs and people are told."""

    told: dict[str, Any]
    lines: Iterator[str]


def _in_steps(puzzle: Puzzle, has_time: HasTime, status: Status, say: Wording) -> _Answer:
    from companion.games.locomotion.strategy.solver.turns.solve import fewest_steps

    with _refusing_what_is_too_large(say):
        found = fewest_steps(
            puzzle.start(), has_time=has_time, watch=_watcher(status, say, "solve.searching", "solve.known")
        )
    return _Answer(_as_json(puzzle, found), _told(found, say, puzzle))


def _in_turns(puzzle: Puzzle, has_time: HasTime, status: Status, say: Wording) -> _Answer:
    from companion.games.locomotion.strategy.solver.turns.solve import fewest_turns as fewest_with_cards

    start = puzzle.start(mode=Mode.SPEED)
    with _refusing_what_is_too_large(say):
        found = fewest_with_cards(
            start,
            has_time=has_time,
            watch=_watcher(status, say, "cards.searching", "cards.known"),
        )
    return _Answer(turns_as_json(found), turns_told(found, say))


@contextmanager
def _refusing_what_is_too_large(say: Wording) -> Iterator[None]:
    from companion.games.locomotion.strategy.solver.tracks import TooLarge

    try:
        yield
    except TooLarge as error:
        raise CommandError(say("solve.too-large")) from error


def _puzzle(file: str, say: Wording) -> Puzzle:
    read = network_in(file, say)
    if not isinstance(read, Puzzle):
        raise CommandError(say("solve.no-puzzle", file=file))
    return read


def _watcher(status: Status, say: Wording, searching: str, known: str) -> Callable[[int, int | None], None]:
    def watch(bound: int, best: int | None) -> None:
        told = "" if best is None else say(known, count=best)
        status.update(f"{say(searching, bound=bound)} {told}".rstrip())

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


def _as_json(puzzle: Puzzle, found: Solution) -> dict[str, Any]:
    # Where a turn ends whenever the train changes its direction, steps do not tell turns.
    steps = found.steps if puzzle.knobs.reverse_in_turn else None
    return {
        "steps": found.steps,
        "proven": found.is_proven,
        "bound": found.bound,
        "impossible": found.is_impossible,
        "turns": None if steps is None else fewest_turns(steps),
        "expected_turns": None if steps is None else round(expected_turns(steps), 3),
        "plan": None if found.plan is None else [msgspec.to_builtins(motion) for motion in found.plan],
        "states": found.states,
    }


def _told(found: Solution, say: Wording, puzzle: Puzzle) -> Iterator[str]:
    if found.is_impossible:
        yield say("solve.impossible")
        return
    if found.plan is None:
        yield say("solve.nothing", bound=found.bound)
        return
    steps = len(found.plan)
    yield say("solve.proven" if found.is_proven else "solve.best-known", steps=steps, bound=found.bound)
    if puzzle.knobs.reverse_in_turn:
        yield turns_in_words(steps, say)
    else:
        yield say("solve.no-turns")
    width = len(str(steps))
    for number, motion in enumerate(found.plan, 1):
        yield f"  {number:{width}}  {say.motion(motion)}"
