"""A search turn by turn that keeps a part of each layer; where it could keep all, what it says is proven."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.locomotion.strategy.solver.rows import Rows
from companion.games.locomotion.strategy.solver.turns.lies import Lies
from companion.games.locomotion.strategy.solver.turns.manners import Manner, Outcome, Speed, levels
from companion.games.locomotion.strategy.solver.turns.stepping import Codes, Stand, Stepping, is_in

Key = tuple[Rows, Speed]
Layer = Mapping[Key, Codes]

_PART = 1 << 11
"""States whose turns are worked on together."""
_PENDING = 1 << 15
"""Codes of a key that wait to be sorted together."""


class Moment(NamedTuple):
    """One state between two turns."""

    key: Key
    code: int


class Played(NamedTuple):
    """A turn: from which moment, with which speed, and what stood after each of its steps."""

    before: Moment
    chosen: Speed
    way: list[tuple[Rows, int]]


class Limits(NamedTuple):
    """How many new states of each key a sweep keeps, and how many codes in all there is memory for."""

    width: int
    most_held: int


class Sweep:
    """Layers of states by the fewest turns to them, of each key at most a width of states that are new.

    Half of those seem nearest to the goal, the others are any, spread evenly. ``whole`` layers hold all states. It
    comes to an end where the goal is reached, if there is one.
    """

    def __init__(self, stepping: Stepping, manner: Manner, start: Layer, limits: Limits, goal: Rows | None) -> None:
        self.layers: list[Layer] = [start]
        self.whole = 1
        self.states = 0
        self.won: Played | None = None
        self.back: Manner | None = None
        """What takes its turns back, if there is such: with it a plan is found without going everywhere again."""
        self._stepping = stepping
        self._manner = manner
        self._goal = goal
        self._width, self._most_held = limits
        self._ways = ways(stepping.lies)
        self._seen = {key: [codes] for key, codes in start.items()}

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out so far."""
        return self.whole == len(self.layers)

    def grow(self, has_time: Callable[[], bool]) -> bool:
        """Goes on by a turn until one wins or all are played; False if there is no more time, or memory."""
        held = self.held()
        found: dict[Key, _Found] = {}
        for speed, stand in _parts(self.layers[-1]):
            for outcome in self._manner.turn(stand, speed):
                if not has_time():
                    return False
                self.states += len(outcome.codes)
                if outcome.standing is self._goal:
                    self.won = self._played(
                        speed, stand, Moment((outcome.standing, outcome.speed), int(outcome.codes[0]))
                    )
                    return True
                after = outcome.standing, outcome.speed
                if after not in found:
                    found[after] = _Found(self._seen.get(after, []))
                found[after].add(outcome.codes)
                if len(found[after]) > 8 * self._width:
                    found[after].keep(self._going_on(after, found[after].codes))
            # What is found comes to be held twice, in its layer and sorted among all that was seen.
            if held + 2 * sum(map(len, found.values())) > self._most_held:
                return False
        self._add(found)
        return True

    def _add(self, found: dict[Key, _Found]) -> None:
        is_whole = self.is_whole
        layer: dict[Key, Codes] = {}
        for key, new in found.items():
            new.sort()
            layer[key] = self._going_on(key, new.codes)
            is_whole = is_whole and new.is_whole and len(layer[key]) == len(new)
            seen = self._seen.setdefault(key, [])
            seen.append(layer[key])
            while len(seen) > 1 and 2 * len(seen[-1]) >= len(seen[-2]):  # so that they stay few
                seen[-2:] = [np.sort(np.concatenate(seen[-2:]), kind="stable")]
        self.layers.append({key: codes for key, codes in layer.items() if len(codes)})
        self.whole += is_whole

    def held(self) -> int:
        """How many codes are in memory."""
        return sum(map(size, self.layers)) + sum(len(codes) for seen in self._seen.values() for codes in seen)

    def _going_on(self, key: Key, codes: Codes) -> Codes:
        if len(codes) <= self._width:
            return codes
        half = self._width // 2
        goes_on = np.zeros(len(codes), dtype=bool)
        goes_on[np.argpartition(self._farness(key[0], codes), half)[:half]] = True
        others = np.flatnonzero(~goes_on)
        goes_on[others[np.linspace(0, len(others) - 1, half).astype(np.intp)]] = True
        part: Codes = codes[goes_on]
        return part

    def _farness(self, standing: Rows, codes: Codes) -> NDArray[np.int32]:
        """The way between each two vehicles that have to be coupled and are not, all added up."""
        coupled = {frozenset(pair) for row in (standing.train, *standing.cuts) for pair in pairwise(row)}
        dots = self._stepping.dots(codes)
        slots = {vehicle: slot for slot, vehicle in enumerate(standing.vehicles)}
        far: NDArray[np.int32] = np.zeros(len(codes), dtype=np.int32)
        for one, other in pairwise(range(len(slots))):
            if frozenset((one, other)) not in coupled:
                far += self._ways[dots[slots[one]], dots[slots[other]]]
        return far

    # The plan

    def plan(self) -> list[Played]:
        """The turns to the win, which has been found."""
        if self.won is None:
            raise AssertionError("nothing has been won")
        return [*self.trail(self.won.before), self.won]

    def trail(self, moment: Moment) -> list[Played]:
        """The turns to a moment of the last layer."""
        turns: list[Played] = []
        for layer in self.layers[-2::-1]:
            turns.append(self._turn_to(layer, moment))
            moment = turns[-1].before
        return turns[::-1]

    def _turn_to(self, layer: Layer, target: Moment) -> Played:
        if self.back is not None:
            alone = np.array([target.code], dtype=np.uint64)
            for outcome in self.back.turn({target.key[0]: alone}, target.key[1]):
                codes = np.intersect1d(outcome.codes, layer.get((outcome.standing, outcome.speed), alone[:0]))
                if len(codes):
                    return self._played(outcome.speed, {outcome.standing: codes[:1]}, target)
        for speed, stand in _parts(layer):
            if self._outcome(speed, stand, target):
                return self._played(speed, stand, target)
        raise AssertionError("no turn leads there")

    def _outcome(self, speed: Speed, stand: Stand, target: Moment) -> Outcome | None:
        """How the target is reached from one of these states."""
        code = np.uint64(target.code)
        for outcome in self._manner.turn(stand, speed):
            if (outcome.standing, outcome.speed) == target.key and (outcome.codes == code).any():
                return outcome
        return None

    def _played(self, speed: Speed, stand: Stand, target: Moment) -> Played:
        """The turn that leads to the target from one of these states: their number is halved until it is found."""
        while sum(map(len, stand.values())) > 1:
            half, other = _halves(stand)
            stand = half if self._outcome(speed, half, target) else other
        outcome = self._outcome(speed, stand, target)
        if outcome is None:
            raise AssertionError("no turn leads there")
        ((standing, codes),) = stand.items()
        way = self._way(standing, codes, outcome.steps, target)
        return Played(Moment((standing, speed), int(codes[0])), outcome.chosen, way)

    def _way(self, standing: Rows, start: Codes, steps: int, target: Moment) -> list[tuple[Rows, int]]:
        level = list(levels(self._manner.steps, {standing: start}, steps))
        ends = level[steps][target.key[0]]
        way = [(target.key[0], int(ends[self._stepping.rested(ends) == np.uint64(target.code)][0]))]
        for before in level[-2::-1]:
            way.append(
                next(
                    (origin, int(codes[which[at]]))
                    for origin, codes in before.items()
                    for after, reached, which in self._manner.steps(origin, codes)
                    if after is way[-1][0]
                    for at in np.flatnonzero(reached == np.uint64(way[-1][1]))[:1]
                )
            )
        return way[::-1]


