"""Rails that leave some cards elsewhere on an edge than most: found where cards seem to have none."""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np

from vision.arrays import Floats, Floats32
from vision.cards import Port
from vision.teaching.rails.rail_profiles import WAYS, Explanation, Place, learnt, likelihood, places_of, strengths_of
from vision.teaching.rails.rail_windows import EDGES, RailWindows

_PLACES: Final = 4
_OTHER_PLACE: Final = 4.0
"""What each such place has to explain: there are about 50 of them on an edge (natural logarithm)."""
_LEAST_FACES: Final = 2
"""One card alone may have anything drawn there."""
_LEAST_LIKENESS: Final = 0.6
"""Of what is seen at a place with the rails at others: without it the pictures of chaos cards were taken for rails."""
_NOWHERE: Final = 0.15
"""A spread with which an edge that has no such place is never an end."""


def other_ports(windows: RailWindows, found: Explanation) -> dict[int, tuple[tuple[Port, ...], float]]:
    """The ports of faces that were found to have none, and how much likelier they are than none or any others."""
    lesson = learnt(windows, found)
    has_end = WAYS[found.ways].astype(bool)
    bare = np.flatnonzero(~has_end.any(axis=1))
    if lesson is None or len(bare) < _LEAST_FACES:
        return {}
    candidates: list[list[Place]] = []
    for edge, ends in zip(EDGES, has_end.T, strict=True):
        # Those that leave by other edges show what this one looks like without rails.
        others = np.flatnonzero(~ends & has_end.any(axis=1))
        strengths = strengths_of(windows, edge, lesson[0][..., None])[..., 0]
        rows = np.concatenate([bare, others])
        some = places_of(strengths[rows], _PLACES)
        usual = lesson[0].mean(axis=0)
        kept = [place for place in some if _is_alike(windows[edge][rows, place.window], place, usual)]
        candidates.append([*kept, Place(0.0, 0, np.zeros(len(rows)), 0.0, _NOWHERE)])
    best: tuple[float, tuple[Place, ...], Floats] | None = None
    for chosen in product(*candidates):
        likelihoods = _likelihoods(chosen, len(bare))
        used = WAYS[likelihoods.argmax(axis=1)].any(axis=0)
        gain = float((likelihoods.max(axis=1) - likelihoods[:, 0]).sum()) - _OTHER_PLACE * int(used.sum())
        if best is None or gain > best[0]:
            best = (gain, chosen, likelihoods)
    if best is None or best[0] <= 0:
        return {}
    _, chosen, likelihoods = best
    ways = likelihoods.argmax(axis=1)
    ports = {}
    for number, way, row in zip(bare, ways, likelihoods, strict=True):
        if way and np.count_nonzero(ways == way) >= _LEAST_FACES:
            first, second = np.sort(row)[:-3:-1]
            ports[int(number)] = (_ports(windows, chosen, way), float(first - second))
    return ports


def _is_alike(seen: Floats32, place: Place, usual: Floats32) -> bool:
    """Whether what some faces have more than others at a place looks like rails."""
    ends = place.strengths - place.bare > 0.5
    if not 0 < np.count_nonzero(ends) < len(ends):
        return False
    own = seen[ends].mean(axis=0) - seen[~ends].mean(axis=0)
    return float(own @ usual) >= _LEAST_LIKENESS * float(np.sqrt((own @ own) * (usual @ usual)))


def _likelihoods(chosen: tuple[Place, ...], count: int) -> Floats:
    """Of each way for each of the faces that seem bare; the first way is none at all."""
    ends = np.stack([likelihood(place, 1.0)[:count] for place in chosen], axis=1)
    without = np.stack([likelihood(place, 0.0)[:count] for place in chosen], axis=1)
    return np.asarray(without @ (1 - WAYS.T) + ends @ WAYS.T)


def _ports(windows: RailWindows, chosen: tuple[Place, ...], way: int) -> tuple[Port, ...]:
    ports = [
        Port(edge, float(windows.offsets_mm[edge][place.window]))
        for edge, place, is_end in zip(EDGES, chosen, WAYS[way], strict=True)
        if is_end
    ]
    return tuple(sorted(ports, key=lambda port: "SWEN".index(port.edge)))
