"""A game as it is played: steps are checked, done, and taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.games.history import History
from companion.games.loknroll.rules import setting_up, turn
from companion.games.loknroll.rules.errors import Impossible, NotNow, RuleError
from companion.games.loknroll.rules.state import Phase, State
from companion.games.loknroll.rules.steps import (
    AnyStep,
    Begin,
    Discard,
    Draw,
    EndTurn,
    Lay,
    LayOpen,
    Pass,
    Put,
    Roll,
    SetAside,
    StartCard,
)
from companion.games.step import step_name

ALLOWED: Final[dict[Phase, tuple[type[AnyStep], ...]]] = {
    Phase.SETTING_UP: (StartCard, SetAside, Begin),
    Phase.DRAWING: (Draw,),
    Phase.ACTING: (Lay, Pass, Discard),
    Phase.BUILDING: (Lay, Roll),
    Phase.DISCARDING: (Discard, EndTurn),
    Phase.PUTTING: (Put,),
    Phase.LAYING_OPEN: (LayOpen,),
    Phase.OVER: (),
}

# The clause that is broken by a step at the wrong moment.
_CLAUSE: Final[dict[type[AnyStep], str]] = {
    StartCard: "SET2",
    SetAside: "SET3",
    Begin: "SET2",
    Draw: "TURN1",
    Lay: "TURN2",
    Roll: "ROLL1",
    Pass: "TURN2",
    Put: "PEN3",
    Discard: "TURN2",
    EndTurn: "TURN2",
    LayOpen: "END2",
}

# Each takes its own kind of step.
_DO: Final[dict[type[AnyStep], Callable[[State, Any], State]]] = {
    StartCard: setting_up.lay_start_card,
    SetAside: setting_up.set_aside,
    Begin: setting_up.begin,
    Draw: turn.draw,
    Lay: turn.lay,
    Roll: turn.roll,
    Pass: turn.pass_turn,
    Put: turn.put,
    Discard: turn.discard,
    EndTurn: turn.finish_discarding,
    LayOpen: turn.lay_open,
}


def allowed_steps(state: State) -> tuple[type[AnyStep], ...]:
    """The kinds of step that the game waits for."""
    kinds = ALLOWED[state.phase]
    if state.phase is Phase.SETTING_UP:
        return (Begin,) if setting_up.railway_is_ready(state) else (StartCard, SetAside)
    if state.phase is Phase.ACTING and state.is_automatons_turn:
        return (Lay, Pass)
    return kinds


def after(state: State, step: AnyStep) -> State:
    """The state after a step; raises RuleError with the clause that speaks against it."""
    kind = type(step)
    if kind not in allowed_steps(state):
        if state.is_lost:  # cards may be left to draw
            raise NotNow("SOLO2", "game-lost")
        if kind is Draw and state.phase in {Phase.LAYING_OPEN, Phase.OVER}:
            raise Impossible("END1", "pile-empty")
        allowed = [step_name(other) for other in allowed_steps(state)]
        if not allowed:
            raise NotNow("END1", "game-over")
        raise NotNow(_CLAUSE[kind], "not-now", step=step.name, allowed=allowed)
    return _DO[kind](state, step)


class Game(History[State, AnyStep]):
    """A game from its set-up, as ``set_up`` returns it; what cannot be done raises RuleError."""

    def after(self, state: State, step: AnyStep) -> State:
        return after(state, step)

    def _refusal(self, code: str, **details: int) -> RuleError:
        return Impossible("SET1", code, **details)
