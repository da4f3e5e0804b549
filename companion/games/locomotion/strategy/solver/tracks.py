"""A network as tables: places on which a vehicle can lie, and which lead to one another.

A place is a dot and one passage through it. A port is an end of a place: twice the place's number, plus 1 for the
passage's second side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class TooLarge(ValueError):
    """A network with so many wagons that a state does not fit into an integer."""

    def __init__(self, wagons: int, dots: int) -> None:
        super().__init__(f"{wagons} wagons are too many for a network of {dots} dots")


class Network(Protocol):
    """What of a network matters here, as in ``rules.network``."""

    @property
    def passages(self) -> Sequence[Sequence[tuple[int, int]]]: ...

    @property
    def neighbours(self) -> Sequence[Sequence[int | None]]: ...


class Tracks:
    """The tables of a network. Numbers of places and ports index them.

    ``dot``: each place's. ``ahead``: the dot joined at each port, the number of dots where none is. ``entered``: rows
    of places that are entered by each port, the number of places where there is no other one. ``joined``: whether two
    places (first, second) lead to each other. ``free_port``: for two that do, the port of the first at its other end.
    """

    def __init__(self, network: Network) -> None:
        places = [(dot, passage) for dot, passages in enumerate(network.passages) for passage in passages]
        self.dots = len(network.passages)
        self.count = len(places)
        self.bits = self.count.bit_length()
        self.places_on = [[number for number, (on, _) in enumerate(places) if on == dot] for dot in range(self.dots)]
        self.led_to: list[list[int]] = []
        ahead = []
        for dot, passage in places:
            for side in passage:
                other = network.neighbours[dot][side]
                on_it = [] if other is None else self.places_on[other]
                self.led_to.append([place for place in on_it if (side + 2) % 4 in places[place][1]])
                ahead.append(self.dots if other is None else other)
        self.dot: NDArray[np.int16] = np.array([dot for dot, _ in places], dtype=np.int16)
        self.ahead: NDArray[np.int16] = np.array(ahead, dtype=np.int16)
        branches = max(map(len, self.led_to))
        filled = [[*led, *[self.count] * (branches - len(led))] for led in self.led_to]
        self.entered: NDArray[Any] = np.array(filled).T.copy()
        self.joined: NDArray[np.bool_] = np.zeros((self.count, self.count), dtype=bool)
        self.free_port: NDArray[np.intp] = np.zeros((self.count, self.count), dtype=np.intp)
        for port, led in enumerate(self.led_to):
            self.joined[port // 2, led] = True
            self.free_port[port // 2, led] = port ^ 1

    def rows_of(self, length: int) -> list[tuple[int, ...]]:
        """All places that a row of so many vehicles can take, in both directions."""
        rows: list[tuple[int, ...]] = [(place,) for place in range(self.count)]
        for _ in range(length - 1):
            rows = [(*row, place) for row in rows for place in self._next(row)]
        return rows

    def _next(self, row: tuple[int, ...]) -> list[int]:
        last = row[-1]
        ports = (2 * last, 2 * last + 1) if len(row) == 1 else (int(self.free_port[last, row[-2]]),)
        taken = {int(self.dot[place]) for place in row}
        return [place for port in ports for place in self.led_to[port] if int(self.dot[place]) not in taken]
