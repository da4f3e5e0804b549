"""What a turn makes of many states at once: with the die, where what is left lapses, or with speed cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.games.locomotion.rules.state import FASTEST
from companion.games.locomotion.strategy.solver.rows import Rows
from companion.games.locomotion.strategy.solver.turns.stepping import Codes, Stand, Stepping, Steps, is_in

Speed = int | None
"""The speed card that lies open: None before the first, and with the die."""


class Outcome(NamedTuple):
    """States in which a turn can end: with which speed it was played, what lies open after it, how many steps it had.

    The codes are rested, in no order, and may stand in several outcomes.
    """

    chosen: Speed
    speed: Speed
    steps: int
    standing: Rows
    codes: Codes


class Manner(Protocol):
    """How turns go. ``steps`` are those that they are made of."""

    @property
    def steps(self) -> Steps: ...

    def turn(self, stand: Stand, speed: Speed) -> Iterator[Outcome]:
        """All that a turn can make of states in which this speed lies open. Wins end it at once."""
        ...


class Lapsing:
    """Turns of at most so many steps; what is left lapses (LDIE2). With steps back, turns back."""

    def __init__(self, stepping: Stepping, steps: Steps, most: int) -> None:
        self.steps = steps
        self._stepping = stepping
        self._most = most

    def turn(self, stand: Stand, speed: Speed) -> Iterator[Outcome]:
        found = dict(stand)
        for steps in range(1, self._most + 1):
            *_, reached = levels(self.steps, stand, 1)
            # What was reached before leads no further now than it did then.
            stand = dict(_left(reached, found))
            for standing, codes in stand.items():
                found[standing] = np.union1d(found.get(standing, codes[:0]), codes)
                yield Outcome(None, speed, steps, standing, self._stepping.rested(codes))


class WithSpeedCards:
    """Turns in which the speed is used in full, or the run is one of the longest and ends with a full brake (LSPD1-4).

    All that wins is legal, in the middle of a turn too (LWIN1).
    """

    def __init__(self, stepping: Stepping) -> None:
        self.steps: Steps = stepping.steps
        self._stepping = stepping

    def turn(self, stand: Stand, speed: Speed) -> Iterator[Outcome]:
        choices = range(FASTEST + 1) if speed is None else range(max(0, speed - 1), min(FASTEST, speed + 1) + 1)
        for steps, level in enumerate(levels(self.steps, stand, choices[-1])):
            for standing, codes in level.items():
                if standing is self._stepping.won or steps in choices:
                    chosen = max(steps, choices[0])
                    yield Outcome(chosen, chosen, steps, standing, self._stepping.rested(codes))
        yield from self._braking(stand, choices)

    def _braking(self, stand: Stand, choices: range) -> Iterator[Outcome]:
        longest = longest_runs(self._stepping, stand, choices[-1])
        for steps in range(choices[-1]):
            short = {standing: stand[standing][runs == steps] for standing, runs in longest.items()}
            *_, level = levels(self.steps, short, steps)
            for standing, ends in level.items():
                if len(ends):
                    yield Outcome(max(steps + 1, choices[0]), 0, steps, standing, self._stepping.rested(ends))


def _left(stand: Stand, found: Stand) -> Iterator[tuple[Rows, Codes]]:
    """What is not among what was found."""
    for standing, codes in stand.items():
        new = codes[~is_in(codes, found[standing])] if standing in found else codes
        if len(new):
            yield standing, new


def levels(steps: Steps, stand: Stand, most: int) -> Iterator[Stand]:
    """What can stand after exactly 0, 1, 2... steps, up to so many."""
    yield stand
    for _ in range(most):
        parts: dict[Rows, list[Codes]] = defaultdict(list)
        for standing, codes in stand.items():
            for after, reached, _which in steps(standing, codes):
                parts[after].append(reached)
        stand = {standing: np.unique(np.concatenate(part)) for standing, part in parts.items()}
        yield stand


class _Step(NamedTuple):
    """What a step makes of states of one key: the indices of those it leads from, and those it leads to."""

    standing: Rows
    which: NDArray[np.intp]
    after: Rows
    ends: Codes


def longest_runs(stepping: Stepping, stand: Stand, most: int) -> dict[Rows, NDArray[np.int8]]:
    """How many steps can be made from each state, up to so many (LSPD4); of keys where a run may come to an end."""
    stand = {standing: codes for standing, codes in stand.items() if stepping.may_be_stuck(standing)}
    stands, steps = [stand], list[list[_Step]]()
    for _ in range(most):
        steps.append([])
        parts: dict[Rows, list[Codes]] = defaultdict(list)
        for standing, codes in stands[-1].items():
            for after, ends, which in stepping.steps(standing, codes):
                steps[-1].append(_Step(standing, which, after, ends))
                if stepping.may_be_stuck(after):
                    parts[after].append(ends)
        stands.append({standing: np.unique(np.concatenate(part)) for standing, part in parts.items()})
    return _longest(stands, steps, most)


def _longest(stands: Sequence[Stand], steps: Sequence[Sequence[_Step]], most: int) -> dict[Rows, NDArray[np.int8]]:
    """The same from all that can stand after so many steps, and what leads there: backwards from the last."""
    more: dict[Rows, NDArray[np.int8]] = {}
    for stand, following, between in zip(stands[-2::-1], stands[:0:-1], steps[::-1], strict=True):
        here = {standing: np.zeros(len(codes), dtype=np.int8) for standing, codes in stand.items()}
        for standing, which, after, ends in between:
            if after not in following:
                here[standing][which] = most
                continue
            further = more[after][np.searchsorted(following[after], ends)] if more else 0
            np.maximum.at(here[standing], which, np.minimum(further + 1, most).astype(np.int8))
        more = here
    return more
