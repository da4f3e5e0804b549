"""How a network is shaped: its loops and its spurs."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.locomotion.rules import Network
from companion.games.locomotion.rules.sides import Passage, Side


class NetworkShape(NamedTuple):
    """What makes a network easy or hard to shunt on.

    ``loops``: how many ways round there are that do not follow from others; so many joints between dots can be taken
    apart before the network falls into two. At a turnout a locomotive may have to change direction to go round.
    ``spurs``: how many dots are dead ends, joined to others on one side only. An arc that leads nowhere is none.
    """

    loops: int
    spurs: int


def shape_of(network: Network) -> NetworkShape:
    """The loops and spurs of a network that the rules let pass."""
    joined = [sum(other is not None for other in sides) for sides in network.neighbours]
    # Tracks that cross on a dot and never meet there are two places.
    places = sum(len(meeting_sides(passages)) for passages in network.passages)
    return NetworkShape(sum(joined) // 2 - places + 1, joined.count(1))


def meeting_sides(passages: tuple[Passage, ...]) -> list[frozenset[Side]]:
    """The sides of a dot, those together whose tracks meet."""
    parts: list[frozenset[Side]] = []
    for passage in passages:
        meeting = [part for part in parts if part & set(passage)]
        parts = [part for part in parts if part not in meeting]
        parts.append(frozenset(passage).union(*meeting))
    return parts
