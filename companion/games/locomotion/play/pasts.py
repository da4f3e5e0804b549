"""How a game may have been played, as far as looking at the table tells.

Whether a train has cleared a turnout and come back to it cannot be seen: a turn counts as short as it can have been.
What was coupled cannot be seen either: what seems nearest to the goal counts, unless people say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from companion.games.locomotion.rules import (
    ChooseSpeed,
    EndTurn,
    Game,
    Motion,
    Phase,
    Roll,
    RuleError,
    Run,
    State,
    after,
)
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.table.search import Hanging, hanging
from companion.games.locomotion.table.seen import Seen
from companion.games.locomotion.table.unseen import alike_ways, any_ways, otherwise_coupled
from companion.games.locomotion.table.ways import Way, ways

_TURNS: Final = 4
"""So many turns of who is to play are thought over again: mostly it shows in the one after, or some later."""
_MOST: Final = 8
"""So many pasts are followed from one turn to the next: seldom are there more than two."""
_MOST_OF_ALL: Final = 32
"""So many where nothing else explains what lies there: that may take some seconds on a small computer."""


class Past(NamedTuple):
    """Steps from a moment of the game on, and how it stands after them."""

    moment: int
    steps: tuple[AnyStep, ...]
    state: State


def other_pasts(game: Game) -> Iterator[Past]:
    """Otherwise are first the last turn of who is to play, then the last two, and so on; all else is as it was.

    Whatever was coupled then is coupled in all of them.
    """
    turns = _turns(game, game.state.active)[-_TURNS:]
    for first in reversed(range(len(turns))):
        begun = turns[first][0]
        pasts = [Past(begun, (), game.states[begun])]
        for number, (_, ended) in enumerate(turns[first:], first + 1):
            then = game.steps[ended : turns[number][0] if number < len(turns) else None]
            pasts = [other for past in pasts for other in played_so(past, game.states[ended].stock, then)][:_MOST]
        yield from (past for past in pasts if past.state.stock != game.state.stock and _is_now(past.state, game.state))


def other_couplings(game: Game) -> Iterator[Past]:
    """Something else was coupled or left first in the last turn of who is to play, then in the one before, and so on.

    After that anything may be otherwise in that player's turns as far as it cannot be seen; all else is as it was.
    """
    turns = _turns(game, game.state.active)[-_TURNS:]
    for first in reversed(range(len(turns))):
        yield from _played(game, turns[first:], otherwise_coupled, _MOST)


def any_pasts(game: Game) -> Iterator[Past]:
    """Anything may have been otherwise in the last turns of who is to play as far as it cannot be seen."""
    turns = _turns(game, game.state.active)[-_TURNS:]
    if turns:
        yield from _played(game, turns, any_ways, _MOST_OF_ALL)


_Turn = tuple[int, int]
"""The moments from which and to which a turn went."""


def _played(
    game: Game, turns: Sequence[_Turn], first: Callable[[State, Stock], Sequence[Way]], most: int
) -> Iterator[Past]:
    """All that these turns may have been if the ``first`` of them was such a one, and what was done until now."""
    begun = turns[0][0]
    pasts = [Past(begun, (), game.states[begun])]
    for number, (_, ended) in enumerate(turns, 1):
        stock, then = game.states[ended].stock, game.steps[ended : turns[number][0] if number < len(turns) else None]
        played = first if number == 1 else any_ways
        pasts = [other for past in pasts for other in _gone_on(past, played(past.state, stock), then)][:most]
    return (past for past in pasts if _is_now(past.state, game.state))


def sooner(game: Game, way: Way, seen: Seen, certain: Collection[int] = ()) -> Past | None:
    """What the turn that goes on begins with on this way, before anything runs, was what the turn before ended with.

    Nobody lets steps lapse, and then does with the next ones what they could have done with these; turns in which
    nothing was moved are passed over. All else is as it was. None where it was not so, cannot have been, or people have
    said themselves what was coupled, as in the turns with these numbers that are ``certain``.
    """
    states, steps = game.states, game.steps
    moving = [(begun, ended) for begun, ended in _turns(game, game.state.active) if isinstance(steps[begun], Motion)]
    at_once = list(takewhile(lambda motion: not isinstance(motion, Run), way.motions))
    if not moving or not at_once or states[moving[-1][0]].turns in certain:
        return None
    begun, ended = moving[-1]
    for other in reversed(list(_gone_further(states[begun : ended + 1], steps[begun:ended], at_once))):
        for past in _gone_on(Past(begun, (), states[begun]), [other], steps[ended:]):
            then = ways(past.state, seen) if _is_now(past.state, game.state) else ()
            if any(_hangs(each.state) == _hangs(way.state) for each in then):
                return past
    return None


def _gone_further(states: Sequence[State], steps: Sequence[AnyStep], changes: Sequence[Motion]) -> Iterator[Way]:
    """A turn with one, two... of these changes at its end, as far as there are steps left; nothing in it is undone."""
    motions = [step for step in steps if isinstance(step, Motion)]
    before = {_hangs(state) for state in states}
    state = states[len(motions)]
    for change in changes:
        motions.append(change)
        try:
            state = after(state, change)
        except RuleError:
            return
        if _hangs(state) not in before:
            yield Way(tuple(motions), state)


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
