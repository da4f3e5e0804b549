"""A game as it is played: steps are checked, done, and taken back. What a step does is the game's own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

State = TypeVar("State")
Step = TypeVar("Step")
_State = TypeVar("_State", contravariant=True)  # noqa: PLC0105 - the same words, for a protocol
_Step = TypeVar("_Step", contravariant=True)  # noqa: PLC0105


class Witness(Protocol[_State, _Step]):
    """Is told of every step before it counts; what it raises keeps the step from being done."""

    def step(self, before: _State, step: _Step, following: _State) -> None:
        """A step that is about to count."""

    def take_back(self, count: int) -> None:
        """Steps that are about to be taken back."""

    def replace(self, count: int, moments: Sequence[tuple[_State, _Step, _State]]) -> None:
        """Steps that are about to be taken back, and others in their place, as for ``step``: all count or none."""


class History(ABC, Generic[State, Step]):
    """A game with all that was done in it. ``state`` is how it stands, ``steps`` how it came to that."""

    def __init__(self, start: State, witness: Witness[State, Step] | None = None) -> None:
        """A game from its set-up."""
        self.witness = witness
        self._states = [start]
        self._steps: list[Step] = []
        self.changes = 0
        """How often it has gone on or back: of two moments with one number only one has been."""

    @abstractmethod
    def after(self, state: State, step: Step) -> State:
        """The state after a step; raises the game's error where the step cannot be done."""

    @abstractmethod
    def _refusal(self, code: str, **details: int) -> ValueError:
        """The game's error for ``nothing-played`` and ``not-so-many-steps``."""

    @property
    def state(self) -> State:
        """The state after the last step."""
        return self._states[-1]

    @property
    def states(self) -> tuple[State, ...]:
        """The state before the first step and after each."""
        return tuple(self._states)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps done and not taken back."""
        return tuple(self._steps)

    def check(self, step: Step) -> None:
        """Raises the game's error if the step cannot be done now."""
        self.after(self.state, step)

    def can(self, step: Step) -> bool:
        """Whether the step can be done now."""
        try:
            self.check(step)
        except ValueError:
            return False
        return True

    def do(self, step: Step) -> State:
        """Does a step and returns the new state; raises the game's error, and then nothing has changed."""
        state = self.after(self.state, step)
        if self.witness:
            self.witness.step(self.state, step, state)
        self._states.append(state)
        self._steps.append(step)
        self.changes += 1
        return state

    def take_back(self, count: int = 1) -> State:
        """Takes back the last steps, also across turns, and returns the state as it was; raises the game's error."""
        if not self._steps:
            raise self._refusal("nothing-played")
        if not 1 <= count <= len(self._steps):
            raise self._refusal("not-so-many-steps", steps=count, played=len(self._steps))
        if self.witness:
            self.witness.take_back(count)
        del self._states[-count:], self._steps[-count:]
        self.changes += 1
        return self.state

    def replace(self, count: int, steps: Sequence[Step]) -> State:
        """Takes back the last steps and does others in their place; raises the game's error: then nothing has changed.

        What is kept of the game has all of them or none, wherever the power is cut.
        """
        if not 1 <= count <= len(self._steps):
            raise self._refusal("not-so-many-steps", steps=count, played=len(self._steps))
        states = [self._states[-1 - count]]
        for step in steps:
            states.append(self.after(states[-1], step))
        if self.witness:
            self.witness.replace(count, list(zip(states, steps, states[1:], strict=False)))
        self._states[-count:], self._steps[-count:] = states[1:], steps
        self.changes += 1
        return self.state
