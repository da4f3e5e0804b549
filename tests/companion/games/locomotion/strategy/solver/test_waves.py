"""The core of the search on another game: Inglenook Sidings, whose numbers are known."""

import math
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from companion.games.locomotion.strategy.solver.waves import Codes, Layer, Wave

BITS = 3
Lengths = tuple[int, int, int, int]
"""Wagons on the headshunt, and on each of the three tracks."""


class Inglenook(NamedTuple):
    """A move pulls any number of wagons from a track, or drops any number on one.

    A code holds the wagons, first those on the headshunt from the engine on, then each track's from its open end on.
    """

    room: Lengths

    def neighbours(self, layer: Layer[Lengths]) -> Iterator[tuple[Lengths, Codes]]:
        for lengths, codes in layer.items():
            wagons = [codes >> (BITS * place) & 7 for place in range(sum(lengths))]
            for after, places in moves(self.room, lengths):
                moved = np.zeros_like(codes)
                for slot, place in enumerate(places):
                    moved |= wagons[place] << (BITS * slot)
                yield after, moved

    def fewest_moves(self, goals: list[Codes]) -> list[int]:
        """How many starts need 0, 1, 2... moves to a goal. All starts fill the first two tracks, as the goals do."""
        start = 0, self.room[1], self.room[2], 0
        wave = Wave({start: np.concatenate(goals)}, self.neighbours, most_kept=0)
        counts = []
        while wave.layer:
            counts.append(len(wave.layer.get(start, ())))
            wave.grow()
        return counts


@cache
def moves(room: Lengths, lengths: Lengths) -> list[tuple[Lengths, list[int]]]:
    rows, first = [], 0
    for length in lengths:
        rows.append(list(range(first, first + length)))
        first += length
    found = []
    for track in (1, 2, 3):
        for count in range(-lengths[0], lengths[track] + 1):  # pulls; drops are less than 0
            if not count or lengths[0] + count > room[0] or lengths[track] - count > room[track]:
                continue
            after = list(rows)
            if count > 0:
                after[0], after[track] = rows[0] + rows[track][:count], rows[track][count:]
            else:
                after[0], after[track] = rows[0][:count], rows[0][count:] + rows[track]
            new = len(after[0]), len(after[1]), len(after[2]), len(after[3])
            found.append((new, [place for row in after for place in row]))
    return found


def codes_of(*rows: tuple[int, ...]) -> Codes:
    return np.array([sum(wagon << (BITS * slot) for slot, wagon in enumerate(row)) for row in rows], dtype=np.uint32)


def test_4_2_2_with_a_short_headshunt_is_impossible_for_600_of_720_starts() -> None:
    counts = Inglenook((2, 4, 2, 2)).fewest_moves([codes_of((0, 1, 2, 3, 4, 5))])
    assert math.factorial(6) - sum(counts) == 600


@pytest.mark.further
def test_all_starts_of_5_3_3() -> None:
    counts = Inglenook((3, 5, 3, 3)).fewest_moves([codes_of(tuple(range(8)))])
    assert sum(counts) == math.factorial(8)
    assert {moves: count for moves, count in enumerate(counts) if count}.popitem() == (20, 8)
    assert round(sum(moves * count for moves, count in enumerate(counts)) / sum(counts), 3) == 14.437


@pytest.mark.further
def test_with_the_order_on_the_second_track_free_17_moves_are_enough() -> None:
    goals = [
        codes_of((0, 1, 2, 3, 4, *rest)) for rest in ((5, 6, 7), (5, 7, 6), (6, 5, 7), (6, 7, 5), (7, 5, 6), (7, 6, 5))
    ]
    counts = Inglenook((3, 5, 3, 3)).fewest_moves(goals)
    assert sum(counts) == math.factorial(8)
    assert max(moves for moves, count in enumerate(counts) if count) == 17
