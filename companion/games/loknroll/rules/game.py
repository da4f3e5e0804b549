"""A game as it is played: steps are checked, done, and taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

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
    step_name,
)

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


class Witness(Protocol):
    """Is told of every step before it counts; what it raises keeps the step from being done."""

    def step(self, before: State, step: AnyStep, following: State) -> None:
        """A step that is about to count."""

    def take_back(self, count: int) -> None:
        """Steps that are about to be taken back."""


class Game:
    """A game with its history. ``state`` is how it stands, ``steps`` how it came to that."""

    def __init__(self, start: State, witness: Witness | None = None) -> None:
        """A game from its set-up, as ``set_up`` returns it."""
        self.witness = witness
        self._states = [start]
        self._steps: list[AnyStep] = []
        self.changes = 0
        """How often it has gone on or back: of two moments with one number only one has been."""

    @property
    def state(self) -> State:
        """The state after the last step."""
        return self._states[-1]

    @property
    def states(self) -> tuple[State, ...]:
        """The state before the first step and after each."""
        return tuple(self._states)

    @property
    def steps(self) -> tuple[AnyStep, ...]:
        """The steps done and not taken back."""
        return tuple(self._steps)

    def check(self, step: AnyStep) -> None:
        """Raises RuleError if the step cannot be done now."""
        after(self.state, step)

    def can(self, step: AnyStep) -> bool:
        """Whether the step can be done now."""
        try:
            self.check(step)
        except RuleError:
            return False
        return True

    def do(self, step: AnyStep) -> State:
        """Does a step and returns the new state; raises RuleError, and then nothing has changed."""
        state = after(self.state, step)
        if self.witness:
            self.witness.step(self.state, step, state)
        self._states.append(state)
        self._steps.append(step)
        self.changes += 1
        return state

    def take_back(self, count: int = 1) -> State:
        """Takes back the last steps, also across turns, and returns the state as it was; raises RuleError."""
        if not self._steps:
            raise Impossible("SET1", "nothing-played")
        if not 1 <= count <= len(self._steps):
            raise Impossible("SET1", "not-so-many-steps", steps=count, played=len(self._steps))
        if self.witness:
            self.witness.take_back(count)
        del self._states[-count:], self._steps[-count:]
        self.changes += 1
        return self.state
