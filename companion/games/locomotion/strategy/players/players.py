"""Players that choose by themselves: at random, by what looks nearest now, and one that looks ahead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from companion.dice.box import Source
from companion.games.locomotion.rules import ChooseSpeed, EndTurn, Mode, Phase, State, after, legal_motions
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.rules.turn import speeds_allowed
from companion.games.locomotion.strategy.players.farness import Farness
from companion.games.locomotion.strategy.players.looking_ahead import Moment, Way, follow, look_ahead
from companion.games.locomotion.strategy.players.ports import ports_of
from companion.games.locomotion.strategy.players.race import LONGEST, MEAN_OF_A_DIE, chances_to_be_first, turns_at_speed
from companion.games.locomotion.strategy.players.turns import TurnsEnd, turns_ends
from companion.games.locomotion.strategy.players.yard import Layout, Train, Yard

OWN_STATES: Final = 12_000
"""So many are looked through for the own way in a turn."""
HINDERING_STATES: Final = 1500
"""For the own way from an end that hinders others."""
OTHERS_STATES: Final = 500
"""For each way of another player."""
SURE: Final = 0.99
"""With such a chance to be first nobody needs to be hindered."""
HINDRANCES: Final = 4
"""So many ends of a turn that are in the way of others are weighed."""


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
        nearest = min(ends, key=lambda end: _seeming(state, end))
        return (nearest if nearest.stock != state.stock else _any(ends, source)).steps


class GoodPlayer:
    """Looks for its own way from every end of this turn, and for those of the others; hinders who would be first.

    It keeps to a way that it has found as long as that is free and none is shorter: one player for one game.
    """

    def __init__(self) -> None:
        self._course: tuple[Moment, ...] = ()

    def turn(self, state: State, source: Source) -> Sequence[AnyStep]:
        ends = list(turns_ends(state))
        won = [end for end in ends if end.is_won]
        if won:
            return min(won, key=lambda end: len(end.steps)).steps
        chosen = min(self._nearest(state, ends), key=lambda near: near.to_go)
        if state.setup.players > 1:
            chosen = self._weighed(state, ends, chosen)
        if not chosen.way.is_found and chosen.end.stock == state.stock:
            self._course = ()
            return _any(ends, source).steps
        self._course = chosen.way.course if chosen.way.is_found else ()
        return chosen.end.steps

    def _nearest(self, state: State, ends: Sequence[TurnsEnd]) -> Iterator[_Near]:
        """The end that is nearest to the goal, and for each other speed the one that is farthest on the same way."""
        nearest = _own_way(state, ends, OWN_STATES, self._kept(state))
        yield nearest
        if nearest.end.speed is not None and nearest.way.is_found:
            for speed in {end.speed for end in ends} - {nearest.end.speed}:
                yield from _farthest_on(state, [end for end in ends if end.speed == speed], nearest.way.course)

    def _kept(self, state: State) -> tuple[Moment, ...]:
        """What is left of the course that was found before, if it can still be gone."""
        yard = Yard(state.setup, state.stock, state.locomotive, state.order)
        layout, trains = yard.standing(state.stock)
        for at, (planned, train) in enumerate(self._course):
            if planned.wagons == layout.wagons and train in trains:
                return follow(yard, (layout, train), self._course[at + 1 :]) or ()
        return ()

    def _weighed(self, state: State, ends: Sequence[TurnsEnd], nearest: _Near) -> _Near:
        """The nearest, or one that hinders another player if the chance to be first is higher with it."""
        others = [(state.active + number) % state.setup.players for number in range(1, state.setup.players)]
        ways = {player: _others_way(state, player, nearest.end.stock) for player in others}
        chosen, chance = nearest, _chance(state, nearest, ways)
        if chance > SURE:
            return nearest
        for end in _hindering(state, ends, ways):
            near = _own_way(state, [end], HINDERING_STATES)
            better = _chance(state, near, {player: _others_way(state, player, end.stock) for player in others})
            if better > chance:
                chosen, chance = near, better
        return chosen


def _any(ends: Sequence[TurnsEnd], source: Source) -> TurnsEnd:
    """From elsewhere a way may be found, and who stands still may be what is in the way."""
    return ends[source.randrange(len(ends))]


class _Near(NamedTuple):
    """An end of the turn, the way from there on, and how long it takes: in steps, with speed cards in turns."""

    end: TurnsEnd
    way: Way
    to_go: float


def _own_way(state: State, ends: Sequence[TurnsEnd], most_states: int, kept: tuple[Moment, ...] = ()) -> _Near:
    """The one of these ends from which the way is shortest; ``kept`` is a way that is known from before the turn."""
    yard = Yard(state.setup, state.stock, state.locomotive, state.order)
    led = _led(yard, ends)
    starts: dict[Layout, list[Train]] = {}
    for layout, train in led:
        starts.setdefault(layout, []).append(train)
    way = look_ahead(yard, starts, most_states)
    for known in _farthest_on(state, ends, kept):
        if not way.is_found or known.way.steps <= way.steps:
            return known
    end = led[way.course[0]]
    return _Near(end, way, _to_go(_needed(way), end.speed))


def _led(yard: Yard, ends: Sequence[TurnsEnd]) -> dict[Moment, TurnsEnd]:
    """The ends by what they lead to; of those that lead to the same the first."""
    led: dict[Moment, TurnsEnd] = {}
    for end in ends:
        layout, trains = yard.standing(end.stock)
        for train in trains:
            led.setdefault((layout, train), end)
    return led


def _farthest_on(state: State, ends: Sequence[TurnsEnd], course: Sequence[Moment]) -> Iterator[_Near]:
    """The one of these ends that is farthest on a way to the goal, if any is on it."""
    led = _led(Yard(state.setup, state.stock, state.locomotive, state.order), ends)
    at = max((at for at, moment in enumerate(course) if moment in led), default=None)
    if at is not None:
        left, end = len(course) - 1 - at, led[course[at]]
        yield _Near(end, Way(tuple(course[at:]), left, is_found=True), _to_go(left, end.speed))


def _others_way(state: State, player: int, stock: Stock) -> Way:
    yard = Yard(state.setup, stock, state.drawn[player], state.order)
    layout, trains = yard.standing(stock)
    return look_ahead(yard, {layout: trains}, OTHERS_STATES)


def _hindering(state: State, ends: Sequence[TurnsEnd], ways: Mapping[int, Way]) -> list[TurnsEnd]:
    """Ends with a wagon that another is about to couple, or with something in another's way; the nearest first."""
    moments = [moment for way in ways.values() for moment in way.course]
    wanted = {wagon for layout, _ in moments for wagon in layout.wagons}
    dots = {ports_of(state.setup.network).dot[port] for _, train in moments for port in (train[0], train[-1])}

    def hinders(end: TurnsEnd) -> bool:
        moved = {dot for dot, before in zip(end.stock.dots, state.stock.dots, strict=True) if dot != before}
        return bool(wanted & set(end.stock.row_of(state.locomotive)) or dots & moved)

    hindering = sorted((end for end in ends if hinders(end)), key=lambda end: _seeming(state, end))
    return hindering[:HINDRANCES]


