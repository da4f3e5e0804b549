"""The look of a deck's rails at the edges of its cards, and where it recurs.

Rails look alike at every edge that they leave by, the same on both sides, and every card has either none or two ends of
them. No look is presumed: a profile is searched that recurs so, and where it does so best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Flags, Floats, Floats32, Indices
from vision.cards import Edge
from vision.teaching.rails.rail_windows import EDGES, RailWindows

WAYS: Final = np.array([way for way in product((0, 1), repeat=4) if sum(way) in {0, 2}])
"""By which of the edges (N, E, S, W) rails may leave a card."""
_SPREAD: Final = 0.15
"""How differently rails print on two faces, in parts of their own strength, at least."""
_TAIL: Final = 4.0
"""How soon a face that fits neither way stops counting more (half the degrees of freedom of Student's t)."""
_OTHER_PLACE: Final = 4.0
"""What a place out of the edge's middle has to gain: there are about 50 of them (natural logarithm)."""
_MIDDLE_MM: Final = 2.0
_SEED_MM: Final = 3.0
"""One beginning for each so long piece of an edge."""
_BEST_SEEDS: Final = 14
_ROUNDS: Final = 5
_APART: Final = 3
"""Windows that lie nearer than so many are no other place."""
_GROUND_PRIOR: Final = 3.0
"""Of how strongly rails on other grounds differ: the variance of a ground below which nothing is concluded from it."""


class Place(NamedTuple):
    """A place on an edge: how far rails have the profile there on each face (0: not at all, 1: fully)."""

    gain: float
    window: int
    strengths: Floats
    bare: float
    spread: float


class Explanation(NamedTuple):
    """One way to explain the edges."""

    score: float
    places: tuple[Place, ...]
    likelihoods: Floats
    """Of each way for each face."""

    @property
    def ways(self) -> Indices:
        """The likeliest of each face."""
        return np.asarray(self.likelihoods.argmax(axis=1))


def searched(windows: RailWindows) -> Explanation:
    """The best explanation from many beginnings: only one near the truth leads to it."""
    profiles = [profile for seed in _seeds(windows) for profile in (seed, -seed)]
    begun = list(zip(_improved(windows, profiles, rounds=2, places=2), profiles, strict=True))
    begun.sort(key=lambda one: -one[0].score)
    finished = _improved(windows, [profile for _, profile in begun[:_BEST_SEEDS]], rounds=_ROUNDS, places=4)
    return max([*finished, begun[0][0]], key=lambda found: found.score)


def _seeds(windows: RailWindows) -> Iterator[Floats32]:
    """Profiles that divide the faces in two, some from each piece of each edge."""
    for edge in EDGES:
        pieces: dict[int, list[tuple[float, Flags, Floats32]]] = {}
        even = windows.evened(windows[edge])
        for number, offset in enumerate(windows.offsets_mm[edge]):
            pieces.setdefault(int(offset // _SEED_MM), []).extend(_divided(even[:, number]))
        for piece in pieces.values():
            piece.sort(key=lambda one: -one[0])
            yield piece[0][2]
            others = (one for one in piece if not _is_same_division(one[1], piece[0][1]))
            if (other := next(others, None)) is not None:
                yield other[2]


def _divided(values: Floats32) -> Iterator[tuple[float, Flags, Floats32]]:
    """The best divisions of the faces along what they differ in most: the gain, who is above, and the difference."""
    count = len(values)
    away = values - values.mean(axis=0)
    _, directions = np.linalg.eigh(away @ away.T)
    below = np.arange(2, count - 1)
    for direction in directions.T[:-4:-1]:
        order = np.argsort(direction)
        sums = np.cumsum(away[order], axis=0)[1 : count - 2]
        between = (sums**2).sum(axis=1) * (1 / below + 1 / (count - below))
        best = int(between.argmax())
        above = np.zeros(count, bool)
        above[order[below[best] :]] = True
        difference = values[above].mean(axis=0) - values[~above].mean(axis=0)
        if difference @ difference > 0:
            yield float(between[best]), above, difference


def _is_same_division(one: Flags, other: Flags) -> bool:
    differing = int(np.count_nonzero(one != other))
    return min(differing, len(one) - differing) <= 1


def _improved(windows: RailWindows, profiles: Sequence[Floats32], rounds: int, places: int) -> list[Explanation]:
    """The best of the explanations that follow from each profile, which is learnt anew from each of them.

    All profiles go through a round together: to read the windows once for each of them takes many times as long.
    """
    best: dict[int, Explanation] = {}
    going = list(range(len(profiles)))
    looks = np.broadcast_to(np.stack(profiles, axis=-1), (windows.count, len(profiles[0]), len(profiles)))
    for _ in range(rounds):
        learning = {}
        for number, found in zip(going, _explained(windows, looks, places), strict=True):
            lesson = learnt(windows, found)
            score = 0.0
            if lesson is not None:
                learning[number], likeness = lesson
                score = _judged(windows, found, likeness)
            if number not in best or score > best[number].score:
                best[number] = found._replace(score=score)
        going = list(learning)
        if not going:
            break
        looks = np.stack(list(learning.values()), axis=-1)
    return [best[number] for number in range(len(profiles))]


def _judged(windows: RailWindows, found: Explanation, likeness: Sequence[float]) -> float:
    """How well an explanation explains: profiles that are not alike count less, places off the middle cost."""
    offsets = [
        abs(float(windows.offsets_mm[edge][place.window])) for edge, place in zip(EDGES, found.places, strict=True)
    ]
    signed = [float(windows.offsets_mm[edge][place.window]) for edge, place in zip(EDGES, found.places, strict=True)]
    cost = sum(
        # One place that opposite edges have in common is said once.
        _OTHER_PLACE * (1.0 if abs(signed[side] - signed[side - 2]) > _MIDDLE_MM else 0.5)
        for side in range(4)
        if offsets[side] > _MIDDLE_MM
    )
    gain = sum(place.gain * like for place, like in zip(found.places, likeness, strict=True))
    return found.score + gain - cost


def _explained(windows: RailWindows, looks: Floats32, places: int) -> Iterator[Explanation]:
    """Where each profile divides the faces best so that each has none or two; ``score`` is only what that costs.

    ``looks`` are the profiles as they look on each face: faces × values × profiles.
    """
    strengths = [strengths_of(windows, edge, looks) for edge in EDGES]
    for number in range(looks.shape[-1]):
        yield _best_places([places_of(of_edge[..., number], places) for of_edge in strengths])


def _best_places(candidates: Sequence[Sequence[Place]]) -> Explanation:
    """The best choice of one place for each edge."""
    choices = np.array(list(product(*(range(len(some)) for some in candidates))))
    ends, bare = (
        np.stack(
            [
                np.stack([likelihood(place, end) for place in some])[choices[:, side]]
                for side, some in enumerate(candidates)
            ],
            axis=-1,
        )
        for end in (1.0, 0.0)
    )
    likelihoods = bare @ (1 - WAYS.T) + ends @ WAYS.T
    costs = likelihoods.max(axis=-1).sum(axis=-1) - np.maximum(ends, bare).sum(axis=(-2, -1))
    gains = sum(np.array([place.gain for place in some])[choices[:, side]] for side, some in enumerate(candidates))
    best = int((costs + gains).argmax())
    chosen = tuple(some[one] for some, one in zip(candidates, choices[best], strict=True))
    return Explanation(float(costs[best]), chosen, likelihoods[best])


def strengths_of(windows: RailWindows, edge: Edge, looks: Floats32) -> Floats:
    """How far each face has each profile at each place of an edge: 1 is as much as faces with rails have.

    Faces × places × profiles; ``looks`` are faces × values × profiles.
    """
    energies = np.maximum((looks**2).sum(axis=1), 1e-6)
    # A profile that a ground nearly hides tells little.
    energies = np.maximum(energies, 0.25 * np.median(energies, axis=0))
    return np.asarray(windows[edge] @ looks / energies[:, None], np.float64)


def likelihood(place: Place, end: float) -> Floats:
    """Of each face with the rails' end (1) or without (0), as a natural logarithm."""
    away = (place.strengths - place.bare - end) / place.spread
    return np.asarray(-_TAIL * np.log1p(away**2 / (2 * _TAIL)))


def places_of(strengths: Floats, count: int) -> list[Place]:
    """The places at which faces divide best into those that have the profile and those that have not."""
    faces = len(strengths)
    order = np.sort(strengths, axis=0)
    alone = order.var(axis=0)
    sums, squares = np.cumsum(order, axis=0), np.cumsum(order**2, axis=0)
    ends = (faces - np.arange(1, faces))[:, None]  # how many have it: all but the first, the first two, ...
    mean = (sums[-1] - ends) / faces
    lowered = squares[:-1] + (squares[-1] - squares[:-1]) - 2 * (sums[-1] - sums[:-1]) + ends
    variances = np.maximum(lowered / faces - mean**2, 0) + _SPREAD**2
    gains = faces / 2 * np.log((alone + _SPREAD**2) / variances)
    best = gains.argmax(axis=0)
    every = np.arange(strengths.shape[1])
    gain, bare, variance = gains[best, every], mean[best, every], variances[best, every]
    kept: list[int] = []
    for window in np.argsort(-gain):
        if all(abs(window - other) > _APART for other in kept):
            kept.append(int(window))
        if len(kept) == count:
            break
    return [
        Place(float(gain[one]), one, strengths[:, one], float(bare[one]), float(np.sqrt(variance[one]))) for one in kept
    ]


def learnt(windows: RailWindows, found: Explanation) -> tuple[Floats32, list[float]] | None:
    """The profile on each face's ground, and how much each edge's own is like that of the others (0 to 1)."""
    has_end = WAYS[found.ways].astype(bool)
    count = windows.count
    differences: list[Floats32] = []
    weights: list[float] = []
    seen: list[Floats32] = []
    grounds: list[Floats] = []
    for edge, place, ends in zip(EDGES, found.places, has_end.T, strict=True):
        here = windows[edge][:, place.window]
        number = int(np.count_nonzero(ends))
        if not 2 <= number <= count - 2:
            differences.append(np.zeros(here.shape[1], np.float32))
            weights.append(0.0)
            continue
        bare = here[~ends].mean(axis=0)
        differences.append(here[ends].mean(axis=0) - bare)
        weights.append(number * (count - number) / count)
        seen.append(here[ends] - bare)
        grounds.append(windows.grounds[ends])
    if not seen:
        return None
    likeness = [_likeness(windows, differences, weights, side) for side in range(4)]
    usual = windows.evened(np.average(np.stack(differences), axis=0, weights=weights))
    return _on_grounds(windows, usual, np.concatenate(seen), np.concatenate(grounds)), likeness


def _likeness(windows: RailWindows, differences: Sequence[Floats32], weights: Sequence[float], side: int) -> float:
    own = differences[side]
    others = sum((weights[one] * differences[one] for one in range(4) if one != side), np.zeros_like(own))
    even = windows.evened(np.asarray(others, np.float32))
    norm = float(np.sqrt((own @ own) * (even @ even)))
    return max(0.0, float(own @ even) / norm) if norm > 0 else 0.0


def _on_grounds(windows: RailWindows, usual: Floats32, seen: Floats32, grounds: Floats) -> Floats32:
    """The profile as it looks on each face: what covers the ground looks the same on all, so the difference changes.

    How much of the ground is covered at each place is learnt from the faces that have the rails (``seen``).
    """
    middle = grounds.mean(axis=0)
    apart = grounds - middle
    left = (seen - usual).reshape(-1, *windows.shape)
    covered = -np.einsum("fbcp,fbc->bp", left, apart) / (
        np.einsum("fbc,fbc->b", apart, apart)[:, None] + _GROUND_PRIOR * len(seen)
    )
    covered = np.clip((covered + covered[:, ::-1]) / 2, -0.3, 1.0)
    own = np.clip(windows.grounds - middle, -15, 15)
    profiles = usual.reshape(1, *windows.shape) - covered[None, :, None, :] * own[..., None]
    profiles -= profiles.mean(axis=-1, keepdims=True)
    return np.asarray(profiles.reshape(windows.count, -1), np.float32)
