"""Looks for a short way to the colour order, from coupling to coupling: not the shortest, but soon found.

Between two couplings or uncouplings only the train moves, and it finds few places: all of them are looked through at
once. What seems nearest to the goal goes on first. Of what leads to a wagon standing where it stood before, with the
same train, only the first goes on until there is nothing else: else the search would try every dot for every wagon
that it leaves.

Another's train is no wall: it will leave. Running onto a dot where one stands now takes some steps more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final, NamedTuple

from companion.games.locomotion.strategy.players.farness import FAR, Farness
from companion.games.locomotion.strategy.players.yard import Layout, Train, Yard, ends_of

_WEIGHT: Final = 4
"""How much a step that seems to be left counts beside one that is done: more finds longer ways, sooner."""
_STATES_A_CHANGE: Final = 3
"""Weighing a coupling or uncoupling takes as long as looking at so many places of the train."""

WAITING: Final = 7
"""So many steps longer is a way for each dot that another's train has to leave first: two rolls of a die, about."""

Moment = tuple[Layout, Train]
"""Who hangs on whom, and where the train is."""


class Way(NamedTuple):
    """A way from one of several starts: where the train is after 0, 1, 2... steps.

    ``steps`` are about as many as it takes to the goal. Where none was found the course ends at what seems nearest to
    it, and how far that seems is among the steps. On a course that is not free others' trains have to leave first.
    """

    course: tuple[Moment, ...]
    steps: int
    is_complete: bool
    is_free: bool

    @property
    def is_found(self) -> bool:
        """Whether it leads to the goal while all others stay where they are."""
        return self.is_complete and self.is_free


class _Node(NamedTuple):
    """What the beginning, a coupling or an uncoupling leads to; ``passed`` is where the train was since the parent."""

    steps: int
    layout: Layout
    trains: tuple[Train, ...]
    parent: _Node | None = None
    passed: tuple[Train, ...] = ()


class _Reach(NamedTuple):
    """All that a train reaches from a node by running: the places, from where each is reached, the dots taken."""

    node: _Node
    places: list[tuple[Train, int]]
    before: Mapping[Train, Train | None]
    blocked: frozenset[int]

    def after(self, train: Train, steps: int, moment: Moment) -> _Node:
        """What a change leads to once the train has run there."""
        way: list[Train] = []
        here: Train | None = train
        while here is not None:
            way.append(here)
            here = self.before[here]
        return _Node(steps + 1, moment[0], (moment[1],), self.node, tuple(way[::-1]))


class _Uncoupling(NamedTuple):
    """What may be left behind somewhere; it is worked out when it is its turn."""

    reach: _Reach
    train: Train
    steps: int
    behind: int


def look_ahead(yard: Yard, starts: Mapping[Layout, Sequence[Train]], most_states: int) -> Way:
    """The way that is found within about so many states; there must be a start."""
    return _Search(yard, most_states).way(starts)


def follow(yard: Yard, start: Moment, course: Sequence[Moment]) -> tuple[Moment, ...] | None:
    """The course as it is now, from a start on; None where it cannot be gone even when the others' trains leave."""
    layout, train = start
    followed = [start]
    for planned, place in course:
        blocked = _standing(layout)
        if len(planned.wagons) == len(layout.wagons):
            moments = [(layout, after) for _, after in yard.runs(train, blocked)]
        elif len(planned.wagons) > len(layout.wagons):
            moments = list(yard.couplings(layout, train, ends_of(layout.cuts)))
        else:
            moments = list(yard.uncoupled(layout, train, len(layout.wagons) - len(planned.wagons), blocked))
        possible = [moment for moment in moments if moment[0].wagons == planned.wagons and moment[1] == place]
        if not possible:
            return None
        layout, train = possible[0]
        followed.append(possible[0])
    return tuple(followed)


def waits(yard: Yard, course: Sequence[Moment]) -> int:
    """How many dots of a course others' trains have to leave first."""
    return len({yard.ports.dot[port] for _, train in course for port in train} & yard.other_trains)


def _standing(layout: Layout) -> frozenset[int]:
    return frozenset(wagon.dot for cut in layout.cuts for wagon in cut)


