"""A network as tables for a search that numpy would not make faster: its ports, and how far it is between them.

A place is a dot and one passage through it. A port is an end of a place: twice the place's number, plus 1 for the
passage's second side. A vehicle is told by the port of its place that looks towards the locomotive's front; behind it
is that port ^ 1.
"""

from __future__ import annotations

from functools import lru_cache

from companion.games.locomotion.rules import Network
from companion.games.locomotion.rules.state import Lie

Port = int


class Ports:
    """The tables of a network.

    ``dot`` is that of each port. ``ahead`` is the dot joined there, None where none is. ``entered`` are the ports by
    which a vehicle comes onto that dot.
    """

    def __init__(self, network: Network) -> None:
        places = [(dot, passage) for dot, passages in enumerate(network.passages) for passage in passages]
        self._number = {place: number for number, place in enumerate(places)}
        self.dot: list[int] = [dot for dot, _ in places for _ in range(2)]
        self.ahead: list[int | None] = [network.neighbours[dot][side] for dot, passage in places for side in passage]
        entering: dict[tuple[int, int], list[Port]] = {}
        for number, (dot, passage) in enumerate(places):
            for end, side in enumerate(passage):
                entering.setdefault((dot, side), []).append(2 * number + end)
        self.entered: list[tuple[Port, ...]] = [
            () if other is None else tuple(entering[other, side.opposite])
            for (dot, passage) in places
            for side in passage
            for other in (network.neighbours[dot][side],)
        ]
        self._places: dict[tuple[int, Lie], tuple[int, ...]] = {}
        self._backing: dict[Port, list[int]] = {}

    def places(self, dot: int, lie: Lie) -> tuple[int, ...]:
        """The places on which a vehicle may lie; of a locomotive whose front is known the lie is directed."""
        if (dot, lie) not in self._places:
            self._places[dot, lie] = tuple(sorted({self._number[dot, (min(way), max(way))] for way in lie}))
        return self._places[dot, lie]

    def fronts(self, dot: int, lie: Lie) -> tuple[Port, ...]:
        """The ports towards which a locomotive's front may be, where its lie is directed: its front's side first."""
        return tuple(2 * self._number[dot, (min(way), max(way))] + (way[0] > way[1]) for way in lie)

    def backing(self, target: Port) -> list[int]:
        """How many steps a vehicle takes at least, from each port, to back onto this one; it may run to and fro."""
        if target not in self._backing:
            self._backing[target] = self._backing_onto(target)
        return self._backing[target]

    def _backing_onto(self, target: Port) -> list[int]:
        # From behind: where it came from by the last step, and from there on, for what was run can be run back.
        far = [len(self.dot)] * len(self.dot)
        waiting = [entered ^ 1 for entered in self.entered[target]]
        for port in waiting:
            far[port] = 1
        for port in waiting:
            for other in (*(entered ^ 1 for entered in self.entered[port]), *self.entered[port ^ 1]):
                if far[other] > far[port] + 1:
                    far[other] = far[port] + 1
                    waiting.append(other)
        return far


@lru_cache(maxsize=4)
def ports_of(network: Network) -> Ports:
    """The tables of a network, made once for those that are played on now."""
    return Ports(network)