def _chance(state: State, near: _Near, ways: Mapping[int, Way]) -> float:
    """That of being first; the others come before this player's next turn."""
    needed = [_in_rolls(_to_go(_needed(way), state.speeds[player]), state) for player, way in ways.items()]
    return chances_to_be_first([*needed, _in_rolls(near.to_go, state)])[-1]


def _seeming(state: State, end: TurnsEnd) -> tuple[bool, float, int]:
    """How good an end looks at first sight; less is better."""
    yard = Yard(state.setup, end.stock, state.locomotive, state.order)
    layout, trains = yard.standing(end.stock)
    far = min(Farness(yard).of(layout, train) for train in trains)
    return not end.is_won, _to_go(far, end.speed), len(end.steps)


def _needed(way: Way) -> int:
    """Where no way is found it is taken for a long one: how far it seems says little of what is in the way."""
    return way.steps if way.is_found else way.steps + LONGEST


def _to_go(steps: int, speed: int | None) -> float:
    return float(steps) if speed is None else turns_at_speed(steps, speed)


def _in_rolls(to_go: float, state: State) -> int:
    """In steps of a game with dice: one of them is worth as many on average as a turn of the other is."""
    return round(to_go if state.setup.mode is Mode.DIE else to_go * MEAN_OF_A_DIE)


PLAYERS: Final[dict[str, type[AutomaticPlayer]]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "good": GoodPlayer,
}
"""The automatic players by their names. One plays one game: it may remember what it wanted."""
