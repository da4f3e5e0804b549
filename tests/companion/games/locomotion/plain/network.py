"""The network as dictionaries, and what is wrong with it: LSET1, LSET2, LSET3."""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

from tests.companion.games.locomotion.plain.pieces import (
    SIDES,
    Dot,
    Laid,
    Lie,
    Side,
    beyond,
    opposite,
    tracks_of,
)

MOST_PIECES: Final = 45


class Network(NamedTuple):
    shape: str
    pieces: tuple[Laid, ...]
    passages: dict[Dot, Lie]
    """All passages of each dot."""


def network_of(shape: str, pieces: list[Laid]) -> Network:
    passages: dict[Dot, Lie] = {}
    for laid in pieces:
        passages.update(tracks_of(shape, laid))
    return Network(shape, tuple(pieces), passages)


def joined(network: Network, dot: Dot, side: Side) -> Dot | None:
    """The dot that tracks lead to through a side: both dots need a passage with the side that they share."""
    other = beyond(dot, side)
    here = any(side in passage for passage in network.passages[dot])
    there = any(opposite(side) in passage for passage in network.passages.get(other, ()))
    return other if here and there else None


def share_a_track(network: Network, one: Laid, other: Laid) -> bool:
    others = tracks_of(network.shape, other)
    return any(joined(network, dot, side) in others for dot in tracks_of(network.shape, one) for side in SIDES)


def overlapping(network: Network) -> set[int]:
    """Pieces that lie on one another: no clause names them, since on a table it cannot be done."""
    dots = [set(tracks_of(network.shape, laid)) for laid in network.pieces]
    return {piece for pair in combinations(range(len(dots)), 2) if dots[pair[0]] & dots[pair[1]] for piece in pair}


def too_many(network: Network) -> set[int]:
    """LSET1: the pieces after the 45th."""
    return set(range(MOST_PIECES, len(network.pieces)))


def alone(network: Network) -> set[int]:
    """LSET1: pieces that share no track with another one."""
    numbered = list(enumerate(network.pieces))
    return {
        number
        for number, laid in numbered
        if not any(share_a_track(network, laid, other) for another, other in numbered if another != number)
    }


def joined_in_parallel(network: Network) -> set[int]:
    """LSET2: pairs of parallel pieces with a track from a long side of the one to a long side of the other."""
    return {
        piece
        for pair in combinations(range(len(network.pieces)), 2)
        if joined_along_long_sides(network, network.pieces[pair[0]], network.pieces[pair[1]])
        for piece in pair
    }


def joined_along_long_sides(network: Network, one: Laid, other: Laid) -> bool:
    if other[1] not in {one[1], opposite(one[1])}:
        return False  # not parallel
    long_sides = [side for side in SIDES if side not in {one[1], opposite(one[1])}]
    others = tracks_of(network.shape, other)
    return any(joined(network, dot, side) in others for dot in tracks_of(network.shape, one) for side in long_sides)


def reached_from(network: Network, start: Dot) -> set[Dot]:
    """LSET3: the dots that a locomotive alone reaches, forwards and backwards as it likes (LRUN2)."""
    found = {(start, network.passages[start])}
    to_go = list(found)
    while to_go:
        dot, lie = to_go.pop()
        for side in {side for passage in lie for side in passage}:
            next_dot = joined(network, dot, side)
            if next_dot is not None:
                came_by = opposite(side)
                there = next_dot, frozenset(passage for passage in network.passages[next_dot] if came_by in passage)
                if there not in found:
                    found.add(there)
                    to_go.append(there)
    return {dot for dot, _ in found}


def out_of_reach(network: Network) -> set[int]:
    """LSET3: pieces with a dot that cannot be reached from each dot of the network."""
    always_reached = set(network.passages)
    for start in network.passages:
        always_reached &= reached_from(network, start)
    return {
        number
        for number, laid in enumerate(network.pieces)
        if not always_reached.issuperset(tracks_of(network.shape, laid))
    }
