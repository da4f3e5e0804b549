"""Where the rails leave the cards, read from the faces of a whole deck.

Rails look alike at every edge that they leave by, the same on both sides, and every card has either none or two ends of
them. No look is presumed: a profile is searched that recurs so, and where it does so best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Flags, FloatPicture, Floats, Floats32, Indices, Picture
from vision.cards import Port
from vision.teaching.even_faces import even_face
from vision.teaching.rail_places import refined_offsets
from vision.teaching.rail_windows import EDGES, RailWindows

WAYS: Final = np.array([way for way in product((0, 1), repeat=4) if sum(way) in {0, 2}])
"""By which of the edges (N, E, S, W) rails may leave a card."""
CLEAR_SCORE: Final = 60.0
"""A deck's rails are clear from this score on: of decks read wrongly none had more than 57, of those read rightly nine
in ten have more."""
CLEAR_FACE: Final = 3.0
"""A face is clear where the next way is less likely by this (natural logarithm of 20)."""
LEAST_FACES: Final = 5
"""Fewer do not tell what recurs."""

_HALVES_MM: Final = (7.0, 15.0)
"""Half of the windows' width: for lines and small rails, and for those in a wide bed."""
_SAME_FACES: Final = 0.9
"""Two explanations are the same where so many faces have the same rails by both; others agree on half at most."""
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


class FaceRails(NamedTuple):
    """The rails of a face: none or two ports, and how much more likely they are than any others (in logarithms)."""

    ports: tuple[Port, ...]
    margin: float


class DeckRails(NamedTuple):
    """The rails of all faces, in their order, and how well they explain what is along the edges."""

    faces: tuple[FaceRails, ...]
    score: float

    @property
    def is_clear(self) -> bool:
        """Whether rails were found at all."""
        return self.score >= CLEAR_SCORE


class _Place(NamedTuple):
    """A place on an edge: how far rails have the profile there on each face (0: not at all, 1: fully)."""

    gain: float
    window: int
    strengths: Floats
    bare: float
    spread: float


class _Found(NamedTuple):
    """One way to explain the edges."""

    score: float
    places: tuple[_Place, ...]
    likelihoods: Floats
    """Of each way for each face."""

    @property
    def ways(self) -> Indices:
        """The likeliest of each face."""
        return self.likelihoods.argmax(axis=1)


def find_rails(cut_outs: Sequence[Picture], card_mm: tuple[float, float]) -> DeckRails:
    """The rails of a deck's faces (upright BGR cut-outs, all the same way up); raises ValueError for too few."""
    if len(cut_outs) < LEAST_FACES:
        msg = f"{len(cut_outs)} faces do not tell what recurs; give {LEAST_FACES} or more."
        raise ValueError(msg)
    faces = [even_face(cut_out, card_mm) for cut_out in cut_outs]
    searched = [(_searched(windows), windows) for windows in (RailWindows(faces, half) for half in _HALVES_MM)]
    found, windows = max(searched, key=lambda one: one[0].score)
    score = found.score
    wide, wide_windows = searched[-1]
    if np.mean(wide.ways == found.ways) >= _SAME_FACES:
        # In a narrow window one rail of two can be taken for all there is.
        found, windows = wide, wide_windows
    return DeckRails(tuple(_face_rails(faces, found, windows)), score)


def _face_rails(faces: Sequence[FloatPicture], found: _Found, windows: RailWindows) -> Iterator[FaceRails]:
    has_end = WAYS[found.ways].astype(bool)
    coarse = [float(windows.offsets_mm[edge][place.window]) for edge, place in zip(EDGES, found.places, strict=True)]
    offsets = refined_offsets(faces, has_end, coarse)
    for ends, likelihoods in zip(has_end, found.likelihoods, strict=True):
        best, second = np.sort(likelihoods)[:-3:-1]
        ports = [
            Port(edge, round(offset, 1)) for edge, offset, is_end in zip(EDGES, offsets, ends, strict=True) if is_end
        ]
        ports.sort(key=lambda port: "SWEN".index(port.edge))
        yield FaceRails(tuple(ports), float(best - second))


def _searched(windows: RailWindows) -> _Found:
    """The best explanation from many beginnings: only one near the truth leads to it."""
    begun = [
        (_improved(windows, profile, rounds=2, places=2), profile)
        for seed in _seeds(windows)
        for profile in (seed, -seed)
    ]
    begun.sort(key=lambda one: -one[0].score)
    finished = [_improved(windows, profile, rounds=_ROUNDS, places=4) for _, profile in begun[:_BEST_SEEDS]]
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


def _improved(windows: RailWindows, profile: Floats32, rounds: int, places: int) -> _Found:
    """The best of the explanations that follow from a profile, which is learnt anew from each of them."""
    profiles = np.broadcast_to(profile, (windows.count, len(profile)))
    best: _Found | None = None
    for _ in range(rounds):
        found = _explained(windows, profiles, places)
        learnt = _learnt(windows, found)
        if learnt is not None:
            profiles, likeness = learnt
            found = found._replace(score=_judged(windows, found, likeness))
        else:
            found = found._replace(score=0.0)
        if best is None or found.score > best.score:
            best = found
        if learnt is None:
            break
    assert best is not None  # noqa: S101 (there is one round at least)
    return best


def _judged(windows: RailWindows, found: _Found, likeness: Sequence[float]) -> float:
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


def _explained(windows: RailWindows, profiles: Floats32, places: int) -> _Found:
    """Where the profile divides the faces best so that each has none or two; ``score`` is only what that costs."""
    energies = np.maximum((profiles**2).sum(axis=1), 1e-6)
    # A profile that a ground nearly hides tells little.
    energies = np.maximum(energies, 0.25 * np.median(energies))
    candidates = []
    for edge in EDGES:
        strengths = np.einsum("fov,fv->fo", windows[edge], profiles) / energies[:, None]
        candidates.append(_places(strengths, places))
    with_rails = [[_likelihood(place, 1.0) for place in some] for some in candidates]
    without = [[_likelihood(place, 0.0) for place in some] for some in candidates]
    best: tuple[float, float, _Found] | None = None
    for choice in product(*(range(len(some)) for some in candidates)):
        ends = np.stack([with_rails[side][number] for side, number in enumerate(choice)], axis=1)
        bare = np.stack([without[side][number] for side, number in enumerate(choice)], axis=1)
        likelihoods = bare @ (1 - WAYS.T) + ends @ WAYS.T
        cost = float(likelihoods.max(axis=1).sum() - np.maximum(ends, bare).sum())
        chosen = tuple(candidates[side][number] for side, number in enumerate(choice))
        total = cost + sum(place.gain for place in chosen)
        if best is None or total > best[0]:
            best = (total, cost, _Found(cost, chosen, likelihoods))
    assert best is not None  # noqa: S101 (each edge has a place)
    return best[2]


def _likelihood(place: _Place, end: float) -> Floats:
    away = (place.strengths - place.bare - end) / place.spread
    return np.asarray(-_TAIL * np.log1p(away**2 / (2 * _TAIL)))


def _places(strengths: Floats, count: int) -> list[_Place]:
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
        _Place(float(gain[one]), one, strengths[:, one], float(bare[one]), float(np.sqrt(variance[one])))
        for one in kept
    ]


def _learnt(windows: RailWindows, found: _Found) -> tuple[Floats32, list[float]] | None:
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
