"""What an earlier turn must have been, as only the turn that goes on shows.

Whether a train has cleared a turnout and come back to it cannot be seen. A turn counts as short as it can have been; if
what lies there now is only possible after a longer one, that was it. Nobody has to say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.trouble import has_rested
from companion.games.locomotion.rules import ChooseSpeed, EndTurn, Game, Phase, Roll, RuleError, State, after
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.table.seen import Seen
from companion.games.locomotion.table.unseen import alike_ways
from companion.games.locomotion.table.ways import ways
from hardware.buttons import Button

_TURNS: Final = 2
"""So many turns of who is to play are thought over again: a train that has stood still meanwhile lies as it came."""
_MOST: Final = 8
"""So many pasts are followed from one turn to the next: seldom are there more than two."""


class _Past(NamedTuple):
    """Steps from a moment of the game on, and how it stands after them."""

    moment: int
    steps: tuple[AnyStep, ...]
    state: State


class Earlier:
    """Thinks earlier turns over again where nothing leads to what lies there."""

    def __init__(self) -> None:
        self._about: State | None = None
        self._pasts: list[_Past] = []
        self._more: Iterator[_Past] = iter(())
        self._tried: Seen | None = None

    def was_otherwise(self, desk: Desk, seen: Seen) -> bool:
        """Whether earlier turns are now other ones, so that a way leads to what lies there."""
        if not has_rested(desk) and desk.early.button is not Button.ROLL:
            return False
        if self._about is not desk.state:
            self._about, self._pasts, self._more, self._tried = desk.state, [], _other_pasts(desk.game), None
        if seen == self._tried:
            return False
        self._tried = seen
        past = next((past for past in self._all() if ways(past.state, seen)), None)
        if past is None:
            return False
        desk.take_back(len(desk.game.steps) - past.moment)
        for step in past.steps:
            desk.do(step)
        return True

    def _all(self) -> Iterator[_Past]:
        """Those that have been found, and then as many more as are asked for: each takes some time to find."""
        yield from self._pasts
        for past in self._more:
            self._pasts.append(past)
            yield past


def _other_pasts(game: Game) -> Iterator[_Past]:
    """Otherwise are first the last turn of who is to play, then the last two, and so on; all else is as it was."""
    turns = _turns(game)
    for first in reversed(range(len(turns))):
        begun = turns[first][0]
        pasts = [_Past(begun, (), game.states[begun])]
        for number, (_, ended) in enumerate(turns[first:], first + 1):
            then = game.steps[ended : turns[number][0] if number < len(turns) else None]
            pasts = [other for past in pasts for other in _played(past, game.states[ended], then)][:_MOST]
        yield from (past for past in pasts if past.state != game.state and _is_now(past.state, game.state))


def _played(past: _Past, ended: State, then: Sequence[AnyStep]) -> Iterator[_Past]:
    """All that a turn can be after this past, if it ends so, and what was done until the next one."""
    before = past.state
    for way in alike_ways(before, ended.stock):
        is_left = way.state.phase is Phase.MOVING and way.state.turns == before.turns
        steps = (*way.motions, *([EndTurn()] if is_left else []), *then)
        try:
            yield _Past(past.moment, past.steps + steps, _after(before, steps))
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
