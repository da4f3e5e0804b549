"""A plan of steps carried out in turns with speed cards, as few as can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from companion.games.locomotion.rules.errors import RuleError
from companion.games.locomotion.rules.motions import Position, moved, position
from companion.games.locomotion.rules.state import FASTEST, State
from companion.games.locomotion.rules.steps import Motion


class Turn(msgspec.Struct, frozen=True):
    """A turn of a plan. A full brake ends it if it neither wins nor has as many steps as its speed says."""

    speed: int
    steps: tuple[Motion, ...]


def cut(start: State, plan: Sequence[Motion]) -> tuple[Turn, ...]:
    """The same steps in as few turns as can be, each with its speed used in full (LSPD1 to LSPD3, LWIN1).

    A train that may change its direction within a turn keeps the highest speed: n steps take n / 6 turns, rounded up.
    Fewer are never enough for n steps. Else the plan can always be carried out with speed 1.
    """
    runs = list(_longest_runs(start, plan))
    came: dict[tuple[int, int | None], tuple[int, int | None]] = {}
    layer: list[tuple[int, int | None]] = [(0, None)]
    while True:
        following = []
        for here in layer:
            for there in _turns(here, runs):
                if there not in came:
                    came[there] = here
                    following.append(there)
                if there[0] == len(plan):
                    return tuple(_turns_to(there, came, plan))
        layer = following


def _longest_runs(start: State, plan: Sequence[Motion]) -> Iterator[int]:
    """How many of the steps that follow each one, itself too, a single turn can have."""
    here = position(start)
    for number, motion in enumerate(plan):
        yield _longest_run(here, plan[number : number + FASTEST])
        here = replace(moved(here, motion), entered=None)


def _longest_run(here: Position, plan: Sequence[Motion]) -> int:
    for number, motion in enumerate(plan):
        try:
            here = moved(here, motion)
        except RuleError:
            return number
    return len(plan)


def _turns(here: tuple[int, int | None], runs: Sequence[int]) -> Iterator[tuple[int, int | None]]:
    done, speed = here
    fastest = FASTEST if speed is None else min(FASTEST, speed + 1)
    slowest = 1 if speed is None else max(1, speed - 1)
    for chosen in range(slowest, fastest + 1):
        if runs[done] >= min(chosen, len(runs) - done):
            yield min(done + chosen, len(runs)), chosen


def _turns_to(
    end: tuple[int, int | None],
    came: dict[tuple[int, int | None], tuple[int, int | None]],
    plan: Sequence[Motion],
) -> list[Turn]:
    turns: list[Turn] = []
    while end in came:
        before = came[end]
        turns.append(Turn(end[1] or 0, tuple(plan[before[0] : end[0]])))
        end = before
    return turns[::-1]
