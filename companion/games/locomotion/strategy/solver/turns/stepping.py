"""What a step makes of many states at once, by the rules with any knobs. A code holds the vehicles' lies.

Above them stands by which side the locomotive came onto its dot in this turn, plus 1; 0 if that does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.locomotion.rules.network import Network
from companion.games.locomotion.rules.state import Behind, Gap, Knobs
from companion.games.locomotion.strategy.solver.rows import Change, Rows, rows
from companion.games.locomotion.strategy.solver.tracks import TooLarge
from companion.games.locomotion.strategy.solver.turns.lies import Lies

Codes = NDArray[np.uint64]
Stand = Mapping[Rows, Codes]
"""States of one kind, by who hangs on whom."""
_Columns = list[NDArray[Any]]
"""Of many states: the lie of the vehicle in each slot, and by which side the locomotive came."""


class Stepping:
    """The steps of a locomotive and wagons 1, 2... on a network; these numbers are the order in which they win."""

    def __init__(self, network: Network, wagons: int, knobs: Knobs) -> None:
        self.knobs = knobs
        self.lies = Lies(network, is_back_only=knobs.behind is Behind.BACK_ONLY)
        self.won = rows(tuple(range(wagons + 1)), [])
        self._vehicles = wagons + 1
        self._came_at = self.lies.bits * self._vehicles
        if self._came_at + 3 > 64:
            raise TooLarge(wagons, self.lies.dots)

    def start(self, dots: Sequence[int]) -> Stand:
        """Nothing is coupled; the locomotive and the wagons stand on these dots."""
        locomotive, *wagons = dots
        lies = [self.lies.of_locomotives[locomotive], *(self.lies.of_wagons[dot] for dot in wagons)]
        columns: _Columns = [np.array([lie], dtype=np.uint64) for lie in (*lies, 0)]
        return {rows((0,), [(wagon,) for wagon in range(1, self._vehicles)]): self._joined(columns)}

    def rested(self, codes: Codes) -> Codes:
        """The same at the end of the turn, when it no longer matters how the locomotive came."""
        return codes & np.uint64((1 << self._came_at) - 1)

    def dots(self, codes: Codes) -> list[NDArray[np.int16]]:
        """The dots of the vehicles in each slot."""
        return [self.lies.dot[column] for column in self._columns(codes)[:-1]]

    def may_be_stuck(self, standing: Rows) -> bool:
        """Whether a run can come to an end: it cannot where a wagon may be left and coupled again, time after time."""
        return self.knobs.gap is Gap.A_DOT or len(standing.train) == 1 or standing is self.won

    def steps(self, standing: Rows, codes: Codes) -> Iterator[tuple[Rows, Codes, NDArray[np.intp]]]:
        """States that a step leads to, and the indices of those that it leads from; none from what has won."""
        if standing is self.won or not len(codes):
            return
        columns = self._columns(codes)
        length = len(standing.train)
        for is_backwards in (False, True)[:length]:
            for which, after in self._runs(columns, length, is_backwards=is_backwards):
                yield standing, self._joined(after), which
        for change in standing.changes:
            for which, after in self._changed(columns, length, change):
                yield change.after, self._joined([after[slot] for slot in (*change.slots, -1)]), which

    def _changed(self, columns: _Columns, length: int, change: Change) -> Iterator[tuple[NDArray[np.intp], _Columns]]:
        """As yet with the vehicles in the slots that they had before."""
        if change.met is not None:
            yield from self._coupled(columns, length - 1, change.met)
        elif self.knobs.gap is Gap.ON_THE_DOTS:
            yield np.arange(len(columns[0])), columns
        else:
            yield from self._runs(columns, len(change.after.train), is_backwards=False)

    def _columns(self, codes: Codes) -> _Columns:
        bits = self.lies.bits
        columns = [codes >> np.uint64(bits * slot) & np.uint64((1 << bits) - 1) for slot in range(self._vehicles)]
        return [column.astype(np.intp) for column in (*columns, codes >> np.uint64(self._came_at))]

    def _joined(self, columns: _Columns) -> Codes:
        codes: Codes = columns[0].astype(np.uint64)
        for slot, column in enumerate(columns[1:], 1):
            codes |= column.astype(np.uint64) << np.uint64(self.lies.bits * slot)
        return codes

    def _runs(
        self, columns: _Columns, length: int, *, is_backwards: bool
    ) -> Iterator[tuple[NDArray[np.intp], _Columns]]:
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
            after[order[0]] = self.lies.led[after[order[0]], side]
            left = left[which]
            for slot, leader in zip(order[1:], order, strict=False):
                out = self.lies.towards[dots[slot][which], dots[leader][which]]
                after[slot] = self.lies.followed[after[slot], out, left]
                left = out
            if not self.knobs.reverse_in_turn:
                after[-1] = (by[which] + 2) % 4 + 1
            yield which, after

    def _coupled(self, columns: _Columns, last: int, met: int) -> Iterator[tuple[NDArray[np.intp], _Columns]]:
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