class _Search:
    def __init__(self, yard: Yard, most_states: int) -> None:
        self._yard = yard
        self._farness = Farness(yard)
        self._most_states = most_states
        self._states = 0
        self._pushed = 0
        self._waiting: list[tuple[bool, int, int, int, _Node | _Uncoupling]] = []
        self._reached: dict[Layout, dict[Train, int]] = {}
        self._seen: set[Hashable] = set()

    def way(self, starts: Mapping[Layout, Sequence[Train]]) -> Way:
        best: tuple[int, _Node] | None = None
        for layout, trains in starts.items():
            far = min(self._farness.of(layout, train) for train in trains)
            self._push(far, _Node(0, layout, tuple(trains)), seen=False)
        while self._waiting:
            _, _, far, _, node = heappop(self._waiting)
            self._states += _STATES_A_CHANGE
            if isinstance(node, _Uncoupling):
                self._uncouple(node)
                continue
            if best is None or far < best[0]:
                best = far, node
            if not far or self._states >= self._most_states:
                break
            self._go_on(node)
        if best is None:
            raise ValueError("there is no start")
        far, last = best
        course = _course(last)
        return Way(course, last.steps + far, is_complete=not far, is_free=not waits(self._yard, course))

    def _push(self, far: int, node: _Node | _Uncoupling, *, seen: bool) -> None:
        self._pushed += 1  # of two that seem equally good the nearer one goes first, then the older one
        heappush(self._waiting, (seen, node.steps + _WEIGHT * far, far, self._pushed, node))

    def _is_seen(self, what: Hashable) -> bool:
        is_seen = what in self._seen
        self._seen.add(what)
        return is_seen

    def _go_on(self, node: _Node) -> None:
        """Looks through all places that the train reaches, and at what can be done there."""
        reached = self._reached.setdefault(node.layout, {})
        standing, trains = _standing(node.layout), self._yard.other_trains
        before: dict[Train, Train | None] = {}
        now: deque[tuple[Train, int]] = deque()
        later: deque[tuple[Train, int]] = deque()  # each longer by the same: so they come in their order, too
        places: list[tuple[Train, int]] = []
        for train in node.trains:
            if reached.get(train, FAR) > node.steps:
                reached[train] = node.steps
                before[train] = None
                now.append((train, node.steps))
        while now or later:
            train, steps = (now if now and not (later and later[0][1] < now[0][1]) else later).popleft()
            if reached[train] < steps:
                continue
            places.append((train, steps))
            for dot, after in self._yard.runs(train, standing):
                longer = steps + 1 + WAITING * (dot in trains)
                if reached.get(after, FAR) > longer:
                    reached[after] = longer
                    before[after] = train
                    (later if dot in trains else now).append((after, longer))
        self._states += len(places)
        if places:
            reach = _Reach(node, places, before, standing | trains)
            self._couple(reach)
            self._leave(reach)

    def _couple(self, reach: _Reach) -> None:
        ends = ends_of(reach.node.layout.cuts)
        ahead = self._yard.ports.ahead
        for train, steps in reach.places:
            if ahead[train[-1] ^ 1] not in ends and ahead[train[0]] not in ends:
                continue
            for after, longer in self._yard.couplings(reach.node.layout, train, ends):
                seen = self._is_seen((after.wagons, longer[-1]))
                self._push(self._farness.of(after, longer), reach.after(train, steps, (after, longer)), seen=seen)

    def _leave(self, reach: _Reach) -> None:
        wagons = reach.node.layout.wagons
        if not wagons:
            return
        for count in range(1, len(wagons) + 1):
            right = self._farness.right(wagons[:-count])
            stretch = self._farness.stretch(reach.node.layout, reach.places[0][0], right)
            for train, steps in reach.places:
                far = self._farness.steps(stretch, right, train[:-count])
                seen = (wagons, count, train[-count]) in self._seen
                self._push(far, _Uncoupling(reach, train, steps + 1, count), seen=seen)

    def _uncouple(self, what: _Uncoupling) -> None:
        reach, train, steps, count = what
        wagons = reach.node.layout.wagons
        for after, shorter in self._yard.uncoupled(reach.node.layout, train, count, reach.blocked):
            if self._reached.get(after, {}).get(shorter, FAR) > steps:
                seen = self._is_seen((wagons, count, train[-count]))
                node = reach.after(train, steps - 1, (after, shorter))
                self._push(self._farness.of(after, shorter), node, seen=seen)


def _course(last: _Node) -> tuple[Moment, ...]:
    moments: list[Moment] = [(last.layout, last.trains[0])]
    node = last
    while node.parent is not None:
        moments += [(node.parent.layout, train) for train in reversed(node.passed)]
        node = node.parent
    return tuple(moments[::-1])