class _Found:
    """New states of one key: sorted a part at a time, so that repetitions take little memory."""

    def __init__(self, known: list[Codes]) -> None:
        self.codes: Codes = np.empty(0, dtype=np.uint64)
        self.is_whole = True
        self._known = known
        self._waiting: list[Codes] = []
        self._count = 0

    def __len__(self) -> int:
        return len(self.codes)

    def add(self, codes: Codes) -> None:
        self._waiting.append(codes)
        self._count += len(codes)
        if self._count > max(_PENDING, len(self.codes) // 2):
            self.sort()

    def keep(self, codes: Codes) -> None:
        """Leaves all others out."""
        self.codes = codes
        self.is_whole = False

    def sort(self) -> None:
        if self._waiting:
            codes = np.unique(np.concatenate(self._waiting))
            self._waiting, self._count = [], 0
            for known in self._known:
                codes = codes[~is_in(codes, known)]
            self.codes = np.union1d(self.codes, codes)


def size(layer: Layer) -> int:
    """How many states a layer has."""
    return sum(map(len, layer.values()))


def _parts(layer: Layer) -> Iterator[tuple[Speed, Stand]]:
    """All states with one speed, not too many together."""
    for speed in {speed for _, speed in layer}:
        part: dict[Rows, Codes] = {}
        room = _PART
        for standing, codes in ((standing, codes) for (standing, other), codes in layer.items() if other == speed):
            for first in range(0, len(codes), _PART):
                some = codes[first : first + _PART]
                if len(some) > room:
                    yield speed, part
                    part, room = {}, _PART
                part[standing] = some
                room -= len(some)
        yield speed, part


def _halves(stand: Stand) -> tuple[Stand, Stand]:
    """A half of the keys, or if there is only one, of its codes; and what is left."""
    keys = list(stand)
    if len(keys) > 1:
        first = keys[: len(keys) // 2]
        return {key: stand[key] for key in first}, {key: stand[key] for key in keys[len(first) :]}
    ((key, codes),) = stand.items()
    return {key: codes[: len(codes) // 2]}, {key: codes[len(codes) // 2 :]}


def ways(lies: Lies) -> NDArray[np.int32]:
    """How many dots a locomotive alone has to run from dot to dot of an empty network."""
    result = np.full((lies.dots, lies.dots), lies.dots, dtype=np.int32)
    for dot, starts in enumerate(lies.of_locomotives):
        farness = dict.fromkeys(starts, 0)
        waiting = deque(starts)
        while waiting:
            lie = waiting.popleft()
            on = lies.dot[lie]
            result[dot, on] = min(result[dot, on], farness[lie])
            for after in map(int, lies.led[:, lie].flat):
                if after < lies.none and after not in farness:
                    farness[after] = farness[lie] + 1
                    waiting.append(after)
    return result
