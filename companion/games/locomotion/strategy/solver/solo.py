"""A solo game's plan with the fewest steps (LSOLO1), or the best that was found and how few could still do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise

import msgspec

from companion.games.locomotion.rules.state import State
from companion.games.locomotion.rules.steps import Couple, Motion, Run, Uncouple
from companion.games.locomotion.strategy.solver.beam import Beam, farness_on
from companion.games.locomotion.strategy.solver.deeper import Deeper
from companion.games.locomotion.strategy.solver.estimates import to_the_goals
from companion.games.locomotion.strategy.solver.fewer import FewerWagons
from companion.games.locomotion.strategy.solver.mending import mended
from companion.games.locomotion.strategy.solver.motions import Motions
from companion.games.locomotion.strategy.solver.rows import Rows
from companion.games.locomotion.strategy.solver.standing import starts_of, vehicles_of
from companion.games.locomotion.strategy.solver.tracks import Tracks
from companion.games.locomotion.strategy.solver.waves import Place, Wave, common, size

Watcher = Callable[[int, int | None], None]
"""Is told that fewer steps than the first are not enough, and how many the best plan so far has."""

MOST_BYTES = 115_000_000
"""Of states in memory, for 200 MB with Python, numpy and what a step needs besides."""

_FIRST_LOOK = 1 << 20
"""States after which a beam looks for a plan for the first time: about half a second."""
_NARROWEST = 100
"""How many states of each key the first beam takes along."""
_SHARE_OF_WAVES = 0.6
"""Of the memory: the rest is for beams and for what goes deeper."""
_DEEPER = 2
"""Steps by which a wave in parts goes deeper each time, from its beginning: what it has found is forgotten."""


class Solution(msgspec.Struct, frozen=True):
    """What is known about the fewest steps.

    ``plan`` is None while none is known; ``steps`` is its length. Fewer than ``bound`` are not enough. ``states`` were
    looked at.
    """

    plan: tuple[Motion, ...] | None
    bound: int
    is_impossible: bool
    states: int

    @property
    def steps(self) -> int | None:
        """How many the plan has."""
        return None if self.plan is None else len(self.plan)

    @property
    def is_proven(self) -> bool:
        """Whether no plan has fewer steps, or there is none at all."""
        return self.is_impossible or self.steps == self.bound


def solve(
    start: State,
    also: Sequence[State] = (),
    *,
    has_time: Callable[[], bool] = lambda: True,
    watch: Watcher | None = None,
    most_bytes: int = MOST_BYTES,
) -> Solution:
    """The best plan from a state of a game for one, lots drawn, whatever is coupled by then; with the usual knobs.

    The search goes on until it is proven or there is no more time, or memory. ``watch`` is told how it goes. Raises
    TooLarge. All may stand ``also`` as in other states, which differ in lies alone: the plan is one from any of them.
    """
    return _Search((start, *also), most_bytes).solution(has_time, watch or _nobody)


def _nobody(_bound: int, _steps: int | None) -> None:
    """Nobody watches."""


class _Search:
    """Two waves, from the start and from the goals, that grow until they meet. Wagons are numbered in their order.

    From time to time a beam looks for a way from the one to the other, each time twice as wide. While none is found it
    is tried whether some of the wagons alone show that there is none. All that is done must be done in time; where
    memory ends first the plan is mended, and the smaller wave goes deeper in parts.
    """

    def __init__(self, starts: Sequence[State], most_bytes: int) -> None:
        start = starts[0]
        self._network = start.setup.network
        self._order = start.order
        self._dots = [start.stock.dots[vehicle] for vehicle in vehicles_of(start.order)]
        self._motions = Motions(Tracks(self._network), len(self._order))
        self._starts = starts_of(starts, self._motions)
        self._farness = farness_on(self._motions)
        self._most_held = most_bytes // self._motions.dtype.itemsize
        most_kept = self._most_held // 16
        self._forwards = Wave(self._starts, self._motions.neighbours, most_kept)
        self._backwards = Wave(self._motions.goals(), self._motions.neighbours, most_kept)
        self._best: list[Place[Rows]] | None = None
        self._bound = 0
        self._is_impossible = False
        self._states = 0
        self._width = _NARROWEST
        self._next_look = _FIRST_LOOK
        self._next_fewer = 1

    def solution(self, has_time: Callable[[], bool], watch: Watcher) -> Solution:
        """What is known once it is proven, or time ends."""
        if not self._meet(has_time, watch):
            self._look_on(has_time)
            if self._best is not None and not self._is_told():
                self._best = self._mended(self._best, has_time)
            if not self._is_told():
                self._go_deeper(has_time, watch)
        return Solution(
            plan=None if self._best is None else self._plan(self._best),
            bound=self._bound,
            is_impossible=self._is_impossible,
            states=self._forwards.states + self._backwards.states + self._states,
        )

    def _meet(self, has_time: Callable[[], bool], watch: Watcher) -> bool:
        """Grows the smaller wave, time and again; whether all is told. All ways between are longer than both deep."""
        while (met := common(self._forwards.layer, self._backwards.layer)) is None:
            self._bound = self._depths() + 1
            watch(self._bound, self._steps())
            wave = min(self._forwards, self._backwards, key=lambda wave: size(wave.layer))
            self._is_impossible |= not wave.layer
            if self._is_told():
                return True
            if self._forwards.states + self._backwards.states >= self._next_look:
                if self._best is None:
                    self._leave_out(2 if self._next_look == _FIRST_LOOK else len(self._order), has_time)
                self._look_about(has_time)
                self._next_look *= 4
            elif not self._has_room(wave) or not wave.grow(has_time):
                return False
        self._bound = self._depths()
        self._best = self._forwards.trail(met) + self._backwards.trail(met)[-2::-1]
        return True

    def _is_told(self) -> bool:
        return self._is_impossible or self._steps() == self._bound

    def _steps(self) -> int | None:
        return None if self._best is None else len(self._best) - 1

    def _leave_out(self, most: int, has_time: Callable[[], bool]) -> None:
        """Plays with one wagon, with each two, and so on, with so many at most, until that is impossible."""
        wagons = len(self._order)
        room = (self._most_held - self._held()) // 2
        while self._next_fewer < wagons and self._next_fewer <= most:
            for chosen in combinations(range(1, wagons + 1), self._next_fewer):
                fewer = FewerWagons(self._motions, wagons, chosen)
                self._is_impossible |= fewer.is_impossible(self._dots, has_time, room)
                self._states += fewer.states
                if self._is_impossible or not has_time():
                    return
            self._next_fewer += 1

    def _look_about(self, has_time: Callable[[], bool]) -> None:
        """Sends out a beam, and while no plan is known wider ones with as many states as the waves have by now."""
        end = self._states + self._next_look
        while has_time() and not self._is_told() and self._states < end:
            self._look(has_time, end - self._states)
            if self._best is not None:
                break

    def _look_on(self, has_time: Callable[[], bool]) -> None:
        """Looks for plans while there is time: there is no memory for what would prove more.

        Beams become wider until they fill the memory. If none has found a plan, narrower ones go farther.
        """
        is_full = False
        while has_time() and not is_full and not self._is_told() and self._width < self._most_held:
            is_full = self._look(has_time, self._most_held)
        if self._best is None and not self._is_told():
            self._leave_out(len(self._order), has_time)
        while has_time() and self._best is None and not self._is_told() and self._width >= _NARROWEST:
            self._width //= 4
            self._look(has_time, self._most_held)

    def _mended(self, way: list[Place[Rows]], has_time: Callable[[], bool]) -> list[Place[Rows]]:
        room = min(_FIRST_LOOK, (self._most_held - self._held()) // 2)
        return mended(way, self._motions.neighbours, self._motions.dtype, has_time, room)

    def _go_deeper(self, has_time: Callable[[], bool], watch: Watcher) -> None:
        motions = self._motions
        waves = self._forwards, self._backwards
        room = (self._most_held - self._held()) // 3  # what is found is held twice while it is sorted
        deeper = Deeper(waves, motions.neighbours, to_the_goals(motions, len(self._order)), room)
        is_done = True
        while is_done and not self._is_told():
            steps = deeper.ruled_out + _DEEPER
            if self._best is not None:
                steps = min(steps, len(self._best) - 2 - self._depths())
            is_done = deeper.go(steps, has_time)
            self._bound = self._depths() + deeper.ruled_out + 1
            if deeper.way is not None:
                self._best = self._way_by(deeper.way)
            watch(self._bound, self._steps())
        self._states += deeper.states

    def _look(self, has_time: Callable[[], bool], most_states: int) -> bool:
        """Sends a beam out from the start; whether it had to end for want of memory, or of states."""
        # Not from the wave's last layer: of that too few would go on, and some of them nowhere.
        beam = Beam(self._starts, self._motions.neighbours, self._width, self._farness)
        self._width *= 2
        room = (self._most_held - self._held()) // 4
        while beam.layer and beam.states < most_states and beam.kept_states < room:
            met = common(beam.layer, self._backwards.layer)
            if met is not None:
                self._best = beam.trail(met) + self._backwards.trail(met)[-2::-1]
                break
            if self._best is not None and self._backwards.depth + beam.depth + 2 >= len(self._best):
                break
            if not beam.grow(has_time):
                break
        self._states += beam.states
        return beam.kept_states >= room or beam.states >= most_states

    def _way_by(self, middle: list[Place[Rows]]) -> list[Place[Rows]]:
        """By states from the last layer of the one wave to that of the other."""
        return self._forwards.trail(middle[0]) + middle[1:] + self._backwards.trail(middle[-1])[-2::-1]

    def _has_room(self, wave: Wave[Rows]) -> bool:
        return self._held() + 2 * size(wave.layer) < self._most_held * _SHARE_OF_WAVES

    def _held(self) -> int:
        return self._forwards.held() + self._backwards.held()

    def _depths(self) -> int:
        return self._forwards.depth + self._backwards.depth

    def _plan(self, way: list[Place[Rows]]) -> tuple[Motion, ...]:
        return tuple(self._step(before, after) for before, after in pairwise(way))

    def _step(self, before: Place[Rows], after: Place[Rows]) -> Motion:
        train, longer = before.key.train, after.key.train
        if len(longer) > len(train):
            return Couple(self._order[longer[len(train)] - 1])
        if len(longer) < len(train):
            return Uncouple(len(train) - len(longer))
        old, new = ([self._dot(place, slot) for slot in range(len(train))] for place in (before, after))
        is_forwards = len(train) == 1 or new[1] == old[0]
        return Run(self._network.dots[new[0 if is_forwards else -1]], backwards=not is_forwards)

    def _dot(self, state: Place[Rows], slot: int) -> int:
        tracks = self._motions.tracks
        return int(tracks.dot[self._motions.places(state.code, slot + 1)[slot]])
