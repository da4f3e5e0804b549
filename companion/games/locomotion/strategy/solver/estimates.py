"""How many steps a state is away at least: from the goals, and from a start.

Both rest on the same. The locomotive runs one dot a step. When a wagon is coupled or uncoupled, the locomotive is no
farther from its dot than the train is long. So it has to come near certain dots one after the other, in whichever
order, and couplings and uncouplings are steps besides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from companion.games.locomotion.strategy.solver.motions import Motions
from companion.games.locomotion.strategy.solver.rows import Row, Rows, rows
from companion.games.locomotion.strategy.solver.tracks import Tracks
from companion.games.locomotion.strategy.solver.waves import Codes

Estimate = Callable[[Rows, Codes], NDArray[np.int16]]
"""So many steps at least from each state."""


def to_the_goals(motions: Motions, wagons: int) -> Estimate:
    """All wagons in order behind the locomotive: each cut has to be coupled where it stands now."""
    ways = _ways(motions.tracks)
    changes = _changes_from(rows(tuple(range(wagons + 1)), []))

    def estimate(standing: Rows, codes: Codes) -> NDArray[np.int16]:
        dots = {
            vehicle: motions.tracks.dot[motions.in_slot(codes, slot)] for slot, vehicle in enumerate(standing.vehicles)
        }
        runs = _least(_tours(standing, dots, ways), len(codes))
        return runs + np.int16(changes[standing])

    return estimate


def _ways(tracks: Tracks) -> NDArray[np.int16]:
    """How many dots lie between each two, along tracks and round corners."""
    beside: list[set[int]] = [set() for _ in range(tracks.dots)]
    for port, ahead in enumerate(tracks.ahead.tolist()):
        if ahead < tracks.dots and tracks.led_to[port]:
            beside[tracks.dot[port // 2]].add(ahead)
    ways = np.full((tracks.dots, tracks.dots), tracks.dots, dtype=np.int16)
    for start in range(tracks.dots):
        ways[start, start] = 0
        waiting = deque([start])
        while waiting:
            dot = waiting.popleft()
            for other in beside[dot]:
                if ways[start, other] == tracks.dots and other != start:
                    ways[start, other] = ways[start, dot] + 1
                    waiting.append(other)
    return ways


def _changes_from(goal: Rows) -> dict[Rows, int]:
    """How many couplings and uncouplings lie between this and all others: each can be taken back."""
    changes = {goal: 0}
    waiting = deque([goal])
    while waiting:
        standing = waiting.popleft()
        for change in standing.changes:
            if change.after not in changes:
                changes[change.after] = changes[standing] + 1
                waiting.append(change.after)
    return changes


def _tours(
    standing: Rows, dots: dict[int, NDArray[np.int16]], ways: NDArray[np.int16]
) -> Iterator[list[NDArray[np.int16]]]:
    """For each order in which the cuts can be coupled the runs that lead from one to the next."""

    def between(some: Row, others: Row) -> NDArray[np.int16]:
        found: NDArray[np.int16] = np.min([ways[dots[one], dots[other]] for one in some for other in others], axis=0)
        return found

    ends = [(cut[0], cut[-1]) if len(cut) > 1 else cut for cut in standing.cuts]
    # No other vehicle than one of the train touches the cut that is coupled first.
    first = [between(standing.train, cut) - np.int16(1) for cut in ends]
    others = {(one, other): between(ends[one], ends[other]) for one, other in permutations(range(len(ends)), 2)}
    for order in permutations(range(len(ends))):
        length = len(standing.train)
        legs = [first[number] for number in order[:1]]
        for one, other in pairwise(order):
            longer = length + len(standing.cuts[one])
            legs.append(others[one, other] - np.int16(length + longer))
            length = longer
        yield legs


def _least(orders: Iterator[list[NDArray[np.int16]]], count: int) -> NDArray[np.int16]:
    """The runs of the shortest order; a leg is never less than none."""
    least: NDArray[np.int16] | None = None
    for legs in orders:
        together = np.zeros(count, dtype=np.int16)
        for leg in legs:
            together += np.maximum(leg, 0)
        least = together if least is None else np.minimum(least, together)
    return np.zeros(count, dtype=np.int16) if least is None else least
