"""How steps, seconds, states and memory grow with the network: the solver beside plain breadth-first search.

Run it as ``python -m tests.benchmarks.growth``. Both get the same puzzles, each in a process of its own, seconds are
those of one core. The plain search is the tests' witness: it ends at the first plan, which is a shortest one, or with a
certain number of states. The growth is drawn into a file.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import time
from pathlib import Path
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table

from companion.wiring.sheet import rendered
from tests.benchmarks.growth_plot import Point, Series, plot
from tests.benchmarks.solver import Measured, Task, measured
from tests.companion.games.locomotion.plain.search import fewest_steps
from tests.companion.games.locomotion.strategy.solver.puzzles import as_plain, random_puzzle

SIZES = (4, 6, 8, 10, 13, 20, 30, 45)
_SOLVER, _PLAIN = "#1f6fb2", "#c1502e"


class Plain(NamedTuple):
    """What the plain search made of a puzzle: its ``steps``, or None if not so many as ``ruled_out`` are enough."""

    steps: int | None
    ruled_out: int
    states: int
    seconds: float
    megabytes: float


class Compared(NamedTuple):
    """A puzzle, and what both made of it."""

    task: Task
    dots: int
    solver: Measured
    plain: Plain


def plainly(task: Task, most_states: int) -> tuple[int, Plain]:
    """The dots of the network, and the plain search: it begins no layer once it has so many states."""
    puzzle = random_puzzle(task.pieces, task.wagons, task.seed, task.shape, task.tries)
    start = time.process_time()
    found = fewest_steps(as_plain(puzzle), most_states=most_states)
    seconds = time.process_time() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    steps = found.fewest
    return len(puzzle.network.dots), Plain(steps, len(found.within) - 1, found.within[-1], seconds, megabytes)


def main() -> int:
    """Prints a line for each puzzle, and draws."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="pieces of rail (4 to 45)")
    parser.add_argument("--puzzles", type=int, default=1, help="that can be solved, of each size (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="where to begin looking for them (%(default)s)")
    parser.add_argument("--shape", default="T", help="piece of rail: T, X or D (%(default)s)")
    parser.add_argument("--seconds", type=float, default=20, help="for the solver on each puzzle (%(default)s)")
    parser.add_argument("--states", type=int, default=100_000, help="for the plain search (%(default)s)")
    parser.add_argument("--plot", type=Path, default=Path("build/growth.png"), help="PNG or SVG (%(default)s)")
    given = parser.parse_args()
    console = Console()
    done = []
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as alone:
        for pieces in given.sizes:
            seed = given.seed - 1
            of_this_size = 0
            while of_this_size < given.puzzles:
                seed += 1
                task = Task(pieces, 4, seed, given.shape, 3, given.seconds)
                result = alone.apply(measured, (task,))
                if result.is_impossible:
                    continue
                dots, plain = alone.apply(plainly, (task, given.states))
                done.append(Compared(task, dots, result, plain))
                of_this_size += 1
                console.print(f"{pieces} pieces, seed {seed}: {told_in_short(done[-1])}", highlight=False)
    for table in tables(done):
        console.print(table)
    sheet = plot(series(done)).svg()
    given.plot.parent.mkdir(parents=True, exist_ok=True)
    given.plot.write_bytes(sheet.encode() if given.plot.suffix == ".svg" else rendered(sheet, 2))
    console.print(f"How that grows is drawn in {given.plot}")
    return 0


def told_in_short(one: Compared) -> str:
    return f"{solver_steps(one.solver)} in {one.solver.seconds:.2f} s; plainly {plain_steps(one.plain)}"


def solver_steps(result: Measured) -> str:
    if result.is_proven:
        return str(result.steps)
    return f"at least {result.bound}" if result.steps is None else f"{result.bound} to {result.steps}"


def plain_steps(plain: Plain) -> str:
    return f"> {plain.ruled_out}" if plain.steps is None else str(plain.steps)


def tables(done: list[Compared]) -> list[Table]:
    """The solver; then the plain search, and how many times as much it takes: at least so many where it was ended."""
    solver = new_table("The solver", "pieces", "seed", "dots", "steps", "seconds", "states", "states a s", "MB")
    plain = new_table(
        "Plain breadth-first search", "pieces", "seed", "steps", "seconds", "states", "MB", "× seconds", "× s a state"
    )
    for one in done:
        start = [str(one.task.pieces), str(one.task.seed)]
        solver.add_row(*start, str(one.dots), solver_steps(one.solver), *measures(one.solver))
        seconds, states, _, megabytes = measures(one.plain)
        times = f"{one.plain.seconds / one.solver.seconds:,.0f}"
        slower = a_second(one.solver) / a_second(one.plain)
        is_ended = one.plain.steps is None
        plain.add_row(
            *start,
            plain_steps(one.plain),
            seconds,
            states,
            megabytes,
            f"≥ {times}" if is_ended else times,
            f"{slower:.0f}",
        )
    return [solver, plain]


def new_table(title: str, *headings: str) -> Table:
    table = Table(title=title, box=box.SIMPLE, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def measures(one: Measured | Plain) -> tuple[str, str, str, str]:
    return f"{one.seconds:.2f}", f"{one.states:,}", f"{a_second(one):,.0f}", f"{one.megabytes:.0f}"


def a_second(one: Measured | Plain) -> float:
    return one.states / one.seconds


def series(done: list[Compared]) -> list[tuple[str, list[Series]]]:
    """What is drawn above each other: a title with its unit, and both programs."""

    def both(title: str, solver: str, plain: str) -> tuple[str, list[Series]]:
        return title, [
            Series(
                "solver",
                _SOLVER,
                [Point(one.task.pieces, getattr(one.solver, solver), one.solver.is_proven) for one in done],
            ),
            Series(
                "plain breadth-first search",
                _PLAIN,
                [Point(one.task.pieces, getattr(one.plain, plain), one.plain.steps is not None) for one in done],
            ),
        ]

    return [
        both("Seconds on one core", "seconds", "seconds"),
        both("States looked at", "states", "states"),
        both("Memory in MB", "megabytes", "megabytes"),
    ]


if __name__ == "__main__":
    sys.exit(main())
