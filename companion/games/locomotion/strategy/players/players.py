"""Players that choose by themselves: at random, by what looks nearest now, and one that looks ahead."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from companion.dice.box import Source
from companion.games.locomotion.rules import ChooseSpeed, EndTurn, Mode, Phase, State, after, legal_motions
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.rules.turn import speeds_allowed
from companion.games.locomotion.strategy.players.farness import Farness
from companion.games.locomotion.strategy.players.looking_ahead import (
    WAITING,
    Moment,
    Way,
    follow,
    look_ahead,
    waits,
)
from companion.games.locomotion.strategy.players.race import LONGEST, MEAN_OF_A_DIE, chances_to_be_first, turns_at_speed
from companion.games.locomotion.strategy.players.turns import TurnsEnd, turns_ends
from companion.games.locomotion.strategy.players.yard import Layout, Train, Yard

OWN_STATES: Final = 15_000
"""So many are looked through for the own way in a turn."""
CHECKING_STATES: Final = 2000
"""Where a way is known already that is free."""
HINDERING_STATES: Final = 1500
"""For the own way from an end that hinders others."""
OTHERS_STATES: Final = 500
"""For each way of another player."""
SURE: Final = 0.99
"""With such a chance to be first nobody needs to be hindered."""
HINDRANCES: Final = 4
"""So many ends of a turn that are in the way of others are weighed."""
HINDRANCES_IN_A_ROW: Final = 2
"""So often others are hindered without coming nearer to the goal than before: for ever it would help nobody."""


class AutomaticPlayer(Protocol):
    """Chooses what to do in a turn."""

    def turn(self, state: State, source: Source) -> Sequence[AnyStep]:
        """All steps of the active player's turn once the die is rolled, or with its speed, in their order.

        If the turn has begun already these are the rest of it.
        """


class RandomPlayer:
    """Any speed, and then any of the possible steps."""

    def turn(self, state: State, source: Source) -> Sequence[AnyStep]:
        done: list[AnyStep] = []
        turn, player = state.turns, state.active
        while state.phase in {Phase.CHOOSING, Phase.MOVING} and (state.turns, state.active) == (turn, player):
            done.append(self._step(state, source))
            state = after(state, done[-1])
        return done

    def _step(self, state: State, source: Source) -> AnyStep:
        steps: list[AnyStep]
        if state.phase is Phase.CHOOSING:
            steps = [ChooseSpeed(speed) for speed in speeds_allowed(state)]
        else:
            steps = [*legal_motions(state)]
            if state.setup.mode is Mode.DIE:
                steps.append(EndTurn())
        return steps[source.randrange(len(steps))]


class GreedyPlayer:
    """What seems nearest to the colour order after this turn, if nothing were in the way; anything if nothing helps."""

    def turn(self, state: State, source: Source) -> Sequence[AnyStep]:
        ends = list(turns_ends(state))
        nearest = min(ends, key=_Sight(state).seeming)
        return (nearest if nearest.stock != state.stock else _any(ends, source)).steps


class GoodPlayer:
    """Looks for its own way from every end of this turn, and for those of the others; hinders who would be first.

    It keeps to a way that it has found as long as that is free and none is shorter: one player for one game. Where
    another's train stands in its way it goes as far as it can, but out of the way of who has less to go.
    """

    def __init__(self) -> None:
        self._course: tuple[Moment, ...] = ()
        self._least = math.inf
        self._hindered = 0

    def turn(self, state: State, source: Source) -> Sequence[AnyStep]:
        ends = list(turns_ends(state))
        won = [end for end in ends if end.is_won]
        if won:
            return min(won, key=lambda end: len(end.steps)).steps
        sight = _Sight(state)
        chosen = min(self._nearest(sight, ends), key=lambda near: near.to_go)
        if state.setup.players > 1:
            chosen = self._beside_others(sight, ends, chosen, source)
        elif not chosen.way.is_complete and chosen.end.stock == state.stock:
            chosen = chosen.at(_any(ends, source))
        self._course = chosen.way.course if chosen.way.is_complete else ()
        return chosen.end.steps

    def _nearest(self, sight: _Sight, ends: Sequence[TurnsEnd]) -> Iterator[_Near]:
        """The end that is nearest to the goal, and for each other speed the one that is farthest on the same way."""
        nearest = sight.own_way(ends, OWN_STATES, self._kept(sight))
        yield nearest
        if nearest.end.speed is not None and nearest.way.is_complete:
            for speed in {end.speed for end in ends} - {nearest.end.speed}:
                yield from sight.farthest_on([end for end in ends if end.speed == speed], nearest.way.course)

    def _kept(self, sight: _Sight) -> tuple[Moment, ...]:
        """What is left of the course that was found before, if it can still be gone."""
        layout, trains = sight.yard.standing(sight.state.stock)
        for at, (planned, train) in enumerate(self._course):
            if planned.wagons == layout.wagons and train in trains:
                return follow(sight.yard, (layout, train), self._course[at + 1 :]) or ()
        return ()

    def _beside_others(self, sight: _Sight, ends: Sequence[TurnsEnd], nearest: _Near, source: Source) -> _Near:
        ways = sight.others_ways(nearest.end.stock)
        if nearest.to_go < self._least:
            self._least, self._hindered = nearest.to_go, 0
        if self._hindered < HINDRANCES_IN_A_ROW:
            hindering = _hindering(sight, ends, nearest, ways)
            if hindering is not None:
                self._hindered += 1
                return hindering
        if nearest.way.is_found:
            return nearest
        return _beside(sight, ends, nearest, ways, source)


def _hindering(sight: _Sight, ends: Sequence[TurnsEnd], nearest: _Near, ways: Mapping[int, Way]) -> _Near | None:
    """An end that hinders another player, if the chance to be first is higher with it."""
    chance, chosen = sight.chance(nearest, ways), None
    if chance > SURE:
        return None
    for end in _in_the_way(sight, ends, ways):
        near = sight.own_way([end], HINDERING_STATES)
        better = sight.chance(near, sight.others_ways(end.stock))
        if better > chance:
            chosen, chance = near, better
    return chosen


def _beside(sight: _Sight, ends: Sequence[TurnsEnd], nearest: _Near, ways: Mapping[int, Way], source: Source) -> _Near:
    """The nearest, or an end that makes way for who has less to go; and sometimes for anybody, as the others may wait.

    Where the nearest is to stand still that leads nowhere if all do so: chance decides, too.
    """
    own = _needed(nearest.way)
    first = [way for way in ways.values() if not way.is_free and (_needed(way) < own or not source.randrange(3))]
    if first:
        least = min(_entered(sight, end, first) for end in ends)
        giving = [end for end in ends if _entered(sight, end, first) == least]
        return nearest.at(min(giving, key=sight.seeming))
    if nearest.end.stock == sight.state.stock and not (nearest.way.is_complete and source.randrange(2)):
        return nearest.at(_any(ends, source))
    return nearest


def _entered(sight: _Sight, end: TurnsEnd, ways: Sequence[Way]) -> float:
    """How soon others come to dots where the train stands: the less, the later; 0 if they never do."""
    dot = sight.yard.ports.dot
    train = {end.stock.dots[vehicle] for vehicle in end.stock.row_of(sight.state.locomotive)}
    soonest = (
        next((at for at, (_, ports) in enumerate(way.course) if train & {dot[port] for port in ports}), None)
        for way in ways
    )
    return sum(1 / (1 + at) for at in soonest if at is not None)


def _any(ends: Sequence[TurnsEnd], source: Source) -> TurnsEnd:
    """From elsewhere a way may be found, and who stands still may be what is in the way."""
    return ends[source.randrange(len(ends))]


class _Near(NamedTuple):
    """An end of the turn, the way from there on, and how long it takes: in steps, with speed cards in turns."""

    end: TurnsEnd
    way: Way
    to_go: float

    def at(self, end: TurnsEnd) -> _Near:
        """Another end, from which no way was looked for."""
        return self._replace(end=end, way=self.way._replace(course=(), is_complete=False))


class _Sight:
    """What the active player sees before a turn: the yard is the same for all its ends."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.yard = Yard(state.setup, state.stock, state.locomotive, state.order)
        self._farness = Farness(self.yard)

    def own_way(self, ends: Sequence[TurnsEnd], most_states: int, kept: tuple[Moment, ...] = ()) -> _Near:
        """The one of these ends from which the way is shortest; ``kept`` is a way that is known before the turn."""
        led = self._led(ends)
        starts: dict[Layout, list[Train]] = {}
        for layout, train in led:
            starts.setdefault(layout, []).append(train)
        known = next(self.farthest_on(ends, kept), None)
        if known is not None and known.way.is_free:
            most_states = CHECKING_STATES
        way = look_ahead(self.yard, starts, most_states)
        if known is not None and (not way.is_complete or known.way.steps <= way.steps):
            return known
        end = led[way.course[0]]
        return _Near(end, way, _to_go(_needed(way), end.speed))

    def _led(self, ends: Sequence[TurnsEnd]) -> dict[Moment, TurnsEnd]:
        """The ends by what they lead to; of those that lead to the same the first."""
        led: dict[Moment, TurnsEnd] = {}
        for end in ends:
            layout, trains = self.yard.standing(end.stock)
            for train in trains:
                led.setdefault((layout, train), end)
        return led

    def farthest_on(self, ends: Sequence[TurnsEnd], course: Sequence[Moment]) -> Iterator[_Near]:
        """The one of these ends that is farthest on a way to the goal, if any is on it."""
        if not course:
            return
        led = self._led(ends)
        at = max((at for at, moment in enumerate(course) if moment in led), default=None)
        if at is not None:
            left, end = tuple(course[at:]), led[course[at]]
            waiting = waits(self.yard, left)
            steps = len(left) - 1 + WAITING * waiting
            yield _Near(end, Way(left, steps, is_complete=True, is_free=not waiting), _to_go(steps, end.speed))

    def others_ways(self, stock: Stock) -> dict[int, Way]:
        """The other players' ways once everything stands so, in the order of their turns."""
        players = self.state.setup.players
        others = [(self.state.active + number) % players for number in range(1, players)]
        return {player: self._others_way(player, stock) for player in others}

    def _others_way(self, player: int, stock: Stock) -> Way:
        yard = Yard(self.state.setup, stock, self.state.drawn[player], self.state.order)
        layout, trains = yard.standing(stock)
        return look_ahead(yard, {layout: trains}, OTHERS_STATES)

    def chance(self, near: _Near, ways: Mapping[int, Way]) -> float:
        """That of being first; the others come before this player's next turn."""
        speeds = self.state.speeds
        needed = [self._in_rolls(_to_go(_needed(way), speeds[player])) for player, way in ways.items()]
        return chances_to_be_first([*needed, self._in_rolls(near.to_go)])[-1]

    def _in_rolls(self, to_go: float) -> int:
        """In steps of a game with dice: one of them is worth as many on average as a turn of the other is."""
        return round(to_go if self.state.setup.mode is Mode.DIE else to_go * MEAN_OF_A_DIE)

    def seeming(self, end: TurnsEnd) -> tuple[bool, float, int]:
        """How good an end looks at first sight; less is better."""
        layout, trains = self.yard.standing(end.stock)
        far = min(self._farness.of(layout, train) for train in trains)
        return not end.is_won, _to_go(far, end.speed), len(end.steps)


