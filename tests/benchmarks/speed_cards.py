"""How many solo puzzles the solver proves with speed cards and with each knob, how long it takes and how much memory.

Run it as ``python -m tests.benchmarks.speed_cards --pieces 8 --seeds 0-7``: seconds are those of one core, and each
puzzle is solved in a process of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import time
from random import Random
from typing import Final, NamedTuple

import msgspec

from companion.games.locomotion.networks import draw_network, draw_start
from companion.games.locomotion.networks.drawing_lots import Wish
from companion.games.locomotion.rules import Behind, Gap, Knobs, Mode, load_piece
from companion.games.locomotion.strategy.solver.turns.solve import fewest_turns

KNOBS: Final = {
    "by default": Knobs(),
    "gap a_dot": Knobs(gap=Gap.A_DOT),
    "behind back_only": Knobs(behind=Behind.BACK_ONLY),
    "no reverse_in_turn": Knobs(reverse_in_turn=False),
}
PIECES_PER_LOOP: Final = 3


class Task(NamedTuple):
    """A puzzle, and the seconds that there are for it."""

    knobs: str
    pieces: int
    seed: int
    seconds: float


def measured(task: Task) -> tuple[bool, str]:
    """Whether it was proven, and a line about it."""
    random = Random(task.seed)
    network = draw_network(random, load_piece("T"), task.pieces, Wish(task.pieces // PIECES_PER_LOOP, None)).network
    puzzle = msgspec.structs.replace(draw_start(random, network, 4), knobs=KNOBS[task.knobs])
    begun = time.process_time()
    found = fewest_turns(
        puzzle.start(mode=Mode.SPEED), has_time=lambda share=1: time.process_time() - begun < share * task.seconds
    )
    what = "impossible" if found.is_impossible else f"turns {found.turns}, at least {found.bound}"
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    taken = time.process_time() - begun
    told = f"{what}{', proven' if found.is_proven else ''}; states {found.states}, {taken:.1f} s, {megabytes:.0f} MB"
    return found.is_proven, told


def main() -> int:
    """Prints a line for each puzzle, and for each knob how many were proven."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pieces", type=int, default=8, help="pieces of rail (%(default)s)")
    parser.add_argument("--seeds", default="0-7", help="first and last (%(default)s)")
    parser.add_argument("--seconds", type=float, default=30, help="for each puzzle (%(default)s)")
    given = parser.parse_args()
    first, _, last = given.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as alone:
        for knobs in KNOBS:
            proven = 0
            tasks = [Task(knobs, given.pieces, seed, given.seconds) for seed in seeds]
            for task, (is_proven, told) in zip(tasks, alone.imap(measured, tasks), strict=True):
                proven += is_proven
                print(f"{knobs}, {task.pieces} pieces, {task.seed}: {told}", flush=True)
            print(f"{knobs}: {proven} of {len(seeds)} proven", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
