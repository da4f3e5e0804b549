"""How well it explains what faces look like that they have these rails, kinds and values.

In each block of the faces two of them are as different as noise makes them, and more so where they differ in something
that is drawn there: the whole way of their rails, the end of these at one edge, what breaks tracks, values. Which of
these it is, is not known; each is tried (as Gaussian processes, whose scale is not known either).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Floats32, Indices
from vision.cards import Edge, Port

_SLIGHTLY: Final = 0.5
_PLAINLY: Final = 5.5
_STRONGLY: Final = 30.0
"""What faces differ by in a block because of their rails (variances, in parts of that of noise)."""
_VALUES: Final = 3.0
"""The same because of their values."""
_NOT_ON_CHAOS: Final = 0.3
"""So probable it is that chaos cards have nothing of what tells values there: they may have another ground."""
_FREEDOM: Final = 8.0
"""So many independent numbers a block counts for, of the 300 that its pixels are: what disturbs faces is smooth. With
12 a thirteenth fewer values were told on decks for building, with 5 about as many."""
_LEAST_FREEDOM: Final = 2.0
_NOTHING: Final = 1e-6
"""What is added to squares of Lab lest faces that are all alike divide by nothing."""
_LEAST_NOISE: Final = 0.1
"""Quantile of all distances of two faces in all blocks: it counts like _LEAST_FREEDOM numbers that tell of noise."""


class Named(NamedTuple):
    """What a face is held for; ``value`` is any number for a value that is like no other's."""

    ports: tuple[Port, ...]
    is_broken: bool
    value: int


class Evidence(NamedTuple):
    """Logarithms of how probable the differences are (blocks × hypotheses), if values are drawn there and if not."""

    without_values: Floats
    with_values: Floats


def least_noise(distances: Floats) -> float:
    """What noise makes of a face at least (a variance): of distances of two or more faces (blocks × faces × faces)."""
    some, other = np.triu_indices(distances.shape[1], 1)
    return 0.5 * float(np.quantile(distances[:, some, other], _LEAST_NOISE)) + _NOTHING


def evidence(distances: Floats, hypotheses: Sequence[Sequence[Named]], noise: float) -> Evidence:
    """How well each hypothesis about all faces explains their distances in each block (blocks × faces × faces)."""
    flat = distances.reshape(len(distances), -1).astype(np.float32)
    without, having = [], []
    same_value, has_rails = _same_values(hypotheses), _both_have_rails(hypotheses)
    for rails in _differing(hypotheses):
        without.append(_likelihood(flat, rails, noise))
        everywhere = _likelihood(flat, rails + _VALUES * same_value, noise)
        not_on_chaos = _likelihood(flat, rails + _VALUES * same_value * has_rails, noise)
        having.append(np.logaddexp(everywhere + np.log(1 - _NOT_ON_CHAOS), not_on_chaos + np.log(_NOT_ON_CHAOS)))
    return Evidence(*(np.asarray(np.logaddexp.reduce(part, axis=0) - np.log(len(part))) for part in (without, having)))


def _likelihood(flat: Floats32, shared: Floats, noise: float) -> Floats:
    """How probable the distances are (blocks × faces²) if faces share so much (hypotheses × faces × faces)."""
    faces = shared.shape[1]
    covariance = np.eye(faces) + shared
    inverse = np.linalg.inv(covariance)
    sums = inverse.sum(axis=2)
    total = sums.sum(axis=1)
    # What all faces have in common is set aside: then distances say all of what the faces themselves would.
    apart = inverse - sums[:, :, None] * sums[:, None] / total[:, None, None]
    size = np.linalg.slogdet(covariance)[1] + np.log(total)
    squares = np.maximum(-0.5 * (flat @ apart.reshape(len(apart), -1).T.astype(np.float32)), 0)
    freedom = _FREEDOM * (faces - 1) + _LEAST_FREEDOM
    scales = np.log(_LEAST_FREEDOM * noise + _FREEDOM * squares.astype(np.float64))
    return np.asarray(-0.5 * _FREEDOM * size - 0.5 * freedom * scales)


def _differing(hypotheses: Sequence[Sequence[Named]]) -> Iterator[Floats]:
    """What faces share by their rails, in each way in which that may be drawn in a block."""
    ways = _same([[face.ports for face in faces] for faces in hypotheses])
    broken = _same([[face.is_broken for face in faces] for faces in hypotheses])
    yield from (much * ways for much in (_SLIGHTLY, _PLAINLY, _STRONGLY))
    for edge in Edge:
        yield ways + _STRONGLY * _same([[_end(face, edge) for face in faces] for faces in hypotheses])
    yield ways + _STRONGLY * _same([[bool(face.ports) for face in faces] for faces in hypotheses])
    yield ways + _STRONGLY * broken
    yield ways + _STRONGLY * broken * ways


def _end(face: Named, edge: Edge) -> Port | None:
    return next((port for port in face.ports if port.edge is edge), None)


def _same_values(hypotheses: Sequence[Sequence[Named]]) -> Floats:
    return _same([[face.value for face in faces] for faces in hypotheses])


def _both_have_rails(hypotheses: Sequence[Sequence[Named]]) -> Floats:
    has = np.array([[bool(face.ports) for face in faces] for faces in hypotheses], float)
    return np.asarray(has[:, :, None] * has[:, None])


def _same(names: Sequence[Sequence[object]]) -> Floats:
    """Which faces have the same name (hypotheses × faces × faces)."""
    known: dict[object, int] = {}
    numbers: Indices = np.array([[known.setdefault(name, len(known)) for name in row] for row in names])
    return np.asarray(numbers[:, :, None] == numbers[:, None], np.float64)
