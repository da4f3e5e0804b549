"""What a step makes of many states at once: running, coupling and uncoupling, by the rules with their default knobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.locomotion.strategy.solver.rows import Rows, rows
from companion.games.locomotion.strategy.solver.tracks import TooLarge, Tracks
from companion.games.locomotion.strategy.solver.waves import PART, Codes, Layer

Places = list[NDArray[np.intp]]


class Motions:
    """The steps of a locomotive and wagons 1, 2... on a network. A code holds the vehicles' places."""

    def __init__(self, tracks: Tracks, wagons: int) -> None:
        bits = tracks.bits * (wagons + 1)
        if bits > 64:
            raise TooLarge(wagons, tracks.dots)
        self.tracks = tracks
        self.dtype: np.dtype[Any] = np.dtype(np.uint32 if bits <= 32 else np.uint64)
        self.bits = tracks.bits
        self._wagons = wagons
        self._entered = tracks.entered.astype(self.dtype)

    def standing_on(self, dots: Sequence[int]) -> Codes:
        """Vehicles on these dots, along whichever passages."""
        return self._packed(list(product(*(self.tracks.places_on[dot] for dot in dots))))

    def goals(self) -> Layer[Rows]:
        """All wagons hang on the locomotive in the order of their numbers, wherever."""
        places = self.tracks.rows_of(self._wagons + 1)
        return {rows(tuple(range(self._wagons + 1)), []): self._packed(places)} if places else {}

    def places(self, code: int, vehicles: int) -> list[int]:
        """The places that a code holds."""
        return [code >> (self.bits * slot) & ((1 << self.bits) - 1) for slot in range(vehicles)]

    def in_slot(self, codes: Codes, slot: int) -> NDArray[np.intp]:
        """The places in a slot of codes."""
        return (codes >> (self.bits * slot) & ((1 << self.bits) - 1)).astype(np.intp)

    def neighbours(self, layer: Layer[Rows]) -> Iterator[tuple[Rows, Codes]]:
        """States that a step leads to; see ``waves.Neighbours``."""
        for standing, codes in layer.items():
            for first in range(0, len(codes), PART):
                part = codes[first : first + PART]
                places = [self.in_slot(part, slot) for slot in range(len(standing.vehicles))]
                for codes_after in self._runs(standing, part, places):
                    yield standing, codes_after
                yield from self._changes(standing, part, places)

    def _packed(self, places: Sequence[Sequence[int]]) -> Codes:
        columns = np.array(places, dtype=self.dtype).T
        return self._joined(list(columns))

    def _joined(self, columns: Sequence[NDArray[Any]]) -> Codes:
        codes = columns[0].astype(self.dtype)
        for slot, column in enumerate(columns[1:], 1):
            codes |= column.astype(self.dtype) << (self.bits * slot)
        return codes

    def _runs(self, standing: Rows, codes: Codes, places: Places) -> Iterator[Codes]:
        length = len(standing.train)
        taken = [self.tracks.dot[column] for column in places]
        train = (1 << (self.bits * length)) - 1
        for port, is_forwards in self._leading(places, length):
            which = self._clear(port, taken)
            followers = codes[which] & train
            others = codes[which] ^ followers
            if is_forwards:
                yield from self._led(others | followers << self.bits & train, port[which], 0)
            else:
                yield from self._led(others | followers >> self.bits, port[which], length - 1)

    def _leading(self, places: Places, length: int) -> Iterator[tuple[NDArray[np.intp], bool]]:
        """The ports by which the train can go out, and whether its locomotive is ahead."""
        if length == 1:
            yield 2 * places[0], True
            yield 2 * places[0] + 1, True
        else:
            yield self.tracks.free_port[places[0], places[1]], True
            yield self.tracks.free_port[places[length - 1], places[length - 2]], False

    def _clear(self, port: NDArray[np.intp], taken: Sequence[NDArray[np.int16]]) -> NDArray[np.intp]:
        """Where the dot ahead is there and empty."""
        ahead = self.tracks.ahead[port]
        clear = ahead < self.tracks.dots
        for dots in taken:
            clear &= ahead != dots
        return np.flatnonzero(clear)

    def _led(self, others: Codes, port: NDArray[np.intp], slot: int) -> Iterator[Codes]:
        """The vehicle in a slot, which is empty in the codes, goes out by a port."""
        for entered in self._entered:
            place = entered[port]
            there = np.flatnonzero(place < self.tracks.count)
            if len(there):
                yield others[there] | place[there] << (self.bits * slot)

    def _changes(self, standing: Rows, _codes: Codes, places: Places) -> Iterator[tuple[Rows, Codes]]:
        last = places[len(standing.train) - 1]
        for after, slots, met in standing.changes:
            if met is None:
                yield after, self._joined([places[slot] for slot in slots])
                continue
            which = np.flatnonzero(self.tracks.joined[last, places[met]])
            if len(which):
                yield after, self._joined([places[slot][which] for slot in slots])
