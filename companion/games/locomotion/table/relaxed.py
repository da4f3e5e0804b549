"""A turn without one of the rules: what can be done only so tells which rule was broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.locomotion.rules import Behind, Passage
from companion.games.locomotion.rules.motions import Position
from companion.games.locomotion.table.search import Goal
from companion.games.locomotion.table.seen import Seen, kinds_in

_OFF_THE_NETWORK: Final = 10_000
"""Farther out than any network lies."""


class Question(NamedTuple):
    """Where a search begins, and where it is to end."""

    start: Position
    goal: Goal


Relaxation = Callable[[Position, Seen], Question]


def round_corners(start: Position, seen: Seen) -> Question:
    """Each track of a dot leads to each other one (against LRUN2)."""
    network, stock = start.setup.network, start.stock
    setup = replace(start.setup, network=replace(network, passages=tuple(map(_all_ways, network.passages))))
    lies = tuple(setup.lies_on(vehicle, dot) for vehicle, dot in enumerate(stock.dots))
    return Question(replace(start, setup=setup, stock=replace(stock, lies=lies)), Goal(setup, seen))


def _all_ways(passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
    return tuple(combinations(sorted({side for passage in passages for side in passage}), 2))


def through_others(start: Position, seen: Seen) -> Question:
    """Where nothing has been moved but the train nothing is in its way (against LRUN5): it stands far off."""
    setup, stock = start.setup, start.stock
    network, kinds = setup.network, kinds_in(setup)
    moved = {*start.train, *Goal(setup, seen).misplaced(stock)}
    unmoved = [vehicle for row in stock.rows if moved.isdisjoint(row) for vehicle in row]
    dots, told = list(stock.dots), dict(seen.kinds)
    for number, vehicle in enumerate(unmoved, len(network.dots)):
        told.pop(dots[vehicle], None)
        told[number] = (kinds[vehicle],)
        dots[vehicle] = number
    network = replace(
        network,
        dots=(*network.dots, *((_OFF_THE_NETWORK, number) for number in range(len(unmoved)))),
        passages=(*network.passages, *[()] * len(unmoved)),
        neighbours=(*network.neighbours, *[(None,) * 4] * len(unmoved)),
    )
    setup = replace(setup, network=network)
    stock = replace(stock, dots=tuple(dots))
    return Question(replace(start, setup=setup, stock=stock), Goal(setup, seen._replace(kinds=told)))


def any_colours(start: Position, seen: Seen) -> Question:
    """Wagons of one colour may be in one train (against LCPL6)."""
    different = replace(start.setup, colours=tuple(range(len(start.setup.colours))))
    return Question(replace(start, setup=different), Goal(start.setup, seen))


def any_direction(start: Position, seen: Seen) -> Question:
    """A train changes its direction within a turn (against LRUN4)."""
    setup = replace(start.setup, knobs=replace(start.setup.knobs, reverse_in_turn=True))
    return Question(replace(start, setup=setup, entered=None), Goal(setup, seen))


def at_either_end(start: Position, seen: Seen) -> Question:
    """Wagons are coupled to the front of a locomotive (against LCPL7)."""
    setup, stock = replace(start.setup, knobs=replace(start.setup.knobs, behind=Behind.EITHER_END)), start.stock
    lies = tuple(tuple(sorted({_undirected(way) for way in lie})) for lie in stock.lies)
    return Question(replace(start, setup=setup, stock=replace(stock, lies=lies)), Goal(setup, seen))


def _undirected(passage: Passage) -> Passage:
    first, second = sorted(passage)
    return first, second


OTHER_RULES: Final[Sequence[Relaxation]] = (any_colours, any_direction, at_either_end, through_others)
"""Those that are broken more rarely than the one about corners."""
