"""Which faces of a deck show the same value, read from what is alike on faces that have nothing else in common.

Faces with the same rails differ by their values, faces with different rails share only their value's marks: numerals
wherever they stand, colours, grounds. No way to write values is presumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Floats32, Indices, Picture
from vision.teaching.even_faces import even_face
from vision.teaching.values.face_blocks import block_distances, block_places, without_shade

VALUES: Final = 4
CLEAR_FACE: Final = 0.25
"""A face's value is clear where the next group is so much further away, in parts of the distance within groups."""
CLEAR_DECK: Final = 10.0
"""Groups of a deck are clear where its blocks gain this much in all: decks that were grouped wrongly reached 9, five of
six that were grouped rightly 16 to 1000."""

_LEAST_GAIN: Final = 0.4
"""A block tells values where distances within groups are smaller than usual by this (natural logarithm); four groups
made at will of two dozen faces reach about 0.3."""
_SURE_GAIN: Final = 0.7
_FLOOR: Final = 0.3
"""In parts of the usual distance: what cannot be told from noise."""
_TRIED_BLOCKS: Final = 2 / 3
_TRIED_GROUPINGS: Final = 150
_ROUNDS: Final = 8
_MOST_FACES: Final = 7
"""With the same rails: the ways to give values to more are too many to be tried one by one."""


class ValueGroups(NamedTuple):
    """A group (0 to 3) for each face and how clear that is; how well each block tells values, and all together."""

    groups: tuple[int, ...]
    margins: tuple[float, ...]
    weight: float
    gains: Floats

    def is_clear(self, face: int) -> bool:
        """Whether a face's group is beyond doubt."""
        return self.weight >= CLEAR_DECK and self.margins[face] >= CLEAR_FACE


class _Grouping(NamedTuple):
    weight: float
    groups: Indices
    gains: Floats


def find_value_groups(
    cut_outs: Sequence[Picture], alike: Sequence[Sequence[int]], card_mm: tuple[float, float]
) -> ValueGroups:
    """Groups of faces (upright BGR cut-outs) with the same value.

    ``alike`` are the numbers of the faces that have the same rails, for each kind of rails and for none; every face
    is in one of them.
    """
    faces = [even_face(cut_out, card_mm) for cut_out in cut_outs]
    marks = np.stack([without_shade(face) for face in faces])
    grounds = np.array([np.median(face.reshape(-1, 3), axis=0) for face in faces])
    sets = [np.array(some) for some in alike if len(some)]
    left, left_grounds = _without_rails(marks, grounds, sets, None)
    distances = _distances(left, left_grounds)
    found = _best(distances, sets, _beginnings(distances, sets))
    # Sets in which not all values are equally frequent have hidden something of their marks.
    left, left_grounds = _without_rails(marks, grounds, sets, found.groups)
    distances = _distances(left, left_grounds)
    found = _best(distances, sets, iter([found.groups]))
    costs = _costs(np.tensordot(_weights(distances, found.gains), distances, 1), found.groups)
    own = costs[np.arange(len(faces)), found.groups]
    others = np.where(np.eye(VALUES, dtype=bool)[found.groups], np.inf, costs).min(axis=1)
    margins = (others - own) / max(float(own.mean()), 1e-9)
    _settle_few(marks, left, sets, found.groups, margins=margins, weights=_weights(distances, found.gains))
    return ValueGroups(tuple(map(int, found.groups)), tuple(map(float, margins)), found.weight, found.gains)


def _without_rails(
    marks: Floats32, grounds: Floats, sets: Sequence[Indices], groups: Indices | None
) -> tuple[Floats32, Floats]:
    """Marks and grounds without what faces with the same rails have in common, values set aside if they are known."""
    left, left_grounds = marks.copy(), grounds.copy()
    if groups is None:
        for some in sets:
            left[some] -= marks[some].mean(axis=0)
            left_grounds[some] -= np.median(grounds[some], axis=0)
        return left, left_grounds
    left, left_grounds = _without_rails(marks, grounds, sets, None)
    for _ in range(3):  # each of the two is what the other leaves
        mark = np.stack([_mean(left[groups == group], left[0]) for group in range(VALUES)])
        ground = np.stack([_mean(left_grounds[groups == group], left_grounds[0]) for group in range(VALUES)])
        for some in sets:
            left[some] = marks[some] - (marks[some] - mark[groups[some]]).mean(axis=0)
            left_grounds[some] = grounds[some] - (grounds[some] - ground[groups[some]]).mean(axis=0)
    return left, left_grounds


def _settle_few(
    marks: Floats32, left: Floats32, sets: Sequence[Indices], groups: Indices, *, margins: Floats, weights: Floats
) -> None:
    """Settles the faces of sets with fewer faces than values: what they have in common hides much of their values.

    Each way to give them values is tried as if it were right. One face alone with its rails cannot be settled.
    """
    shown = np.zeros(marks.shape[1:3])
    for (top, begin, side), weight in zip(block_places(*marks.shape[1:3]), weights, strict=False):
        shown[top : top + side, begin : begin + side] += weight
    few = [some for some in sets if len(some) < VALUES]
    many = np.setdiff1d(np.arange(len(groups)), np.concatenate([[], *few])).astype(np.intp)
    if not few or not shown.any() or len(set(groups[many])) < VALUES:
        return
    mark = np.stack([left[many][groups[many] == group].mean(axis=0) for group in range(VALUES)])
    for some in few:
        ways = np.array(list(permutations(range(VALUES), len(some))), np.intp)
        costs = []
        for way in ways:
            rest = marks[some] - mark[way]
            costs.append(float((np.square(rest - rest.mean(axis=0)).sum(axis=(0, 3)) * shown).sum()))
        first, second = np.argsort(costs)[:2]
        groups[some] = ways[first]
        margins[some] = (costs[second] - costs[first]) / max(costs[first], 1e-9) if len(some) > 1 else 0.0


