"""How a proof goes on where memory ends: the last layer of a wave goes on in parts, one after the other.

What one part finds another may find again, for each knows its own states only. That takes time, but no memory. And as
it is asked for no more than so many steps, states from which that is too few are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from companion.games.locomotion.strategy.solver.waves import (
    PART,
    Codes,
    Key,
    Layer,
    Neighbours,
    Place,
    Wave,
    common,
    size,
)

Estimate = Callable[[Key, Codes], NDArray[np.int16]]
"""So many steps at least are left from each state."""


class Deeper(Generic[Key]):
    """Looks for ways from a wave's last layer to that of another one, which comes from the goals.

    So many steps between them as ``ruled_out`` are not enough. ``way`` is the shortest way that was found.
    """

    def __init__(
        self, waves: tuple[Wave[Key], Wave[Key]], neighbours: Neighbours[Key], estimate: Estimate[Key], most_held: int
    ) -> None:
        self._wave, self._goals = waves
        self._neighbours = neighbours
        self._estimate = estimate
        self._most_held = most_held
        self._most_in_part = most_held
        self.ruled_out = 0
        self.way: list[Place[Key]] | None = None
        self.states = 0

    def go(self, steps: int, has_time: Callable[[], bool]) -> bool:
        """Goes so many steps, or as many as are needed for the shortest way; False if time or memory do not suffice."""
        waiting = [self._wave.layer]
        while waiting:
            part = self._near(waiting.pop(), steps)
            if size(part) > self._most_in_part:
                waiting += halves(part)
                continue
            beyond = _Part(part, self._wave, self._neighbours, self._most_held)
            is_done = self._goes_on(beyond, steps, has_time)
            self.states += beyond.states
            if is_done and self.way is not None:
                steps = min(steps, len(self.way) - 2)
            elif not is_done:
                if not has_time() or size(part) == 1:
                    return False
                self._most_in_part = size(part) // 2
                waiting.append(part)
        self.ruled_out = steps
        return True

    def _goes_on(self, part: _Part[Key], steps: int, has_time: Callable[[], bool]) -> bool:
        while part.layer and part.depth < steps:
            if part.held() + 2 * size(part.layer) > self._most_held or not part.grow(has_time):
                return False
            part.leave(self._near(part.layer, steps - part.depth))
            met = common(part.layer, self._goals.layer)
            if met is not None:
                self.way = part.trail(met)
                break
        return True

    def _near(self, layer: Layer[Key], steps: int) -> Layer[Key]:
        """The states that may be so near to the other wave."""
        most = self._goals.depth + steps
        near = {key: codes[self._at_most(most, key, codes)] for key, codes in layer.items()}
        return {key: codes for key, codes in near.items() if len(codes)}

    def _at_most(self, most: int, key: Key, codes: Codes) -> NDArray[np.bool_]:
        parts = range(0, len(codes), PART)
        return np.concatenate([self._estimate(key, codes[first : first + PART]) <= most for first in parts])


class _Part(Wave[Key]):
    """A wave from a part of another one's last layer. It does not go back."""

    def __init__(self, part: Layer[Key], whole: Wave[Key], neighbours: Neighbours[Key], most_held: int) -> None:
        super().__init__(part, neighbours, most_held // 16)
        self._whole = whole

    def _known(self, key: Key) -> list[Codes]:
        return [*super()._known(key), *self._whole.last(key)]

    def leave(self, layer: Layer[Key]) -> None:
        """No more of the last layer goes on than this."""
        self.layer = layer
        if self.depth in self._kept:
            self._kept[self.depth] = layer


def halves(layer: Layer[Key]) -> tuple[Layer[Key], Layer[Key]]:
    """Two layers with as many states, those that are like each other together."""
    first: dict[Key, Codes] = {}
    second: dict[Key, Codes] = {}
    room = size(layer) // 2
    for key, codes in layer.items():
        if room:
            first[key] = codes[:room]
        if room < len(codes):
            second[key] = codes[room:]
        room = max(0, room - len(codes))
    return first, second
