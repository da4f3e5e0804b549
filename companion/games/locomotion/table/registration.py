"""How the axes of the eye lie beside those of a network that is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from companion.games.locomotion.rules import Dot, Network, Side, State
from companion.games.locomotion.table.looks import Axes, Look, looks_in, looks_of
from companion.games.locomotion.table.seen import kinds_in, kinds_of
from vision.watching.network_reading import NetworkReading


def registered(
    reading: NetworkReading, network: Network, state: State | None = None, before: Axes | None = None
) -> Axes | None:
    """The axes in which most pieces lie as in the network.

    None where those are not more than half of the pieces that are seen, or where several axes are as good and the
    network is not. Where it looks the same from several sides the axes stay as they were ``before``, unless by others
    every vehicle stands as in ``state``; without any of this nobody can tell them apart, and they are one of them.
    """
    seen = looks_in(reading, network.piece)
    wanted = looks_of(network)
    if before is not None and sum(_agrees(look, before, wanted) for look in seen) == len(wanted):
        candidates = [before.then(symmetry) for symmetry in _symmetries(network)]
        return _chosen(candidates, reading, state, before)
    votes = Counter(_votes(seen, wanted.values()))
    most = max(votes.values(), default=0)
    candidates = [axes for axes, count in votes.items() if count == most]
    if 2 * most <= len(seen):
        return None
    axes = _chosen(candidates, reading, state, before)
    same = [axes.then(symmetry) for symmetry in _symmetries(network)]
    return axes if before in candidates or set(candidates) <= set(same) else None


@lru_cache(maxsize=2)
def _symmetries(network: Network) -> tuple[Axes, ...]:
    """The axes in which a network looks the same; the first leave all as it is."""
    looks = looks_of(network)
    votes = Counter(_votes(list(looks.values()), looks.values()))
    same = {axes for axes, count in votes.items() if count == len(looks)} - {Axes()}
    return (Axes(), *sorted(same))


def _votes(seen: Sequence[Look], wanted: Iterable[Look]) -> Iterator[Axes]:
    """Each pair of a piece that is seen and one that it may be, as the axes by which it is that one."""
    alike: dict[Look | frozenset[Dot], list[Dot]] = {}
    for look in wanted:
        corner = look.corner
        at_zero = look.moved(_away_from(corner))
        alike.setdefault(at_zero, []).append(corner)
        alike.setdefault(at_zero.cells, []).append(corner)
    for turn in Side:
        for look in seen:
            turned = look.moved(Axes(turn))
            x, y = turned.corner
            at_zero = turned.moved(_away_from((x, y)))
            for other_x, other_y in alike.get(at_zero.cells if look.tracks is None else at_zero, ()):
                yield Axes(turn, (other_x - x, other_y - y))


def _away_from(corner: Dot) -> Axes:
    return Axes(shift=(-corner[0], -corner[1]))


def _agrees(look: Look, axes: Axes, wanted: Mapping[frozenset[Dot], Look]) -> bool:
    moved = look.moved(axes)
    other = wanted.get(moved.cells)
    return other is not None and moved.is_like(other)


def _chosen(candidates: Sequence[Axes], reading: NetworkReading, state: State | None, before: Axes | None) -> Axes:
    standing = {axes: 0 if state is None else _standing(axes.reading(reading), state) for axes in candidates}
    best = max(candidates, key=lambda axes: (standing[axes], axes == before))
    if before in standing and (state is None or standing[best] < len(state.stock.dots)):
        return before
    return best


def _standing(reading: NetworkReading, state: State) -> int:
    """How many vehicles may stand where they should."""
    dots = (state.setup.network.dots[dot] for dot in state.stock.dots)
    known = dict(zip(dots, kinds_in(state.setup), strict=True))
    return sum(known.get(seen.dot) in kinds_of(seen) for seen in reading.vehicles)