def _in_the_way(sight: _Sight, ends: Sequence[TurnsEnd], ways: Mapping[int, Way]) -> list[TurnsEnd]:
    """Ends with a wagon that another is about to couple, or with something in another's way; the nearest first."""
    state, dot = sight.state, sight.yard.ports.dot
    moments = [moment for way in ways.values() for moment in way.course]
    wanted = {wagon for layout, _ in moments for wagon in layout.wagons}
    dots = {dot[port] for _, train in moments for port in (train[0], train[-1])}

    def hinders(end: TurnsEnd) -> bool:
        moved = {dot for dot, before in zip(end.stock.dots, state.stock.dots, strict=True) if dot != before}
        return bool(wanted & set(end.stock.row_of(state.locomotive)) or dots & moved)

    return sorted(filter(hinders, ends), key=sight.seeming)[:HINDRANCES]


def _needed(way: Way) -> int:
    """Where no way is found it is taken for a long one: how far it seems says little of what is in the way."""
    return way.steps if way.is_complete else way.steps + LONGEST


def _to_go(steps: int, speed: int | None) -> float:
    return float(steps) if speed is None else turns_at_speed(steps, speed)


PLAYERS: Final[dict[str, type[AutomaticPlayer]]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "good": GoodPlayer,
}
"""The automatic players by their names. One plays one game: it may remember what it wanted."""
