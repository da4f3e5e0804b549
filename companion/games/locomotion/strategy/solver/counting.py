"""How many plans with the fewest steps there are (LSOLO1), as the rules tell steps apart.

Two waves of places, as ``solo`` sends them, find the fewest steps, and with that their proof. But ways through places
are no plans: where a lie is open several of them are the same steps. So it is the rules that count, from the start on;
the waves only say what is still on a plan with the fewest steps. After each step it is one if along some of the
passages of its lies a way leads on to the goal in the steps that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

import msgspec
import numpy as np

from companion.games.locomotion.networks.puzzle import Puzzle
from companion.games.locomotion.rules.motions import Position, position
from companion.games.locomotion.rules.motions import motions as motions_from
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.rules.steps import Motion, Run
from companion.games.locomotion.strategy.solver.motions import Motions
from companion.games.locomotion.strategy.solver.rows import Rows
from companion.games.locomotion.strategy.solver.standing import codes_of, rows_of, starts_of
from companion.games.locomotion.strategy.solver.tracks import Tracks
from companion.games.locomotion.strategy.solver.waves import Codes, Layer, Wave, common, size

MOST_POSITIONS = 500
"""That are followed after each step: some seconds' work in all. Puzzles drawn by lot have some dozens at most."""


class Shortest(msgspec.Struct, frozen=True):
    """The plans with the fewest steps.

    ``plan`` is one of them, with as few couplings and uncouplings as can be; None where none is known. ``plans`` says
    how many there are, or if it is not ``is_counted``, that there are so many at least. Fewer steps than ``bound`` are
    not enough. The waves found ``states``.
    """

    bound: int
    states: int
    plan: tuple[Motion, ...] | None = None
    plans: int = 0
    is_counted: bool = True
    is_impossible: bool = False


def shortest_plans(
    puzzle: Puzzle,
    *,
    most_states: int,
    most_positions: int = MOST_POSITIONS,
    has_time: Callable[[], bool] = lambda: True,
) -> Shortest:
    """Counts the plans.

    None is known where the waves have found more than ``most_states`` without meeting, or there is no more time.
    """
    search = _Search(puzzle)
    while not search.has_met:
        if search.is_impossible:
            return Shortest(search.depth + 1, search.states, is_impossible=True)
        if search.states > most_states or not search.grow(has_time):
            return Shortest(search.depth + 1, search.states, is_counted=False)
    return search.counted(most_positions)


class _Reached(msgspec.Struct):
    """A position, in how many ways it can be reached, and one with the fewest changes of who hangs on whom."""

    position: Position
    ways: int
    changes: int
    motion: Motion | None = None
    before: _Reached | None = None

    def plan(self) -> tuple[Motion, ...]:
        """The motions that led here."""
        led: list[Motion] = []
        here = self
        while here.motion is not None and here.before is not None:
            led.append(here.motion)
            here = here.before
        return tuple(led[::-1])


class _Search:
    """A wave from the start and one from the goals until they meet, of which all layers are kept."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._start = puzzle.start()
        self._motions = Motions(Tracks(puzzle.network), len(puzzle.wagons))
        ends = starts_of([self._start], self._motions), self._motions.goals()
        self._waves = [Wave(layer, self._motions.neighbours, 0) for layer in ends]
        self._layers = [[wave.layer] for wave in self._waves]

    @property
    def depth(self) -> int:
        return sum(wave.depth for wave in self._waves)

    @property
    def states(self) -> int:
        return sum(wave.states for wave in self._waves)

    @property
    def is_impossible(self) -> bool:
        return not all(wave.layer for wave in self._waves)

    @property
    def has_met(self) -> bool:
        return common(self._waves[0].layer, self._waves[1].layer) is not None

    def grow(self, has_time: Callable[[], bool]) -> bool:
        """The smaller wave goes on; False if time runs out."""
        wave, layers = min(zip(self._waves, self._layers, strict=True), key=lambda pair: size(pair[0].layer))
        has_grown = wave.grow(has_time)
        layers.append(wave.layer)
        return has_grown

    def counted(self, most_positions: int) -> Shortest:
        """The plans, once the waves have met."""
        start = position(self._start)
        here, least, is_counted = {start.stock: _Reached(start, 1, 0)}, 1, True
        for layer in self._on_ways()[1:]:
            reached = self._after(here, {key: set(codes.tolist()) for key, codes in layer.items()})
            # Each goes on to the goal in some way, and other steps before are another plan.
            least = max(least, sum(each.ways for each in reached.values()))
            is_counted = is_counted and len(reached) <= most_positions
            here = dict(islice(reached.items(), most_positions))
        best = min(here.values(), key=lambda each: each.changes)
        return Shortest(self.depth, self.states, best.plan(), least, is_counted)

    def _on_ways(self) -> list[Layer[Rows]]:
        """For each number of steps done, from none on, the states that are on ways with the fewest."""
        forwards, backwards = self._layers
        middle = _shared(forwards[-1].items(), backwards[-1])
        before, after = [middle], [middle]
        for found, kept in ((before, forwards), (after, backwards)):
            for layer in kept[-2::-1]:
                found.append(_shared(self._motions.neighbours(found[-1]), layer))
        return [*before[::-1], *after[1:]]

    def _after(self, here: dict[Stock, _Reached], layer: dict[Rows, set[int]]) -> dict[Stock, _Reached]:
        """What a step makes of positions, if it is on a plan with the fewest."""
        reached: dict[Stock, _Reached] = {}
        for before in here.values():
            for motion, after in motions_from(before.position):
                known = reached.get(after.stock)
                if known is None and not self._is_in(layer, after.stock):
                    continue
                changes = before.changes + (not isinstance(motion, Run))
                ways = before.ways + (0 if known is None else known.ways)
                if known is None or changes < known.changes:
                    reached[after.stock] = _Reached(after, ways, changes, motion, before)
                else:
                    known.ways = ways
        return reached

    def _is_in(self, layer: dict[Rows, set[int]], stock: Stock) -> bool:
        order = self._start.order
        codes = codes_of(self._start.setup.network, stock, order, self._motions)
        return not layer.get(rows_of(stock, order), set()).isdisjoint(codes)


def _shared(parts: Iterable[tuple[Rows, Codes]], layer: Layer[Rows]) -> Layer[Rows]:
    """What is in a layer too."""
    found: dict[Rows, list[Codes]] = {}
    for key, codes in parts:
        if key in layer:
            found.setdefault(key, []).append(np.intersect1d(codes, layer[key]))
    together = {key: np.unique(np.concatenate(shared)) for key, shared in found.items()}
    return {key: codes for key, codes in together.items() if len(codes)}
