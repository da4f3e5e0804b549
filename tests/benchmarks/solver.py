"""How many solo puzzles of a size the solver proves, how long it takes and how much memory.

Run it as ``python -m tests.benchmarks.solver --pieces 13 --seeds 1000-1099``: seconds are those of one core, and
each puzzle is solved in a process of its own. With ``--tries`` above 1 networks have more loops.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import statistics
import sys
import time
from typing import NamedTuple

from tests.companion.games.locomotion.strategy.solver.puzzles import random_puzzle, solved


class Task(NamedTuple):
    """A puzzle, and the seconds that there are for it."""

    pieces: int
    wagons: int
    seed: int
    shape: str
    tries: int
    seconds: float


class Measured(NamedTuple):
    """What came of it."""

    steps: int | None
    bound: int
    is_proven: bool
    is_impossible: bool
    states: int
    seconds: float
    megabytes: float


def measured(task: Task) -> Measured:
    """Solves it within its seconds of one core."""
    puzzle = random_puzzle(task.pieces, task.wagons, task.seed, task.shape, task.tries)
    start = time.process_time()
    found = solved(puzzle, lambda: time.process_time() - start < task.seconds)
    taken = time.process_time() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measured(found.steps, found.bound, found.is_proven, found.is_impossible, found.states, taken, megabytes)


def main() -> int:
    """Prints a line for each puzzle, and a summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pieces", type=int, default=13, help="pieces of rail (%(default)s)")
    parser.add_argument("--wagons", type=int, default=4, help="wagons (%(default)s)")
    parser.add_argument("--seeds", default="1000-1009", help="first and last (%(default)s)")
    parser.add_argument("--shape", default="T", help="piece of rail: T, X or D (%(default)s)")
    parser.add_argument("--tries", type=int, default=1, help="for more loops, above 1 (%(default)s)")
    parser.add_argument("--seconds", type=float, default=30, help="for each puzzle (%(default)s)")
    given = parser.parse_args()
    first, _, last = given.seeds.partition("-")
    tasks = [
        Task(given.pieces, given.wagons, seed, given.shape, given.tries, given.seconds)
        for seed in range(int(first), int(last or first) + 1)
    ]
    results = []
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as alone:
        for task, result in zip(tasks, alone.imap(measured, tasks), strict=True):
            results.append(result)
            print(f"{task.seed}: {told(result)}", flush=True)
    summarise(results)
    return 0


def told(result: Measured) -> str:
    """A line about a puzzle."""
    if result.is_impossible:
        what = "impossible"
    elif result.is_proven:
        what = f"{result.steps} steps"
    else:
        what = f"best known {result.steps}, at least {result.bound}"
    return f"{what}; {result.states:,} states, {result.seconds:.2f} s, {result.megabytes:.0f} MB"


def summarise(results: list[Measured]) -> None:
    """Prints shares, medians and what was most."""
    known = [result for result in results if result.steps is not None]
    proven = [result for result in known if result.is_proven]
    impossible = sum(result.is_impossible for result in results)
    unknown = len(results) - len(known) - impossible
    print(f"solved {len(known)}, of them proven {len(proven)}; impossible {impossible}; no plan found {unknown}")
    for name, values in (
        ("seconds", [result.seconds for result in results]),
        ("states", [result.states for result in results]),
        ("MB", [result.megabytes for result in results]),
        ("steps", [result.steps for result in known if result.steps is not None]),
        ("gap", [result.steps - result.bound for result in known if result.steps is not None]),
    ):
        if values:
            print(f"{name}: median {statistics.median(values):,.2f}, most {max(values):,.2f}")


if __name__ == "__main__":
    sys.exit(main())
