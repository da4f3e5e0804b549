"""Where the outermost of several edges lies that are too near to each other to be seen apart.

Paper ends, and a millimetre further in a printed frame begins: in a small picture the two are one broad slope, whose
steepest place is nobody's edge. Each edge is a step blurred by the camera, so the steps are looked for that together
make up the slope.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from math import erf
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Floats32, Indices

REACH_PX: Final = 6.0
OFFSETS: Final = np.arange(-REACH_PX, REACH_PX + 0.125, 0.25)
"""Where colours are taken across an edge, in px outwards."""
_PLACES: Final = np.arange(-3.5, 3.6, 0.25)
_BLURS_PX: Final = (0.55, 0.75, 1.0, 1.4)
_APART_PX: Final = 1.0
_MOST_EDGES: Final = 3
_LARGEST_STEP: Final = 1.4
"""Of the range of colours, how large an edge's step may be."""
_BETTER: Final = 0.6
"""One more edge must leave at most this part of what the others could not explain."""
_EXPLAINED: Final = 0.02
"""Of the slope's energy, what need not be explained."""
_TABLE: Final = 6
"""So many of the outermost colours are the table's."""
_TINT: Final = 0.995
"""How alike (as a cosine) the light that a shadow lacks is to the table's."""
_DARKEST: Final = 0.8
"""Of the light of the table, what a shadow lacks at most."""
_LEAST_STEP: Final = 0.22
"""Of the largest step, to be the card's edge."""


class _Models(NamedTuple):
    """All sets of so many edges: their places (n × edges), and the slopes they make for each blur."""

    chosen: Indices
    bases: tuple[Floats, ...]
    inverses: tuple[Floats, ...]


def outermost_edge(colours: Floats | Floats32) -> float | None:
    """How far out (px) the outermost edge is, by the mean colours (at OFFSETS × 3, in linear light) across it.

    Edges up to 3.5 px to either side are seen; None where there is none.
    """
    slope = np.asarray(colours[2:] - colours[:-2], dtype=float)
    energy = float((slope**2).sum())
    if energy < 1e-6:
        return None
    left, places, steps = _fitted(slope, 1)
    for count in range(2, _MOST_EDGES + 1):
        if left < _EXPLAINED * energy:
            break
        more = _fitted(slope, count)
        if more[0] < _BETTER * left:
            left, places, steps = more
    heights = np.linalg.norm(steps, axis=1)
    edges = np.flatnonzero(heights >= _LEAST_STEP * heights.max())
    outer = int(edges[-1])
    if len(edges) > 1 and _is_end_of_shadow(steps[outer], colours[-_TABLE:].mean(axis=0)):
        outer = int(edges[-2])
    return float(_PLACES[places[outer]])


def _is_end_of_shadow(step: Floats, table: Floats) -> bool:
    """Whether a step is from the table in shadow to the table: brighter, of its tint, and not from black."""
    if step.sum() <= 0:
        return False
    likeness = float(step @ table) / float(np.linalg.norm(step) * np.linalg.norm(table))
    return likeness > _TINT and float(np.linalg.norm(step)) < _DARKEST * float(np.linalg.norm(table))


def _fitted(slope: Floats, count: int) -> tuple[float, Indices, Floats]:
    """The best set of so many edges: what it leaves of the slope's energy, their places and their steps."""
    models = _models(count)
    energy = float((slope**2).sum())
    summed = np.cumsum(slope, axis=0) / 2  # the colours again, less the first
    largest = _LARGEST_STEP * float(np.linalg.norm(np.ptp(summed, axis=0)))
    found = []
    for basis, inverse in zip(models.bases, models.inverses, strict=True):
        parts = (basis.T @ slope)[models.chosen]
        steps = inverse @ parts
        left = energy - (steps * parts).sum(axis=(1, 2))
        # Two large steps against each other would explain anything.
        left[(steps**2).sum(axis=2).max(axis=1) > largest**2] = energy
        index = int(left.argmin())
        found.append((float(left[index]), models.chosen[index], steps[index]))
    return min(found, key=lambda one: one[0])


@cache
def _models(count: int) -> _Models:
    least = round(_APART_PX / (_PLACES[1] - _PLACES[0]))
    sets = [one for one in combinations(range(len(_PLACES)), count) if all(b - a >= least for a, b in pairwise(one))]
    chosen = np.array(sets, dtype=np.intp)
    middle = OFFSETS[1:-1]
    step = OFFSETS[1] - OFFSETS[0]
    bases, inverses = [], []
    for blur in _BLURS_PX:
        behind, before = ((middle[:, None] + way * step - _PLACES) / blur for way in (1, -1))
        basis = _normal(behind) - _normal(before)
        gram = basis.T @ basis
        bases.append(basis)
        inverses.append(np.asarray(np.linalg.inv(gram[chosen[:, :, None], chosen[:, None, :]]), dtype=float))
    return _Models(chosen, tuple(bases), tuple(inverses))


def _normal(values: Floats) -> Floats:
    """The normal distribution."""
    return np.asarray(0.5 * (1 + np.vectorize(erf)(values / np.sqrt(2))))
