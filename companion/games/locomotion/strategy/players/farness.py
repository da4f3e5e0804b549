"""How far it seems from a train to the colour order, from wagon to wagon as if nothing were in the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.locomotion.strategy.players.ports import Port, Ports
from companion.games.locomotion.strategy.players.yard import Cut, Layout, Train, Yard

FAR: Final = 10**6
"""More steps than any way has."""


class Stretch:
    """The ways from the last wagon that is right to the next ones, of the colours that are still to come."""

    def __init__(self, ports: Ports, places: tuple[int, ...], following: Stretch | None) -> None:
        """Wagons of the next colour are on ``places``; nothing is ``following`` after the last one."""
        self._targets = [
            (ports.backing(port), 0 if following is None else following.steps(port))
            for place in places
            for port in (2 * place, 2 * place + 1)
        ]
        self._known: dict[Port, int] = {}

    def steps(self, port: Port) -> int:
        """At least so many from a vehicle at this port to the goal."""
        known = self._known.get(port)
        if known is None:
            known = min([far[port] + more for far, more in self._targets], default=FAR)
            self._known[port] = known
        return known


class Farness:
    """How far it is to the goal in many layouts, which have most of their stretches in common."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._stretches: dict[tuple[tuple[int, ...], Stretch | None], Stretch] = {}
        self._cuts: tuple[Cut, ...] | None = None
        self._on: tuple[tuple[int, ...], ...] = ()
        self._places_of = {colour: at for at, colour in enumerate(yard.order)}

    def stretch(self, layout: Layout, train: Train, right: int) -> Stretch | None:
        """That from so many wagons that are right; None where they are all."""
        places: list[list[int]] = [list(on) for on in self._standing(layout.cuts)]
        for wagon, port in zip(layout.wagons, train[1:], strict=True):
            places[self._places_of[self._yard.colours[wagon]]].append(port // 2)
        following: Stretch | None = None
        for on in reversed(places[right:]):
            key = (tuple(on), following)
            if key not in self._stretches:
                self._stretches[key] = Stretch(self._yard.ports, *key)
            following = self._stretches[key]
        return following

    def _standing(self, cuts: tuple[Cut, ...]) -> tuple[tuple[int, ...], ...]:
        """The places of the wagons that stand alone, by their colours in the order."""
        if self._cuts != cuts:
            on: list[list[int]] = [[] for _ in self._places_of]
            for cut in cuts:
                for standing in cut:
                    on[self._places_of[self._yard.colours[standing.wagon]]] += standing.places
            self._cuts, self._on = cuts, tuple(map(tuple, on))
        return self._on

    def right(self, wagons: Sequence[int]) -> int:
        """How many wagons of a train are right, from its locomotive on."""
        order, colours = self._yard.order, self._yard.colours
        right = 0
        while right < len(wagons) and colours[wagons[right]] == order[right]:
            right += 1
        return right

    def steps(self, stretch: Stretch | None, right: int, train: Train) -> int:
        """From a train of which so many wagons are right; what is wrong behind it has to be left first."""
        if stretch is None:
            return 0
        far = stretch.steps(train[right])
        if not right and not self._yard.is_directed:
            far = min(far, stretch.steps(train[0] ^ 1))
        return far + (right < len(train) - 1)

    def of(self, layout: Layout, train: Train) -> int:
        """From a train, wherever everything stands."""
        right = self.right(layout.wagons)
        return self.steps(self.stretch(layout, train, right), right, train)
