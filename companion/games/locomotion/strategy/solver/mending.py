"""A plan made shorter: each part of it is searched anew by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from companion.games.locomotion.strategy.solver.waves import Key, Neighbours, Place, layer_of, way_between

_SHORTEST = 8
"""Steps of a part at first: beams hardly miss anything in so few."""


def mended(
    way: list[Place[Key]],
    neighbours: Neighbours[Key],
    dtype: np.dtype[Any],
    has_time: Callable[[], bool],
    most_held: int,
) -> list[Place[Key]]:
    """The way with shorter parts, where such are found with no more states in memory than so many.

    Parts become longer until none can be searched, or one is the whole way.
    """
    steps = _SHORTEST
    is_searched = True
    while is_searched and steps < 2 * len(way):
        is_searched = False
        first = 0
        while first + 1 < len(way) and has_time():
            last = min(first + steps, len(way) - 1)
            ends = layer_of(way[first], dtype), layer_of(way[last], dtype)
            part = way_between(*ends, neighbours, most_held, has_time=has_time, most_held=most_held)
            if part is not None:
                is_searched = True
                way = [*way[:first], *part, *way[last + 1 :]]
            first += steps // 2
        steps *= 2
    return way
