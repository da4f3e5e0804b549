"""A plan that is soon found and need not be the shortest: a search that keeps a part of each layer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.games.locomotion.strategy.solver.motions import Motions
from companion.games.locomotion.strategy.solver.rows import Rows
from companion.games.locomotion.strategy.solver.tracks import Tracks
from companion.games.locomotion.strategy.solver.waves import Codes, Layer, Neighbours, Wave, size

Farness = Callable[[Rows, Codes], NDArray[np.int32]]
"""How far from the goal states seem to be."""


class Beam(Wave[Rows]):
    """A wave of which at most ``width`` states of each key go on.

    Half of them seem nearest to the goal. The others are any, spread evenly: a detour may begin with each.
    """

    def __init__(self, starts: Layer[Rows], neighbours: Neighbours[Rows], width: int, farness: Farness) -> None:
        super().__init__(starts, neighbours, most_kept=1 << 62)
        self._width = width
        self._farness = farness
        self._seen: dict[Rows, list[Codes]] = {}
        self.kept_states = 0
        self._narrow()

    def grow(self, has_time: Callable[[], bool] = lambda: True) -> bool:
        """Goes on to a part of the next layer; states that went on before do not count as new."""
        has_grown = super().grow(has_time)
        if has_grown:
            self._narrow()
        return has_grown

    def _known(self, key: Rows) -> list[Codes]:
        return self._seen.get(key, [])

    def _narrow(self) -> None:
        self.layer = {key: self._going_on(key, codes) for key, codes in self.layer.items()}
        self._kept[self.depth] = self.layer
        self.kept_states += size(self.layer)
        for key, codes in self.layer.items():
            seen = self._seen.setdefault(key, [])
            seen.append(codes)
            while len(seen) > 1 and 2 * len(seen[-1]) >= len(seen[-2]):  # so that they stay few
                seen[-2:] = [np.sort(np.concatenate(seen[-2:]), kind="stable")]

    def _going_on(self, key: Rows, codes: Codes) -> Codes:
        if len(codes) <= self._width:
            return codes
        half = self._width // 2
        goes_on = np.zeros(len(codes), dtype=bool)
        goes_on[np.argpartition(self._farness(key, codes), half)[:half]] = True
        others = np.flatnonzero(~goes_on)
        goes_on[others[np.linspace(0, len(others) - 1, half).astype(np.intp)]] = True
        part: Codes = codes[goes_on]
        return part


def farness_on(motions: Motions) -> Farness:
    """The way between each two vehicles that have to be coupled and are not, all added up."""
    ways = _ways(motions.tracks)

    def farness(standing: Rows, codes: Codes) -> NDArray[np.int32]:
        coupled = {frozenset(pair) for row in (standing.train, *standing.cuts) for pair in pairwise(row)}
        slots = {vehicle: slot for slot, vehicle in enumerate(standing.vehicles)}
        far: NDArray[np.int32] = np.zeros(len(codes), dtype=np.int32)
        for pair in pairwise(range(len(slots))):
            if frozenset(pair) not in coupled:
                first, second = (motions.in_slot(codes, slots[vehicle]) for vehicle in pair)
                far += ways[first, second]
        return far

    return farness


def _ways(tracks: Tracks) -> NDArray[np.int32]:
    """How many dots a locomotive alone has to run from place to place of an empty network."""
    ways = np.full((tracks.count, tracks.count), tracks.count, dtype=np.int32)
    for start in range(tracks.count):
        ways[start, start] = 0
        waiting = deque([start])
        while waiting:
            place = waiting.popleft()
            for other in {*tracks.led_to[2 * place], *tracks.led_to[2 * place + 1]}:
                if ways[start, other] == tracks.count:
                    ways[start, other] = ways[start, place] + 1
                    waiting.append(other)
    return ways
