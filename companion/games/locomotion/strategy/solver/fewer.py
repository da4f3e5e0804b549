"""The game with some of the wagons only: where that cannot be won, the whole one cannot be won either.

All others are strangers. A stranger stands nowhere, hangs on the end of the train wherever that is wanted, and is gone
as soon as it is uncoupled. So whatever can be done with all wagons can be done here with those that were chosen; only
how many steps it takes is not told: so that each can be taken back by a step, wagons are coupled and uncoupled singly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np

from companion.games.locomotion.strategy.solver.motions import Motions, Places
from companion.games.locomotion.strategy.solver.rows import Change, Row, Rows
from companion.games.locomotion.strategy.solver.waves import Codes, Layer, Wave, common, size

_STRANGER = -1


class _FewerRows(Rows):
    """The train, with strangers, and each wagon that was chosen and stands alone as a cut."""

    def __init__(self, train: Row, alone: Row, strangers: int) -> None:
        super().__init__(train, tuple((wagon,) for wagon in alone))
        self._alone = alone
        self._strangers = strangers

    @property
    def with_stranger(self) -> _FewerRows | None:
        """What comes of it if a stranger is coupled; None if all are."""
        if self.train.count(_STRANGER) == self._strangers:
            return None
        return _fewer_rows((*self.train, _STRANGER), self._alone, self._strangers)

    def _couplings(self) -> list[Change]:
        return [
            self._changed((*self.train, wagon), tuple(other for other in self._alone if other != wagon), wagon)
            for wagon in self._alone
        ]

    def _uncouplings(self) -> list[Change]:
        if len(self.train) == 1:
            return []
        left = [wagon for wagon in self.train[-1:] if wagon != _STRANGER]
        return [self._changed(self.train[:-1], tuple(sorted((*self._alone, *left))), None)]

    def _changed(self, train: Row, alone: Row, met: int | None) -> Change:
        after = _fewer_rows(train, alone, self._strangers)
        # Strangers are told apart by where they hang.
        kept = tuple(range(min(len(train), len(self.train))))
        slots = (*kept, *(self.vehicles.index(wagon) for wagon in after.vehicles[len(kept) :]))
        return Change(after, slots, None if met is None else self.vehicles.index(met))


@cache
def _fewer_rows(train: Row, alone: Row, strangers: int) -> _FewerRows:
    return _FewerRows(train, alone, strangers)


class _FewerMotions(Motions):
    """The steps, a stranger's coming among them."""

    def _changes(self, standing: Rows, codes: Codes, places: Places) -> Iterator[tuple[Rows, Codes]]:
        yield from super()._changes(standing, codes, places)
        after = standing.with_stranger if isinstance(standing, _FewerRows) else None
        if after is None:
            return
        length = len(standing.train)
        low = (1 << (self.bits * length)) - 1
        taken = [self.tracks.dot[column] for column in places]
        for port in self._behind(places, length):
            which = self._clear(port, taken)
            others = codes[which] & low | (codes[which] & ~self.dtype.type(low)) << self.bits
            for codes_after in self._led(others, port[which], length):
                yield after, codes_after

    def _behind(self, places: Places, length: int) -> Places:
        """The ports at which the next wagon is coupled."""
        ports = [port for port, is_forwards in self._leading(places, length) if length == 1 or not is_forwards]
        return [np.asarray(port) for port in ports]


class FewerWagons:
    """The game with the wagons that were ``chosen``: numbers from 1, in the order in which all are wanted."""

    def __init__(self, motions: Motions, wagons: int, chosen: Sequence[int]) -> None:
        self._motions = _FewerMotions(motions.tracks, wagons)
        self._wagons = wagons
        self._chosen = tuple(chosen)
        self.states = 0

    def is_impossible(self, dots: Sequence[int], has_time: Callable[[], bool], most_states: int) -> bool:
        """Whether it is proven that there is no way, from these dots of the locomotive and of all wagons.

        False too if there is no more time, or if more states than so many have to be held.
        """
        forwards = Wave(self._starts(dots), self._motions.neighbours, most_kept=0)
        backwards = Wave(self._goals(), self._motions.neighbours, most_kept=0)
        while common(forwards.layer, backwards.layer) is None:
            wave = min(forwards, backwards, key=lambda wave: size(wave.layer))
            if not wave.layer:
                return True
            if forwards.held() + backwards.held() + 2 * size(wave.layer) > most_states or not wave.grow(has_time):
                break
            self.states = forwards.states + backwards.states
        return False

    def _starts(self, dots: Sequence[int]) -> Layer[Rows]:
        rows = _fewer_rows((0,), self._chosen, self._wagons - len(self._chosen))
        return {rows: self._motions.standing_on([dots[vehicle] for vehicle in rows.vehicles])}

    def _goals(self) -> Layer[Rows]:
        goals = self._motions.goals()
        train = tuple(vehicle if vehicle in (0, *self._chosen) else _STRANGER for vehicle in range(self._wagons + 1))
        rows = _fewer_rows(train, (), self._wagons - len(self._chosen))
        return {rows: next(iter(goals.values()))} if goals else {}