def _mean(some: Floats | Floats32, like: Floats | Floats32) -> Floats:
    return np.asarray(some.mean(axis=0) if len(some) else np.zeros_like(like), np.float64)


def _distances(marks: Floats32, grounds: Floats) -> Floats:
    """How different each two faces are in each block: blocks × faces × faces; the last two are of the ground."""
    # A ground's colour is one more block, as a tenth of its difference on all three channels: lamps change it too.
    ground = ((grounds[:, None] - grounds[None]) ** 2).sum(axis=-1) / 30
    return np.concatenate([block_distances(marks), [ground, ground]])


def _usual(distances: Floats) -> tuple[Floats, float]:
    """The mean distance of two faces in each block, and what is added to it."""
    count = distances.shape[1]
    usual = distances.sum(axis=(1, 2)) / (count * (count - 1))
    return usual, _FLOOR * float(np.median(usual)) + 1e-9


def _gains(distances: Floats, groups: Indices) -> Floats:
    """By how much nearer faces of one group are to each other in each block (natural logarithm)."""
    usual, floor = _usual(distances)
    return np.asarray(np.log((usual + floor) / (_within(distances, groups) + floor)))


def _within(distances: Floats, groups: Indices) -> Floats:
    same = (groups[:, None] == groups[None]).astype(float)
    np.fill_diagonal(same, 0)
    fellows = same.sum(axis=1, keepdims=True)
    return np.asarray(np.tensordot(distances, same / np.maximum(fellows, 1)) / max(np.count_nonzero(fellows), 1))


def _weights(distances: Floats, gains: Floats) -> Floats:
    """How much each block counts: not at all where values make no difference, else by how exactly it tells them."""
    usual, floor = _usual(distances)
    share = np.clip((gains - _LEAST_GAIN) / (_SURE_GAIN - _LEAST_GAIN), 0, 1)
    return np.asarray(share / (usual * np.exp(-gains) + floor))


def _costs(distances: Floats, groups: Indices) -> Floats:
    """How far each face is from each group: faces × groups."""
    members = np.eye(VALUES)[groups]
    number = members.sum(axis=0) - members
    usual = distances.sum() / (len(groups) * (len(groups) - 1))
    return np.asarray(np.where(number > 0, distances @ members / np.maximum(number, 1), usual))


def _given(costs: Floats, sets: Sequence[Indices]) -> Indices:
    """The cheapest group for each face; in a set with the same rails each value is about equally frequent."""
    groups = np.zeros(len(costs), np.intp)
    for some in sets:
        ways = _ways(len(some))
        if ways is None:
            groups[some] = costs[some].argmin(axis=1)
        else:
            # All at once, place by place: beginnings are tried by the thousand.
            number = VALUES * np.arange(len(some))[:, None]
            groups[some] = ways[:, costs[some].ravel()[ways + number].sum(axis=0).argmin()]
    return groups


@cache
def _ways(faces: int) -> Indices | None:
    """The ways to give groups to faces (faces × ways): none twice, before all four are given."""
    if faces > _MOST_FACES:
        return None
    most, least = -(-faces // VALUES), faces // VALUES
    ways = np.array(list(product(range(VALUES), repeat=faces)))
    counts = np.stack([(ways == group).sum(axis=1) for group in range(VALUES)], axis=1)
    chosen = (counts.max(axis=1) <= most) & (counts.min(axis=1) >= min(least, 1))
    return np.ascontiguousarray(ways[chosen].T)


def _beginnings(distances: Floats, sets: Sequence[Indices]) -> Iterator[Indices]:
    """Groupings around the faces of one set, as each block tells them apart; the best, each once."""
    usual, _ = _usual(distances)
    tried = np.argsort(-usual)[: round(_TRIED_BLOCKS * len(usual))]
    begun = []
    for block in tried:
        here = distances[block]
        for some in sets:
            for middles in combinations(some, min(len(some), VALUES)) if 3 <= len(some) <= 6 else ():
                costs = here[:, middles]
                if costs.shape[1] < VALUES:
                    costs = np.pad(costs, ((0, 0), (0, VALUES - costs.shape[1])), constant_values=usual[block])
                groups = _given(_costs(here, _given(costs, sets)), sets)
                begun.append((float(_gains(distances[block : block + 1], groups)[0]), groups))
    begun.sort(key=lambda one: -one[0])
    different = {groups.tobytes(): groups for _, groups in reversed(begun)}
    ordered = list(different.values())[::-1]
    yield from ordered[:_TRIED_GROUPINGS]
    yield _given(distances.sum(axis=0)[:, :VALUES], sets) if not ordered else ordered[0]


def _best(distances: Floats, sets: Sequence[Indices], beginnings: Iterator[Indices]) -> _Grouping:
    return max((_improved(distances, sets, groups) for groups in beginnings), key=lambda one: one.weight)


def _improved(distances: Floats, sets: Sequence[Indices], groups: Indices) -> _Grouping:
    for _ in range(_ROUNDS):
        weights = _weights(distances, _gains(distances, groups))
        if weights.sum() <= 0:
            break
        better = _given(_costs(np.tensordot(weights, distances, 1), groups), sets)
        if np.array_equal(better, groups):
            break
        groups = better
    gains = _gains(distances, groups)
    return _Grouping(float(np.maximum(gains - _LEAST_GAIN, 0).sum()), groups, gains)
