"""Where the outermost of several edges lies that are too near to each other to be seen apart.

Paper ends, and a millimetre further in a printed frame begins: in a small picture the two are one broad slope, whose
steepest place is nobody's edge. Each edge is a step blurred by the camera, so the steps are looked for that together
make up the slope.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import erf
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

REACH_PX: Final = 6.0
OFFSETS: Final = np.arange(-REACH_PX, REACH_PX + 0.125, 0.25)
"""Where colours are taken across an edge, in px outwards."""
_PLACES: Final = np.arange(-3.5, 3.6, 0.25)
_BLURS_PX: Final = (0.55, 0.75, 1.0, 1.4)
_APART_PX: Final = 1.0
_MOST_EDGES: Final = 3
_BETTER: Final = 0.6
"""One more edge must leave at most this part of what the others could not explain."""
_EXPLAINED: Final = 0.02
"""Of the slope's energy, what need not be explained."""
_LEAST_STEP: Final = 0.22
"""Of the largest step, to be the card's edge."""


class _Models(NamedTuple):
    """All sets of so many edges: their places (n × edges), and the slopes they make for each blur."""

    chosen: NDArray[np.intp]
    bases: tuple[FloatArray, ...]
    inverses: tuple[FloatArray, ...]


def outermost_edge(colours: NDArray[np.floating]) -> float | None:
    """How far out (px) the outermost edge is, by the mean colours (at OFFSETS × 3, in linear light) across it.

    Edges up to 3.5 px to either side are seen; None where there is none.
    """
    slope = np.asarray(colours[2:] - colours[:-2], dtype=float)
    energy = float((slope**2).sum())
    if energy < 1e-6:
        return None
    best: tuple[float, NDArray[np.intp], FloatArray] | None = None
    for count in range(1, _MOST_EDGES + 1):
        left, places, steps = _fitted(slope, count)
        if best is None or left < _BETTER * best[0]:
            best = left, places, steps
        if best[0] < _EXPLAINED * energy:
            break
    assert best is not None
    _, places, steps = best
    heights = np.linalg.norm(steps, axis=1)
    outer = int(np.flatnonzero(heights >= _LEAST_STEP * heights.max())[-1])
    return float(_PLACES[places[outer]])


def _fitted(slope: FloatArray, count: int) -> tuple[float, NDArray[np.intp], FloatArray]:
    """The best set of so many edges: what it leaves of the slope's energy, their places and their steps."""
    models = _models(count)
    energy = float((slope**2).sum())
    best: tuple[float, NDArray[np.intp], FloatArray] | None = None
    for basis, inverse in zip(models.bases, models.inverses, strict=True):
        parts = (basis.T @ slope)[models.chosen]
        steps = inverse @ parts
        left = energy - (steps * parts).sum(axis=(1, 2))
        index = int(left.argmin())
        if best is None or left[index] < best[0]:
            best = float(left[index]), models.chosen[index], steps[index]
    assert best is not None
    return best


@cache
def _models(count: int) -> _Models:
    least = round(_APART_PX / (_PLACES[1] - _PLACES[0]))
    sets = [one for one in combinations(range(len(_PLACES)), count) if all(b - a >= least for a, b in zip(one, one[1:]))]
    chosen = np.array(sets, dtype=np.intp)
    middle = OFFSETS[1:-1]
    step = OFFSETS[1] - OFFSETS[0]
    bases, inverses = [], []
    for blur in _BLURS_PX:
        behind, before = ((middle[:, None] + way * step - _PLACES) / blur for way in (1, -1))
        basis = _normal(behind) - _normal(before)
        gram = basis.T @ basis
        bases.append(basis)
        inverses.append(np.linalg.inv(gram[chosen[:, :, None], chosen[:, None, :]]))
    return _Models(chosen, tuple(bases), tuple(inverses))


def _normal(values: FloatArray) -> FloatArray:
    """The normal distribution."""
    return np.asarray(0.5 * (1 + np.vectorize(erf)(values / np.sqrt(2))))
