"""What has to be moved so that the vehicles stand where they should."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, zip_longest
from typing import NamedTuple

from companion.games.locomotion.rules import Dot
from companion.games.locomotion.rules.state import Setup, Stock
from companion.games.locomotion.table.seen import Seen, kinds_in
from companion.games.locomotion.wording import Kind, Shift


class Move(NamedTuple):
    """A vehicle of a kind that is to be taken from a dot and put on another; None where that is beside the network."""

    kind: Kind
    start: Dot | None
    to: Dot | None

    @property
    def shift(self) -> Shift | None:
        """How far it is to be moved on the network."""
        if self.start is None or self.to is None:
            return None
        return Shift(self.to[0] - self.start[0], self.to[1] - self.start[1])


def moves_to(setup: Setup, stock: Stock, seen: Seen) -> Sequence[Move]:
    """The fewest moves that lead from what is seen to how all should stand; what can be put on an empty dot first.

    Each vehicle is moved onto the nearest dot that wants one of its kind. On hidden dots nothing is missing.
    """
    dots = setup.network.dots
    should = dict(zip(stock.dots, kinds_in(setup), strict=True))
    lying = {dot: should[dot] if should.get(dot) in kinds else kinds[0] for dot, kinds in seen.kinds.items()}
    moves: list[Move] = []
    for kind in sorted({*should.values(), *lying.values()}):
        wrong = [dots[dot] for dot, other in lying.items() if other == kind != should.get(dot)]
        wanted = [dots[dot] for dot, other in should.items() if other == kind != lying.get(dot)]
        moves += _nearest(kind, wrong, [dot for dot in wanted if setup.network.number(dot) not in seen.hidden])
    taken = {dots[dot] for dot in lying}
    return sorted(moves, key=lambda move: move.to is not None and move.to in taken)


def _nearest(kind: Kind, wrong: list[Dot], wanted: list[Dot]) -> Iterator[Move]:
    while wrong and wanted:
        start, to = min(product(wrong, wanted), key=lambda pair: (_apart(*pair), pair))
        wrong.remove(start)
        wanted.remove(to)
        yield Move(kind, start, to)
    yield from (Move(kind, start, to) for start, to in zip_longest(wrong, wanted))


def _apart(one: Dot, other: Dot) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
