"""How a game may have been played, as far as looking at the table tells.

Whether a train has cleared a turnout and come back to it cannot be seen: a turn counts as short as it can have been.
What was coupled cannot be seen either: what seems nearest to the goal counts, unless people say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

from companion.games.locomotion.rules import (
    ChooseSpeed,
    Couple,
    EndTurn,
    Game,
    Phase,
    Roll,
    RuleError,
    State,
    Uncouple,
    after,
)
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.table.search import Hanging, hanging
from companion.games.locomotion.table.seen import kinds_in, standing_so
from companion.games.locomotion.table.unseen import alike_ways, any_ways, otherwise_coupled
from companion.games.locomotion.table.ways import Way, ways
from companion.games.locomotion.wording import Kind

_TURNS: Final = 4
"""So many turns of who is to play are thought over again: mostly it shows in the one after, or some later."""
_MOST: Final = 8
"""So many pasts are followed from one turn to the next: seldom are there more than two."""
_MOST_OF_ALL: Final = 32
"""So many where nothing else explains what lies there."""


class Past(NamedTuple):
    """Steps from a moment of the game on, and how it stands after them.

    ``contradicts``: whether people have said that it was not so.
    """

    moment: int
    steps: tuple[AnyStep, ...]
    state: State
    contradicts: bool = False


def other_pasts(game: Game) -> Iterator[Past]:
    """Otherwise are first the last turn of who is to play, then the last two, and so on; all else is as it was.

    Whatever was coupled then is coupled in all of them.
    """
    return filter(None, _other_lies(game))


def all_pasts(game: Game, certain: Collection[int] = ()) -> Iterator[Past | None]:
    """Whatever may have been otherwise in the last turns of who is to play as far as it cannot be seen.

    First those of ``other_pasts``. Then something else was coupled or left, in the last of these turns first; after it
    anything may be otherwise. Then it may be from the beginning on. What people have seen on the screen, and not
    objected to, is believed the longest. What they have said themselves, in the turns with the numbers ``certain``, is
    believed even longer: first that they had this train then, after that what they coupled and left; at last they have
    erred. Finding them takes time: after a part of it that finds none there is a None.
    """
    yield from _other_lies(game)
    turns = _turns(game, game.state.active)[-_TURNS:]
    said = [turn for turn in turns if game.states[turn[0]].turns in certain]
    yield from _otherwise_played(game, turns, dict.fromkeys(said, _with_same_train))
    if said:
        changed = {(begun, ended): _changes(game.steps[begun:ended]) for begun, ended in said}
        yield from _otherwise_played(game, turns, {turn: partial(_so_changed, changed[turn]) for turn in said})
        for past in _otherwise_played(game, turns, {}):
            yield None if past is None else past._replace(contradicts=True)


def _otherwise_played(game: Game, turns: Sequence[_Turn], said: Mapping[_Turn, _Played]) -> Iterator[Past | None]:
    for first in reversed(range(len(turns))):
        yield from _played(game, turns[first:], otherwise_coupled, any_ways, _MOST, said=said)
    if turns:
        yield from _played(game, turns, any_ways, any_ways, _MOST_OF_ALL, said=said)


def _other_lies(game: Game) -> Iterator[Past | None]:
    turns = _turns(game, game.state.active)[-_TURNS:]
    for first in reversed(range(len(turns))):
        for past in _played(game, turns[first:], alike_ways, alike_ways, _MOST):
            if past is None or past.state.stock != game.state.stock:
                yield past


_Turn = tuple[int, int]
"""The moments from which and to which a turn went."""
_Played = Callable[[State, Stock], Sequence[Way]]
"""All that a turn may have been, from its beginning to what stood there after it."""


def _played(
    game: Game,
    turns: Sequence[_Turn],
    first: _Played,
    others: _Played,
    most: int,
    *,
    said: Mapping[_Turn, _Played] = MappingProxyType({}),
) -> Iterator[Past | None]:
    """All that these turns may have been, and what was done until now; None after each search.

    In ``said`` is what those may have been of which people have said how it was.
    """
    begun = turns[0][0]
    pasts, played = [Past(begun, (), game.states[begun])], first
    for number, turn in enumerate(turns, 1):
        ended = turn[1]
        stock, then = game.states[ended].stock, game.steps[ended : turns[number][0] if number < len(turns) else None]
        following: list[Past] = []
        for past in pasts:
            following += _gone_on(past, said.get(turn, played)(past.state, stock), then)
            yield None
        pasts, played = following[:most], others
    yield from (past for past in pasts if _is_now(past.state, game.state))


def _with_same_train(before: State, ended: Stock) -> Sequence[Way]:
    train = _train(before, ended)
    return [way for way in any_ways(before, ended) if _train(before, way.state.stock) == train]


def _train(state: State, stock: Stock) -> Sequence[tuple[int, Kind]]:
    """The active train as it is seen: wagons of one colour are all the same."""
    kinds = kinds_in(state.setup)
    return [(stock.dots[vehicle], kinds[vehicle]) for vehicle in stock.row_of(state.locomotive)]


def _so_changed(changes: Sequence[AnyStep], before: State, ended: Stock) -> Sequence[Way]:
    return [way for way in any_ways(before, ended) if _changes(way.motions) == changes]


def _changes(steps: Sequence[AnyStep]) -> Sequence[AnyStep]:
    return [step for step in steps if isinstance(step, Couple | Uncouple)]


def told_by_record(game: Game) -> Collection[int]:
    """The numbers of the last turns of everybody that are recorded otherwise than what they led to is taken for.

    So it was said by people, or has shown since.
    """
    states = game.states
    last = [turn for player in range(game.state.setup.players) for turn in _turns(game, player)[-_TURNS:]]
    return {states[begun].turns for begun, ended in last if _is_told(states[begun], states[ended])}


def _is_told(before: State, ended: State) -> bool:
    taken_for = ways(before, standing_so(before.setup, ended.stock))
    return bool(taken_for) and _hangs(taken_for[0].state) != _hangs(ended)


def _hangs(state: State) -> Hanging:
    return hanging(state.setup, state.stock)


def played_so(past: Past, ended: Stock, then: Sequence[AnyStep]) -> Iterator[Past]:
    """All that a turn can be after this past, if it ends so, and what was done until the next one."""
    return _gone_on(past, alike_ways(past.state, ended), then)


def _gone_on(past: Past, ways: Sequence[Way], then: Sequence[AnyStep]) -> Iterator[Past]:
    before = past.state
    for way in ways:
        is_left = way.state.phase is Phase.MOVING and way.state.turns == before.turns
        steps = (*way.motions, *([EndTurn()] if is_left else []), *then)
        try:
            yield Past(past.moment, past.steps + steps, _after(before, steps))
        except RuleError:
            continue


def _is_now(state: State, now: State) -> bool:
    return (state.active, state.phase, state.left) == (now.active, now.phase, now.left)


def _turns(game: Game, player: int) -> Sequence[_Turn]:
    """The turns of a player that have ended: the moments from which and to which they went."""
    states, turns = game.states, []
    for moment, step in enumerate(game.steps, 1):
        state = states[moment]
        if isinstance(step, Roll | ChooseSpeed) and state.active == player and state.phase is Phase.MOVING:
            turns.append((moment, _end(states, moment)))
    return [(begun, ended) for begun, ended in turns if ended is not None]


def _end(states: Sequence[State], begun: int) -> int | None:
    """The moment at which a turn was over that had begun; None if it goes on."""
    later = range(begun, len(states))
    return next((at for at in later if states[at].turns != states[begun].turns or states[at].winner is not None), None)


def _after(state: State, steps: Sequence[AnyStep]) -> State:
    for step in steps:
        state = after(state, step)
    return state
