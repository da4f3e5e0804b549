"""How a game may have been played, as far as looking at the table tells.

Whether a train has cleared a turnout and come back to it cannot be seen: a turn counts as short as it can have been.
What was coupled cannot be seen either: what seems nearest to the goal counts, unless people say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from companion.games.locomotion.rules import ChooseSpeed, EndTurn, Game, Phase, Roll, RuleError, State, after
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.table.unseen import alike_ways, otherwise_coupled
from companion.games.locomotion.table.ways import Way

_TURNS: Final = 2
"""So many turns of who is to play are thought over again: a train that has stood still meanwhile lies as it came."""
_MOST: Final = 8
"""So many pasts are followed from one turn to the next: seldom are there more than two."""


class Past(NamedTuple):
    """Steps from a moment of the game on, and how it stands after them."""

    moment: int
    steps: tuple[AnyStep, ...]
    state: State


def other_pasts(game: Game) -> Iterator[Past]:
    """Otherwise are first the last turn of who is to play, then the last two, and so on; all else is as it was.

    Whatever was coupled then is coupled in all of them.
    """
    turns = _turns(game)
    for first in reversed(range(len(turns))):
        begun = turns[first][0]
        pasts = [Past(begun, (), game.states[begun])]
        for number, (_, ended) in enumerate(turns[first:], first + 1):
            then = game.steps[ended : turns[number][0] if number < len(turns) else None]
            pasts = [other for past in pasts for other in played_so(past, game.states[ended].stock, then)][:_MOST]
        yield from (past for past in pasts if past.state.stock != game.state.stock and _is_now(past.state, game.state))


def other_couplings(game: Game) -> Iterator[Past]:
    """Something else was coupled or left in the last turn of who is to play; all else is as it was."""
    for begun, ended in _turns(game)[-1:]:
        past = Past(begun, (), game.states[begun])
        found = otherwise_coupled(past.state, game.states[ended].stock)
        yield from (other for other in _gone_on(past, found, game.steps[ended:]) if _is_now(other.state, game.state))


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


def _turns(game: Game) -> Sequence[tuple[int, int]]:
    """The last turns of who is to play, but this one: the moments from which and to which they went."""
    states, turns = game.states, []
    for moment, step in enumerate(game.steps, 1):
        state = states[moment]
        is_own = state.active == game.state.active and state.turns < game.state.turns
        if isinstance(step, Roll | ChooseSpeed) and is_own and state.phase is Phase.MOVING:
            turns.append((moment, next(at for at in range(moment, len(states)) if states[at].turns != state.turns)))
    return turns[-_TURNS:]


def _after(state: State, steps: Sequence[AnyStep]) -> State:
    for step in steps:
        state = after(state, step)
    return state
