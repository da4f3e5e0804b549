"""A game as it is played: steps are checked, done, and taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from typing import Any, Final

from companion.games.history import History
from companion.games.locomotion.rules import motions, turn
from companion.games.locomotion.rules.errors import Impossible, NotNow, RuleError
from companion.games.locomotion.rules.state import SIDES_OF_A_DIE, Mode, Phase, State
from companion.games.locomotion.rules.steps import (
    AnyStep,
    ChooseSpeed,
    Couple,
    DrawLots,
    EndTurn,
    Motion,
    Roll,
    RollOff,
    Run,
    Uncouple,
)
from companion.games.step import Step, step_name

_ALLOWED: Final[dict[Phase, tuple[type[Step], ...]]] = {
    Phase.DRAWING_LOTS: (DrawLots,),
    Phase.ROLLING_OFF: (RollOff,),
    Phase.ROLLING: (Roll,),
    Phase.CHOOSING: (ChooseSpeed,),
    Phase.MOVING: (Run, Couple, Uncouple, EndTurn),
    Phase.OVER: (),
}

# The clause that is broken by a step at the wrong moment.
_CLAUSE: Final[dict[type[Step], str]] = {
    DrawLots: "LSET5",
    RollOff: "LDIE1",
    Roll: "LDIE2",
    ChooseSpeed: "LSPD2",
    Run: "LDIE2",
    Couple: "LDIE2",
    Uncouple: "LDIE2",
    EndTurn: "LDIE2",
}

# Each takes its own kind of step.
_DO: Final[dict[type[Step], Callable[[State, Any], State]]] = {
    DrawLots: turn.draw_lots,
    RollOff: turn.roll_off,
    Roll: turn.roll,
    ChooseSpeed: turn.choose_speed,
    Run: turn.move,
    Couple: turn.move,
    Uncouple: turn.move,
    EndTurn: turn.end_turn,
}


_DIE: Final = range(1, SIDES_OF_A_DIE + 1)


def allowed_steps(state: State) -> tuple[type[Step], ...]:
    """The kinds of step that the game waits for."""
    kinds = _ALLOWED[state.phase]
    return kinds[:-1] if state.phase is Phase.MOVING and state.setup.mode is Mode.SPEED else kinds


def after(state: State, step: AnyStep) -> State:
    """The state after a step; raises RuleError with the clause that speaks against it."""
    if state.phase is Phase.OVER:
        raise NotNow("LWIN1", "game-over")
    kind = type(step)
    if kind not in _ALLOWED[state.phase]:
        allowed = [step_name(other) for other in allowed_steps(state)]
        clause = "LSPD3" if state.setup.mode is Mode.SPEED and kind in _ALLOWED[Phase.MOVING] else _CLAUSE[kind]
        raise NotNow(clause, "not-now", step=step.name, allowed=allowed)
    return _DO[kind](state, step)


def legal_motions(state: State) -> Iterator[Motion]:
    """Everything that the active train may do next; none where the game waits for something else."""
    if state.phase is not Phase.MOVING:
        return
    here = motions.position(state)
    for motion, following in motions.motions(here):
        if turn.uses_speed(state, here, following):
            yield motion


def legal_turns(state: State) -> Iterator[tuple[Motion, ...]]:
    """Every way to use a speed that was chosen, to the end of the turn (LSPD3, LSPD4)."""
    player, number = state.active, state.turns
    waiting: list[tuple[State, tuple[Motion, ...]]] = [(state, ())]
    while waiting:
        here, done = waiting.pop()
        if here.phase is not Phase.MOVING or (here.active, here.turns) != (player, number):
            yield done
            continue
        waiting += [(after(here, motion), (*done, motion)) for motion in legal_motions(here)]


def legal_steps(state: State) -> Iterator[AnyStep]:
    """All steps that can be done now, with every roll and every lot that may fall."""
    if state.phase is Phase.DRAWING_LOTS:
        yield from _lots(state)
    elif state.phase is Phase.ROLLING_OFF:
        yield from (RollOff(rolls) for rolls in product(_DIE, repeat=len(state.contenders)))
    elif state.phase is Phase.ROLLING:
        yield from map(Roll, _DIE)
    elif state.phase is Phase.CHOOSING:
        yield from map(ChooseSpeed, turn.speeds_allowed(state))
    elif state.phase is Phase.MOVING:
        yield from legal_motions(state)
        if state.setup.mode is Mode.DIE:
            yield EndTurn()


def _lots(state: State) -> Iterator[DrawLots]:
    numbers = range(1, state.setup.players + 1), range(1, state.setup.wagon_colours + 1)
    for locomotives, order in product(*map(permutations, numbers)):
        yield DrawLots(locomotives, order)


class Game(History[State, AnyStep]):
    """A game from its set-up, as ``set_up`` returns it; what cannot be done raises RuleError."""

    def after(self, state: State, step: AnyStep) -> State:
        return after(state, step)

    def _refusal(self, code: str, **details: int) -> RuleError:
        return Impossible("LSET4", code, **details)
