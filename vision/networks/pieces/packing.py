"""Which pieces lie there: those that explain most of what is seen, no two of them on one cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from vision.networks.pieces.piece_look import Placement
from vision.watching.network_reading import Cell

_MOST_NODES: Final = 3000
"""So many choices are tried for pieces that get in each other's way; then the best so far counts."""
_FEWER_NODES: Final = 150
"""And so many to see how good the best without a piece is."""


class Candidate(NamedTuple):
    """A piece that may lie there, the cells that it covers, and how well that explains them (0: as well as none)."""

    placement: Placement
    cells: frozenset[Cell]
    worth: float


class Packed(NamedTuple):
    """A piece that lies there, and by how much all is explained worse without it."""

    placement: Placement
    margin: float


def packed(candidates: Sequence[Candidate]) -> list[Packed]:
    """The pieces that explain most, in reading order."""
    found = []
    for group in _groups(candidates):
        chosen = _best(group, _MOST_NODES)
        found += [Packed(candidate.placement, _margin(candidate, chosen, group)) for candidate in chosen]
    return sorted(found, key=lambda piece: (piece.placement.cell[::-1], piece.placement.heading))


def _margin(candidate: Candidate, chosen: Sequence[Candidate], group: Sequence[Candidate]) -> float:
    """By how much all is explained worse without this piece; far from it all stays as it is."""
    rivals = [other for other in group if other is not candidate and other.cells & candidate.cells]
    touched = frozenset[Cell]().union(*(rival.cells for rival in rivals), candidate.cells)
    moved = [one for one in chosen if one.cells & touched]
    kept = frozenset[Cell]().union(*(one.cells for one in chosen if not one.cells & touched))
    free = [other for other in group if other is not candidate and not other.cells & kept]
    instead = _best(free, _FEWER_NODES)
    return sum(one.worth for one in moved) - sum(one.worth for one in instead)


def _groups(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Candidates that share cells, directly or by way of others."""
    of_cell: dict[Cell, list[int]] = {}
    for number, candidate in enumerate(candidates):
        for cell in candidate.cells:
            of_cell.setdefault(cell, []).append(number)
    left, groups = set(range(len(candidates))), []
    while left:
        waiting, group = [left.pop()], []
        while waiting:
            number = waiting.pop()
            group.append(candidates[number])
            beside = {other for cell in candidates[number].cells for other in of_cell[cell]} & left
            left -= beside
            waiting += beside
        groups.append(sorted(group, key=lambda candidate: -candidate.worth))
    return groups


class _Search:
    """Tries all ways in which some candidates may lie there together, the most promising first."""

    def __init__(self, candidates: Sequence[Candidate], nodes: int) -> None:
        self._candidates = candidates
        self._nodes_left = nodes
        self.worth, self.chosen = 0.0, tuple[Candidate, ...]()

    def run(self, start: int, taken: frozenset[Cell], chosen: tuple[Candidate, ...], worth: float) -> None:
        if worth > self.worth:
            self.worth, self.chosen = worth, chosen
        self._nodes_left -= 1
        free = [one for one in self._candidates[start:] if not one.cells & taken]
        if not free or self._nodes_left <= 0 or worth + _most(free) <= self.worth + 1e-9:
            return
        first = free[0]
        place = self._candidates.index(first, start) + 1
        self.run(place, taken | first.cells, (*chosen, first), worth + first.worth)
        self.run(place, taken, chosen, worth)


def _most(candidates: Sequence[Candidate]) -> float:
    """Not less than what some of these are worth together: each cell is explained by the best for it alone."""
    best: dict[Cell, float] = {}
    for candidate in candidates:
        share = candidate.worth / len(candidate.cells)
        for cell in candidate.cells:
            best[cell] = max(best.get(cell, 0.0), share)
    return sum(best.values())


def _best(candidates: Sequence[Candidate], nodes: int) -> tuple[Candidate, ...]:
    search = _Search(candidates, nodes)
    search.run(0, frozenset(), (), 0.0)
    return search.chosen
