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

from vision.arrays import Flags, Floats, Floats32, Indices, Picture
from vision.teaching.even_faces import even_face
from vision.teaching.values.face_blocks import block_distances, block_places, without_shade

VALUES: Final = 4
_CLEAR: Final = 1.0
"""A face's group is clear where it is on average so many times its distance farther from any other: twice as far. Of
4,776 faces of 199 decks for building 71 were put into a wrong group, all of them nearer to another one than 0.99; nine
in ten of the others are clear. Of those with rails that few have, some wrong ones reached 0.5, none of 462 did 1.
"""
_BY_CHANCE: Final = 200
"""So many groupings at random tell how alike faces of one group are by chance."""
_TRIED: Final = 100
"""So many groupings are improved, those that tell most."""
_MOST_FOURS: Final = 8
"""So many fours of faces groupings begin with, of each block."""
_TOGETHER: Final = 500
"""So many groupings are weighed at once."""
_ROUNDS: Final = 8
_NOTHING: Final = 1e-6
"""What is added to squares of Lab lest blocks that never differ divide by nothing."""
_MOST_FACES: Final = 7
"""With the same rails: the ways to give values to more are too many to be tried one by one."""


class ValueGroups(NamedTuple):
    """A group (0 to 3) for each face, whether that is beyond doubt, and how well each block of the faces tells values.

    The latter is how much more alike faces of one group are there than by chance (a natural logarithm).
    """

    groups: tuple[int, ...]
    are_clear: tuple[bool, ...]
    gains: Floats


class _Blocks(NamedTuple):
    """How different each two faces are in each block (blocks × faces²), and how different those of one group by chance.

    That is a mean and a standard deviation for each block: whatever differs from face to face, be it noise, a ground or
    lamps, it does so for groups at random, too.
    """

    distances: Floats
    usual: Floats
    spread: Floats

    @property
    def each(self) -> Floats:
        """Blocks × faces × faces."""
        faces = round(self.distances.shape[1] ** 0.5)
        return self.distances.reshape(-1, faces, faces)

    def told(self, groupings: Indices) -> Floats:
        """By how many standard deviations more alike than by chance those of one group are (blocks × groupings)."""
        within = _within(self.distances, groupings)
        return np.asarray((self.usual[:, None] - within) / self.spread[:, None])

    def gains(self, groups: Indices) -> Floats:
        """How much more alike those of one group are in each block than by chance (a natural logarithm)."""
        within = _within(self.distances, groups[None])[:, 0]
        return np.asarray(np.log((self.usual + _NOTHING) / (within + _NOTHING)))

    def weights(self, groups: Indices) -> Floats:
        """How much a difference counts in each block: by what a standard deviation there adds to evidence."""
        told = self.told(groups[None])[:, 0]
        return np.asarray(np.exp(told - told.max()) / self.spread)


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
    blocks = _blocks(left, left_grounds, sets)
    found = _best(blocks, sets, _beginnings(blocks, sets))
    # Sets in which not all values are equally frequent have hidden something of their marks.
    left, left_grounds = _without_rails(marks, grounds, sets, found)
    blocks = _blocks(left, left_grounds, sets)
    weights = blocks.weights(found)
    costs = _costs(np.tensordot(weights, blocks.each, 1), found)
    own = costs[np.arange(len(faces)), found]
    others = np.where(np.eye(VALUES, dtype=bool)[found], np.inf, costs).min(axis=1)
    are_clear = others - own >= _CLEAR * own
    _settle_few(marks, left, sets, found, are_clear=are_clear, weights=weights)
    return ValueGroups(tuple(map(int, found)), tuple(map(bool, are_clear)), blocks.gains(found))


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
    marks: Floats32, left: Floats32, sets: Sequence[Indices], groups: Indices, *, are_clear: Flags, weights: Floats
) -> None:
    """Settles the faces of sets with fewer faces than values: what they have in common hides much of their values.

    Each way to give them values is tried as if it were right. One face alone with its rails cannot be settled.
    """
    shown = np.zeros(marks.shape[1:3])
    for (top, begin, side), weight in zip(block_places(*marks.shape[1:3]), weights, strict=False):
        shown[top : top + side, begin : begin + side] += weight
    few = [some for some in sets if len(some) < VALUES]
    for some in few:
        are_clear[some] = False
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
        are_clear[some] = len(some) > 1 and costs[second] - costs[first] >= _CLEAR * costs[first]


