"""Who hangs on whom: the train and the cuts, and what coupling and uncoupling make of them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

Row = tuple[int, ...]


class Rows:
    """The train, its locomotive first, and the cuts. Vehicles are numbers, the locomotive is 0.

    In a code the places of the ``vehicles`` follow one another, the first in the lowest bits. Made by ``rows``, each
    once, so that they are equal only if they are the same.
    """

    def __init__(self, train: Row, cuts: tuple[Row, ...]) -> None:
        self.train = train
        self.cuts = cuts
        self.vehicles: Row = (*train, *(vehicle for cut in cuts for vehicle in cut))
        self._changes: list[Change] | None = None

    def __repr__(self) -> str:
        return f"{self.train} {self.cuts}"

    @property
    def changes(self) -> list[Change]:
        """All couplings and uncouplings."""
        if self._changes is None:
            self._changes = [*self._couplings(), *self._uncouplings()]
        return self._changes

    def _couplings(self) -> list[Change]:
        return [
            self._change(self.train + turned, [other for other in self.cuts if other != cut], turned[0])
            for cut in self.cuts
            for turned in sorted({cut, cut[::-1]})
        ]

    def _uncouplings(self) -> list[Change]:
        return [
            self._change(self.train[:kept], [*self.cuts, self.train[kept:]], None) for kept in range(1, len(self.train))
        ]

    def _change(self, train: Row, cuts: list[Row], met: int | None) -> Change:
        after = rows(train, cuts)
        slots = tuple(self.vehicles.index(vehicle) for vehicle in after.vehicles)
        return Change(after, slots, None if met is None else self.vehicles.index(met))


class Change(NamedTuple):
    """A coupling or uncoupling.

    ``slots`` says for each vehicle afterwards where it is in the code before. ``met`` is where the wagon is that the
    end of the train is coupled to; None in an uncoupling.
    """

    after: Rows
    slots: tuple[int, ...]
    met: int | None


def rows(train: Row, cuts: list[Row]) -> Rows:
    """The train and the cuts, whose own order and direction do not matter."""
    return _rows(train, tuple(sorted(min(cut, cut[::-1]) for cut in cuts)))


@cache
def _rows(train: Row, cuts: tuple[Row, ...]) -> Rows:
    return Rows(train, cuts)
