"""A state of a solo game as searches number it: 0 is the locomotive, 1, 2... are the wagons in the order wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from companion.games.locomotion.rules.network import Network
from companion.games.locomotion.rules.state import State, Stock
from companion.games.locomotion.strategy.solver.motions import Motions
from companion.games.locomotion.strategy.solver.rows import Rows, rows
from companion.games.locomotion.strategy.solver.waves import Layer


def vehicles_of(order: Sequence[int]) -> tuple[int, ...]:
    """The vehicle of the game that each number stands for."""
    return (0, *order)


def rows_of(stock: Stock, order: Sequence[int]) -> Rows:
    """Who hangs on whom."""
    numbers = vehicles_of(order)
    told = [tuple(numbers.index(vehicle) for vehicle in row) for row in stock.rows]
    train = next(row for row in told if row[0] == 0)
    return rows(train, [row for row in told if row != train])


def codes_of(network: Network, stock: Stock, order: Sequence[int], motions: Motions) -> Iterator[int]:
    """The codes that a stock can be: each vehicle along each passage of its lie."""
    tracks, vehicles = motions.tracks, vehicles_of(order)
    places = []
    for slot, number in enumerate(rows_of(stock, order).vehicles):
        dot, lie = stock.dots[vehicles[number]], stock.lies[vehicles[number]]
        passages = zip(network.passages[dot], tracks.places_on[dot], strict=True)
        places.append([place << (motions.bits * slot) for passage, place in passages if passage in lie])
    return map(sum, product(*places))


def starts_of(starts: Sequence[State], motions: Motions) -> Layer[Rows]:
    """The states of a search that states of a game for one can be, lots drawn; they differ in lies alone."""
    codes = {code for each in starts for code in codes_of(each.setup.network, each.stock, each.order, motions)}
    return {rows_of(starts[0].stock, starts[0].order): np.array(sorted(codes), dtype=motions.dtype)}
