"""Everything that a turn can lead to, by the rules: each end once, with the steps that lead there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.games.locomotion.rules import ChooseSpeed, EndTurn, Motion, State
from companion.games.locomotion.rules.motions import Position, motions, position
from companion.games.locomotion.rules.state import Mode, Phase, Stock
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.rules.turn import speeds_allowed


class TurnsEnd(NamedTuple):
    """What stands where after a turn, and how it came to that; ``speed`` is the player's card then (LSPD2)."""

    steps: tuple[AnyStep, ...]
    stock: Stock
    is_won: bool
    speed: int | None


class _Reached(NamedTuple):
    position: Position
    before: _Reached | None
    motion: Motion | None

    def motions(self) -> tuple[Motion, ...]:
        done: list[Motion] = []
        here = self
        while here.before is not None and here.motion is not None:
            done.append(here.motion)
            here = here.before
        return tuple(done[::-1])


def turns_ends(state: State) -> Iterator[TurnsEnd]:
    """The ends of a turn whose die is rolled, or whose speed is to be chosen; where the turn has begun, of its rest.

    A win comes with as few steps as it can.
    """
    if state.phase is Phase.CHOOSING:
        here = position(state)
        speeds = speeds_allowed(state)
        layers = _layers(here, speeds[-1])
        for speed in speeds:
            yield from _at_full_speed(layers[: speed + 1], speed, (ChooseSpeed(speed),))
    elif state.setup.mode is Mode.SPEED:
        runs = _at_full_speed(_layers(position(state), state.left), state.left, (), state.speeds[state.active])
        yield from (end for end in runs if end.is_won or not state.must_win)
    else:
        for layer in _layers(position(state), state.left):
            for reached in layer:
                done = reached.motions()
                ends = () if reached.position.is_won or len(done) == state.left else (EndTurn(),)
                yield TurnsEnd((*done, *ends), reached.position.stock, reached.position.is_won, None)


def _at_full_speed(
    layers: list[list[_Reached]], steps: int, before: tuple[AnyStep, ...], speed: int | None = None
) -> Iterator[TurnsEnd]:
    """The ends of runs of so many steps, or of the longest, after which the train has braked (LSPD3, LSPD4)."""
    kept = steps if speed is None else speed
    for layer in layers[:-1]:
        won = (reached for reached in layer if reached.position.is_won)
        yield from (TurnsEnd((*before, *end.motions()), end.position.stock, True, kept) for end in won)  # noqa: FBT003
    kept = kept if len(layers) > steps else 0
    for end in layers[-1]:
        yield TurnsEnd((*before, *end.motions()), end.position.stock, end.position.is_won, kept)


def _layers(start: Position, most: int) -> list[list[_Reached]]:
    """What can be reached with exactly 0, 1, 2... steps, nothing beyond a win; layers that are empty are left out.

    What comes again after an even number of steps counts again: a speed may be used to and fro.
    """
    layers = [[_Reached(start, None, None)]]
    for _ in range(most):
        following: dict[tuple[Stock, int | None], _Reached] = {}
        for here in layers[-1]:
            if here.position.is_won:
                continue
            for motion, after in motions(here.position):
                following.setdefault((after.stock, after.entered), _Reached(after, here, motion))
        if not following:
            break
        layers.append(list(following.values()))
    return layers
