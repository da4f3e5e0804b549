"""What people know of a game and no camera sees: what they have really coupled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.locomotion.rules import EndTurn, Game, Motion, Phase, RuleError, State, after
from companion.games.locomotion.rules.steps import AnyStep

_Turn = tuple[int, int]
"""The steps of a record that move a train in a turn: from which, and up to which."""


class Played:
    """The turns of people as they were played. Everything else was as the record has it."""

    def __init__(self) -> None:
        self._turns: dict[int, Sequence[AnyStep]] = {}

    def plays(self, turn: int, steps: Sequence[AnyStep]) -> None:
        """So the turn of this number is played."""
        self._turns[turn] = [step for step in steps if isinstance(step, Motion)]

    def state(self, game: Game) -> State:
        """How it really stands where the record of a game ends; raises RuleError where the record contradicts that."""
        *_, (_, state) = self._told(game)
        return state

    def wrong(self, game: Game) -> Sequence[int]:
        """The numbers of the turns after which the record of a game has another train than who played it really had.

        Where the record contradicts what was played only those before that.
        """
        wrong: list[int] = []
        try:
            for moment, real in self._told(game):
                before, recorded = game.states[max(0, moment - 1)], game.states[moment]
                if _is_over(recorded, before.turns) and before.phase is Phase.MOVING:
                    locomotive = before.locomotive
                    if recorded.stock.row_of(locomotive) != real.stock.row_of(locomotive):
                        wrong.append(before.turns)
        except RuleError:
            pass
        return wrong

    def _told(self, game: Game) -> Iterator[tuple[int, State]]:
        """How it really stood at moments of the record, the last of them now."""
        steps, states = game.steps, game.states
        moment, real = 0, states[0]
        yield moment, real
        while moment < len(steps):
            before = states[moment]
            ends = self._end(game, moment)
            if ends is None:
                real, moment = after(_ended(real, before), steps[moment]), moment + 1
            else:
                if real.turns == before.turns:  # else nobody could move
                    for step in self._turns[before.turns]:
                        real = after(real, step)
                real, moment = _ended(real, states[ends]), ends
            yield moment, real

    def _end(self, game: Game, moment: int) -> int | None:
        """Where in the record a turn ends that begins to move here; None where nothing is known of it."""
        before = game.states[moment]
        if before.phase is not Phase.MOVING or before.turns not in self._turns:
            return None
        later = range(moment, len(game.states))
        return next((at for at in later if _is_over(game.states[at], before.turns)), None)


def _is_over(state: State, turn: int) -> bool:
    return state.turns != turn or state.phase is Phase.OVER


def _ended(real: State, recorded: State) -> State:
    """What is left of a turn lapses, if it is over in the record."""
    is_left = real.phase is Phase.MOVING and _is_over(recorded, real.turns)
    return after(real, EndTurn()) if is_left else real
