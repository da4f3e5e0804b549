"""A network as tables of lies: what becomes of one when its vehicle runs or is coupled (LRUN2, LCPL2, LCPL7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.locomotion.rules.network import Network
from companion.games.locomotion.rules.sides import Passage, Side

_MOST_LED = 3
"""Ways on from a side of a dot, one to each of the others."""


class _Lie(NamedTuple):
    """The ways in which a vehicle may stand on its dot, those of a locomotive with a back: front, then back."""

    dot: int
    ways: tuple[Passage, ...]
    has_back: bool


class Lies:
    """All lies that come about on a network, numbered. Sides are numbers as in ``rules.sides``.

    As places (see ``tracks``) each has one way: then it may lead to several.

    ``none`` is the number of what cannot be. ``dot``: each lie's. ``ahead[lie, side]``: the dot that its vehicle can
    lead to by a side, the number of dots where none. ``led[:, lie, side]``: the lies of who leads there.
    ``followed[lie, side, ahead]``: of who leaves by a side for a dot which the one ahead left by another.
    ``narrowed[lie, side]``: of who is coupled at that side. ``towards[dot, other]``: the side, 4 where none is.
    """

    def __init__(self, network: Network, *, is_back_only: bool, are_places: bool = False) -> None:
        self._network = network
        self._are_places, self._is_back_only = are_places, is_back_only
        self.dots = len(network.dots)
        wagons = [_Lie(dot, passages, has_back=False) for dot, passages in enumerate(network.passages)]
        both_ways = [tuple(sorted((*lie.ways, *(way[::-1] for way in lie.ways)))) for lie in wagons]
        locomotives = [_Lie(dot, ways, has_back=True) for dot, ways in enumerate(both_ways)] if is_back_only else wagons
        self._numbers = numbers = self._numbered([part for lie in (*wagons, *locomotives) for part in self._parts(lie)])
        self.of_wagons = [[numbers[part] for part in self._parts(lie)] for lie in wagons]
        self.of_locomotives = [[numbers[part] for part in self._parts(lie)] for lie in locomotives]
        self.none = len(numbers)
        self.bits = self.none.bit_length()
        self.dot: NDArray[np.int16] = np.array([lie.dot for lie in numbers], dtype=np.int16)
        self.ahead: NDArray[np.int16] = np.full((self.none, 4), self.dots, dtype=np.int16)
        self.led: NDArray[Any] = np.full((_MOST_LED, self.none, 4), self.none, dtype=np.uint64)
        self.followed: NDArray[Any] = np.full((self.none, 4, 4), self.none, dtype=np.uint64)
        self.narrowed: NDArray[Any] = np.full((self.none, 4), self.none, dtype=np.uint64)
        for lie, number in numbers.items():
            self._fill(lie, number, numbers)
        self.led = self.led[[bool((led < self.none).any()) for led in self.led]]
        self.towards: NDArray[np.int8] = np.full((self.dots, self.dots), 4, dtype=np.int8)
        for dot, neighbours in enumerate(network.neighbours):
            for side, other in enumerate(neighbours):
                if other is not None:
                    self.towards[dot, other] = side

    def numbers_of(self, dot: int, lie: Sequence[Passage], *, is_locomotive: bool) -> list[int]:
        """A lie of the rules; as places each of its ways."""
        has_back = is_locomotive and self._is_back_only
        return [self._numbers[part] for part in self._parts(_Lie(dot, tuple(sorted(lie)), has_back))]

    def trains(self, wagons: int) -> list[tuple[int, ...]]:
        """All places that a train with so many wagons can take, its locomotive first."""
        alone = [place for places in self.of_locomotives for place in places]
        trains: list[tuple[tuple[int, ...], int]] = [((place,), -1) for place in alone]
        for _ in range(wagons):
            trains = [
                ((*train, place), (side + 2) % 4)
                for train, front in trains
                for side in range(4)
                if side != front and self.narrowed[train[-1], side] < self.none
                for place in self._beside(train[-1], side)
                if self.dot[place] not in self.dot[list(train)]
            ]
        return sorted({train for train, _ in trains})

    def _beside(self, lie: int, side: int) -> list[int]:
        """The places of a wagon that is joined at a side."""
        dot = self._network.neighbours[int(self.dot[lie])][side]
        return (
            [] if dot is None else [at for at in self.of_wagons[dot] if self.narrowed[at, (side + 2) % 4] < self.none]
        )

    def _fill(self, lie: _Lie, number: int, numbers: dict[_Lie, int]) -> None:
        for side in Side:
            if (narrowed := _narrowed(lie, side)) is not None:
                self.narrowed[number, side] = numbers[narrowed]
            for branch, entered in enumerate(self._entered(lie, side, None)):
                self.ahead[number, side] = entered.dot
                self.led[branch, number, side] = numbers[entered]
            for ahead in Side:
                for entered in self._entered(lie, side, ahead):
                    self.followed[number, side, ahead] = numbers[entered]

    def _numbered(self, lies: list[_Lie]) -> dict[_Lie, int]:
        """These and all that come of them."""
        numbers = {lie: number for number, lie in enumerate(dict.fromkeys(lies))}
        waiting = list(numbers)
        while waiting:
            for lie in self._after(waiting.pop()):
                if lie not in numbers:
                    numbers[lie] = len(numbers)
                    waiting.append(lie)
        return numbers

    def _after(self, lie: _Lie) -> Iterator[_Lie]:
        for side in Side:
            if (narrowed := _narrowed(lie, side)) is not None:
                yield narrowed
            for ahead in (None, *Side):
                yield from self._entered(lie, side, ahead)

    def _entered(self, lie: _Lie, left: Side, ahead: Side | None) -> list[_Lie]:
        """The lie on the next dot; ``ahead`` is the side by which the vehicle ahead has left that."""
        dot, by = self._network.neighbours[lie.dot][left], left.opposite
        if dot is None or ahead == by or not any(left in way for way in lie.ways):
            return []
        ways = [way for way in self._network.passages[dot] if by in way and (ahead is None or ahead in way)]
        if lie.has_back:
            front_leads = any(front == left for front, _ in lie.ways)
            back_leads = any(back == left for _, back in lie.ways)
            both = [(other, by) for other in map(_other(by), ways) if front_leads]
            both += [(by, other) for other in map(_other(by), ways) if back_leads]
            ways = both
        return self._parts(_Lie(dot, tuple(sorted(ways)), lie.has_back)) if ways else []

    def _parts(self, lie: _Lie) -> list[_Lie]:
        return [lie._replace(ways=(way,)) for way in lie.ways] if self._are_places else [lie]


def _other(side: Side) -> Any:
    return lambda way: way[1] if way[0] == side else way[0]


def _narrowed(lie: _Lie, side: Side) -> _Lie | None:
    ways = tuple(way for way in lie.ways if (way[1] == side if lie.has_back else side in way))
    return lie._replace(ways=ways) if ways else None
