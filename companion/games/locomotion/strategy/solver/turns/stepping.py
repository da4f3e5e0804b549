"""What a step makes of many states at once, by the rules with any knobs. A code holds the vehicles' lies.

Above them stands by which side the locomotive came onto its dot in this turn, plus 1; 0 if that does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.locomotion.rules.network import Network
from companion.games.locomotion.rules.state import Behind, Gap, Knobs, Lie
from companion.games.locomotion.strategy.solver.rows import Change, Rows, rows
from companion.games.locomotion.strategy.solver.tracks import TooLarge
from companion.games.locomotion.strategy.solver.turns.lies import Lies

Codes = NDArray[np.uint64]
Stand = Mapping[Rows, Codes]
"""States of one kind, by who hangs on whom."""
_Columns = list[NDArray[Any]]
"""Of many states: the lie of the vehicle in each slot, and by which side the locomotive came."""
_Which = tuple[NDArray[np.intp], _Columns]
"""Those of many states that can do something, and how they stand after it."""
_Changed = Callable[[_Columns, int, Change], Iterator[_Which]]
Reached = tuple[Rows, Codes, NDArray[np.intp]]
Steps = Callable[[Rows, Codes], Iterator[Reached]]
"""What a step makes of states of one key: states of a key, and the indices of those that it makes them of."""


class Stepping:
    """The steps of a locomotive and wagons 1, 2... on a network; these numbers are the order in which they win."""

    def __init__(self, network: Network, wagons: int, knobs: Knobs, *, are_places: bool = False) -> None:
        self.knobs = knobs
        self.lies = Lies(network, is_back_only=knobs.behind is Behind.BACK_ONLY, are_places=are_places)
        self.won = rows(tuple(range(wagons + 1)), [])
        self._vehicles = wagons + 1
        self._came_at = self.lies.bits * self._vehicles
        if self._came_at + 3 > 64:
            raise TooLarge(wagons, self.lies.dots)

    def standing(self, standing: Rows, vehicles: Sequence[tuple[int, Lie]]) -> Stand:
        """States of one key at the beginning of a turn: the dot of the vehicle in each slot, and its lie."""
        lies = [
            self.lies.numbers_of(dot, lie, is_locomotive=number == 0)
            for number, (dot, lie) in zip(standing.vehicles, vehicles, strict=True)
        ]
        return {standing: self._packed(list(product(*lies)))}

    def goal(self) -> Stand:
        """All that has won, as places."""
        trains = self.lies.trains(self._vehicles - 1)
        return {self.won: self._packed(trains)} if trains else {}

    def _packed(self, lies: Sequence[tuple[int, ...]]) -> Codes:
        return np.unique(self._joined(list(np.array(lies, dtype=np.uint64).T)))

    def rested(self, codes: Codes) -> Codes:
        """The same at the end of the turn, when it no longer matters how the locomotive came."""
        return codes & np.uint64((1 << self._came_at) - 1)

    def dots(self, codes: Codes) -> list[NDArray[np.int16]]:
        """The dots of the vehicles in each slot."""
        return [self.lies.dot[column] for column in self._columns(codes)[:-1]]

    def may_be_stuck(self, standing: Rows) -> bool:
        """Whether a run can come to an end: it cannot where a wagon may be left and coupled again, time after time."""
        return self.knobs.gap is Gap.A_DOT or len(standing.train) == 1 or standing is self.won

    def steps(self, standing: Rows, codes: Codes) -> Iterator[Reached]:
        """States that a step leads to, and the indices of those that it leads from; none from what has won."""
        if standing is not self.won and len(codes):
            yield from self._steps(standing, codes, self._changed)

    def steps_back(self, standing: Rows, codes: Codes) -> Iterator[Reached]:
        """Places from which a step leads to these, and the indices of those. Every run is one back as well."""
        if len(codes):
            back = self._steps(standing, codes, self._changed_back)
            yield from (reached for reached in back if reached[0] is not self.won)  # from there nothing leads on

    def _steps(self, standing: Rows, codes: Codes, changed: _Changed) -> Iterator[Reached]:
        columns = self._columns(codes)
        length = len(standing.train)
        for is_backwards in (False, True)[:length]:
            for which, after in self._runs(columns, length, is_backwards=is_backwards):
                yield standing, self._joined(after), which
        for change in standing.changes:
            for which, after in changed(columns, length, change):
                yield change.after, self._joined([after[slot] for slot in (*change.slots, -1)]), which

    def _changed(self, columns: _Columns, length: int, change: Change) -> Iterator[_Which]:
        """As yet with the vehicles in the slots that they had before."""
        if change.met is not None:
            yield from self._coupled(columns, length - 1, change.met)
        elif self.knobs.gap is Gap.ON_THE_DOTS:
            yield np.arange(len(columns[0])), columns
        else:
            yield from self._runs(columns, len(change.after.train), is_backwards=False)

    def _changed_back(self, columns: _Columns, length: int, change: Change) -> Iterator[_Which]:
        """Coupling is taken back by leaving wagons where they are, uncoupling by coming back to them."""
        if change.met is None:
            yield np.arange(len(columns[0])), columns
        elif self.knobs.gap is Gap.ON_THE_DOTS:
            yield from self._coupled(columns, length - 1, change.met)
        else:
            for moved, beside in self._runs(columns, length, is_backwards=length > 1):
                for which, after in self._coupled(beside, length - 1, change.met):
                    yield moved[which], after

    def _columns(self, codes: Codes) -> _Columns:
        bits = self.lies.bits
        columns = [codes >> np.uint64(bits * slot) & np.uint64((1 << bits) - 1) for slot in range(self._vehicles)]
        return [column.astype(np.intp) for column in (*columns, codes >> np.uint64(self._came_at))]

    def _joined(self, columns: _Columns) -> Codes:
        codes: Codes = columns[0].astype(np.uint64)
        for slot, column in enumerate(columns[1:], 1):
            codes |= column.astype(np.uint64) << np.uint64(self.lies.bits * slot)
        return codes

    def _runs(self, columns: _Columns, length: int, *, is_backwards: bool) -> Iterator[_Which]:
        """One dot on, by each side: which can, and how they stand after it."""
        order = range(length)[::-1] if is_backwards else range(length)
        dots = [self.lies.dot[column] for column in columns[:-1]]
        for side in range(4):
            left = np.full(len(dots[0]), side, dtype=np.int8)
            ahead = self.lies.ahead[columns[order[0]], side]
            by = self.lies.towards[dots[0], dots[1]] if is_backwards else left
            clear = (ahead < self.lies.dots) & (columns[-1] != by + 1)
            for taken in dots:
                clear &= ahead != taken
            which = np.flatnonzero(clear)
            if not len(which):
                continue
            after = [column[which] for column in columns]
            left = left[which]
            for slot, leader in zip(order[1:], order, strict=False):
                out = self.lies.towards[dots[slot][which], dots[leader][which]]
                after[slot] = self.lies.followed[after[slot], out, left]
                left = out
            if not self.knobs.reverse_in_turn:
                after[-1] = (by[which] + 2) % 4 + 1
            for led in self.lies.led:
                place = led[columns[order[0]][which], side]
                there = place < self.lies.none
                if there.all():
                    yield which, [*after[: order[0]], place, *after[order[0] + 1 :]]
                elif there.any():
                    parts = [column[there] for column in after]
                    parts[order[0]] = place[there]
                    yield which[there], parts

    def _coupled(self, columns: _Columns, last: int, met: int) -> Iterator[_Which]:
        side = self.lies.towards[self.lies.dot[columns[last]], self.lies.dot[columns[met]]]
        beside = np.flatnonzero(side < 4)
        side = side[beside]
        own = self.lies.narrowed[columns[last][beside], side]
        others = self.lies.narrowed[columns[met][beside], (side + 2) % 4]
        can = (own < self.lies.none) & (others < self.lies.none)
        if can.any():
            after = [column[beside[can]] for column in columns]
            after[last], after[met] = own[can], others[can]
            yield beside[can], after


def is_in(codes: Codes, others: Codes) -> NDArray[np.bool_]:
    """Which codes are among others; both are sorted."""
    if not len(others):
        return np.zeros(len(codes), dtype=bool)
    places = np.searchsorted(others, codes)
    places[places == len(others)] = 0
    result: NDArray[np.bool_] = others[places] == codes
    return result