def _mean(some: Floats | Floats32, like: Floats | Floats32) -> Floats:
    return np.asarray(some.mean(axis=0) if len(some) else np.zeros_like(like), np.float64)


def _distances(marks: Floats32, grounds: Floats) -> Floats:
    """How different each two faces are in each block: blocks × faces × faces; the last two are of the ground."""
    # A ground's colour is one more block, as a tenth of its difference on all three channels: lamps change it too.
    ground = ((grounds[:, None] - grounds[None]) ** 2).sum(axis=-1) / 30
    return np.concatenate([block_distances(marks), [ground, ground]])


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


def _blocks(marks: Floats32, grounds: Floats, sets: Sequence[Indices]) -> _Blocks:
    distances = _distances(marks, grounds)
    distances = distances.reshape(len(distances), -1)
    within = _within(distances, _at_random(sets))
    return _Blocks(distances, within.mean(axis=1), within.std(axis=1) + _NOTHING)


def _at_random(sets: Sequence[Indices]) -> Indices:
    """Groupings (n × faces) in which in each set each value is about equally frequent."""
    random = np.random.default_rng(0)
    groupings = np.zeros((_BY_CHANCE, sum(map(len, sets))), np.intp)
    for some in sets:
        ways = _ways(len(some))
        if ways is None:
            groupings[:, some] = random.integers(0, VALUES, (_BY_CHANCE, len(some)))
        else:
            groupings[:, some] = ways[:, random.integers(0, ways.shape[1], _BY_CHANCE)].T
    return groupings


def _within(distances: Floats, groupings: Indices) -> Floats:
    """The mean distance (of blocks × faces²) of faces of one group (blocks × groupings)."""
    return np.asarray(distances @ _pairs(groupings).T)


def _pairs(groupings: Indices) -> Floats:
    """How much the distance of each two faces counts for how alike those of one group are (groupings × faces²)."""
    same = (groupings[:, :, None] == groupings[:, None]).astype(float)
    same[:, np.arange(groupings.shape[1]), np.arange(groupings.shape[1])] = 0
    fellows = same.sum(axis=2, keepdims=True)
    grouped = np.maximum(np.count_nonzero(fellows, axis=1), 1)
    return np.asarray((same / np.maximum(fellows, 1) / grouped[:, None]).reshape(len(groupings), -1))


def _evidence(told: Floats) -> Floats:
    """How much speaks for groupings of which blocks tell that (blocks × groupings): any one of these may tell values.

    Values are seen in few of the blocks, which then tell them plainly, and what differs by chance does so in many.
    """
    return np.asarray(np.logaddexp.reduce(told, axis=0))


def _beginnings(blocks: _Blocks, sets: Sequence[Indices]) -> Indices:
    """Groupings around faces of one set, as each block tells them apart; those that tell most, each once.

    Of a set of four each has most probably another value; of larger ones it is tried which four.
    """
    most = min((len(some) for some in sets if len(some) >= VALUES), default=max(map(len, sets)))
    middles = [np.array(four) for some in sets if len(some) == most for four in _fours(some)][:_MOST_FOURS]
    begun = []
    for here, usual in zip(blocks.each, blocks.usual, strict=True):
        for four in middles:
            costs = np.pad(here[:, four], ((0, 0), (0, VALUES - len(four))), constant_values=usual)
            begun.append(_given(_costs(here, _given(costs, sets)), sets))
    different = np.unique(begun, axis=0)
    # Some at a time: all together would take hundreds of megabytes.
    parts = np.array_split(different, -(-len(different) // _TOGETHER))
    evidence = np.concatenate([_evidence(blocks.told(part)) for part in parts])
    return np.asarray(different[np.argsort(-evidence)[:_TRIED]])


def _fours(some: Indices) -> Iterator[tuple[int, ...]]:
    """Each four of some faces, if these are not too many; all of fewer."""
    return combinations(some[:_MOST_FACES].tolist(), min(len(some), VALUES))


def _best(blocks: _Blocks, sets: Sequence[Indices], beginnings: Indices) -> Indices:
    improved = np.stack([_improved(blocks, sets, groups) for groups in beginnings])
    return np.asarray(improved[_evidence(blocks.told(improved)).argmax()])


def _improved(blocks: _Blocks, sets: Sequence[Indices], groups: Indices) -> Indices:
    for _ in range(_ROUNDS):
        better = _given(_costs(np.tensordot(blocks.weights(groups), blocks.each, 1), groups), sets)
        if np.array_equal(better, groups):
            break
        groups = better
    return groups
