"""Breadth-first search in whole layers of packed integers, where every step can be taken back by a step.

A game says what the neighbours of many states are. A state is a key and a code: an integer that says the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[Any]
"""Codes of states, of one unsigned type. In a layer they are sorted, each there once."""
Key = TypeVar("Key", bound=Hashable)
Layer = Mapping[Key, Codes]
Neighbours = Callable[[Layer[Key]], Iterator[tuple[Key, Codes]]]
"""What can be reached by a step from each state of a layer: in parts, in no order, with repetitions."""

PART = 1 << 16
"""States that are worked on together: enough to make numpy worth it, few enough to stay near the processor."""
_PENDING = 1 << 15
"""Codes of a key that wait to be sorted together."""


class Place(NamedTuple, Generic[Key]):
    """One state."""

    key: Key
    code: int


class Wave(Generic[Key]):
    """All states at each distance from the nearest start, one layer after the other.

    A step leads to a neighbouring layer or within one, for it can be taken back: the last two layers say what is new.
    Layers are kept for ``trail``, all while they hold at most ``most_kept`` states, else every second, fourth...
    """

    def __init__(self, starts: Layer[Key], neighbours: Neighbours[Key], most_kept: int) -> None:
        self.layer: Layer[Key] = {key: np.unique(codes) for key, codes in starts.items() if len(codes)}
        self.depth = 0
        self.states = size(self.layer)
        self._before: Layer[Key] = {}
        self._neighbours = neighbours
        self._kept: dict[int, Layer[Key]] = {0: self.layer}
        self._stride = 1
        self._most_kept = most_kept

    def grow(self, has_time: Callable[[], bool] = lambda: True) -> bool:
        """Goes on to the next layer, an empty one at the end; False, and nothing has changed, if time runs out."""
        gathered: dict[Key, _Gathered] = {}
        for key, codes in self._neighbours(self.layer):
            if not has_time():
                return False
            if key not in gathered:
                gathered[key] = _Gathered(self._known(key), codes.dtype)
            gathered[key].add(codes)
        new = {key: codes for key, gathering in gathered.items() if len(codes := gathering.codes())}
        self._before, self.layer = self.layer, new
        self.depth += 1
        self.states += size(new)
        self._keep()
        return True

    def _known(self, key: Key) -> list[Codes]:
        """Codes that are not new."""
        return self.last(key)

    def last(self, key: Key) -> list[Codes]:
        """The codes of a key in the last two layers."""
        return [layer[key] for layer in (self._before, self.layer) if key in layer]

    def held(self) -> int:
        """How many states are in memory."""
        layers = {id(layer): layer for layer in (*self._kept.values(), self.layer, self._before)}
        return sum(size(layer) for layer in layers.values())

    def trail(self, state: Place[Key]) -> list[Place[Key]]:
        """States from a start to one of the last layer, each a step from the one before, as few as can be."""
        way = [state]
        depth = self.depth
        while depth:
            below = max(kept for kept in self._kept if kept < depth)
            way += self._way_down(way[-1], depth - below, self._kept[below])
            depth = below
        return way[::-1]

    def _way_down(self, state: Place[Key], steps: int, layer: Layer[Key]) -> list[Place[Key]]:
        alone = layer_of(state, next(iter(self._kept[0].values())).dtype)
        if steps == 1:
            reached = ({key: np.unique(codes)} for key, codes in self._neighbours(alone))
            return [next(found for part in reached if (found := common(part, layer)))]
        way = way_between(layer, alone, self._neighbours, self._most_kept)
        if way is None or len(way) - 1 > steps:
            raise AssertionError("no way leads down: a step cannot be taken back")
        return way[-2::-1]

    def _keep(self) -> None:
        if self.depth % self._stride == 0:
            self._kept[self.depth] = self.layer
        while sum(map(size, self._kept.values())) > self._most_kept and len(self._kept) > 1:
            self._stride *= 2
            self._kept = {depth: kept for depth, kept in self._kept.items() if depth % self._stride == 0}


def size(layer: Layer[Key]) -> int:
    """How many states a layer has."""
    return sum(map(len, layer.values()))


def common(one: Layer[Key], other: Layer[Key]) -> Place[Key] | None:
    """A state that is in both layers; None if there is none."""
    for key, codes in one.items():
        if key in other:
            shared = codes[_is_in(codes, other[key])]
            if len(shared):
                return Place(key, int(shared[0]))
    return None


def layer_of(state: Place[Key], dtype: np.dtype[Any]) -> Layer[Key]:
    """One state as a layer."""
    return {state.key: np.array([state.code], dtype=dtype)}


def way_between(
    starts: Layer[Key],
    goals: Layer[Key],
    neighbours: Neighbours[Key],
    most_kept: int,
    *,
    has_time: Callable[[], bool] = lambda: True,
    most_held: int = 1 << 62,
) -> list[Place[Key]] | None:
    """States from a start to a goal, each a step from the one before, as few as can be.

    None where no way leads, if time runs out, or if more states than so many would have to be held.
    """
    ends = Wave(starts, neighbours, most_kept), Wave(goals, neighbours, most_kept)
    while (met := common(ends[0].layer, ends[1].layer)) is None:
        wave = min(ends, key=lambda wave: size(wave.layer))
        room = most_held - ends[0].held() - ends[1].held()
        if not wave.layer or 2 * size(wave.layer) > room or not wave.grow(has_time):
            return None
    return ends[0].trail(met) + ends[1].trail(met)[-2::-1]


class _Gathered:
    """New states of one key: sorted a part at a time, so that repetitions take little memory."""

    def __init__(self, known: list[Codes], dtype: np.dtype[Any]) -> None:
        self._known = known
        self._sorted: Codes = np.empty(0, dtype=dtype)
        self._waiting: list[Codes] = []
        self._count = 0

    def add(self, codes: Codes) -> None:
        self._waiting.append(codes)
        self._count += len(codes)
        if self._count > max(_PENDING, len(self._sorted) // 2):
            self._sort()

    def codes(self) -> Codes:
        self._sort()
        return self._sorted

    def _sort(self) -> None:
        if not self._waiting:
            return
        codes = np.concatenate(self._waiting)
        self._waiting, self._count = [], 0
        codes.sort()
        new = np.ones(len(codes), dtype=bool)
        np.not_equal(codes[1:], codes[:-1], out=new[1:])
        codes = codes[new]
        for known in self._known:
            codes = codes[~_is_in(codes, known)]
        if not len(self._sorted):
            self._sorted = codes
        elif len(codes):
            codes = codes[~_is_in(codes, self._sorted)]
            self._sorted = np.concatenate((self._sorted, codes))
            self._sorted.sort(kind="stable")


def _is_in(codes: Codes, others: Codes) -> NDArray[np.bool_]:
    """Which codes are among others; both are sorted."""
    if not len(others):
        return np.zeros(len(codes), dtype=bool)
    places = np.searchsorted(others, codes)
    places[places == len(others)] = 0
    result: NDArray[np.bool_] = others[places] == codes
    return result
