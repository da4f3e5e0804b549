"""What ``companion locomotion solve`` tells of a plan with speed cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from companion.games.locomotion.wording import Wording

if TYPE_CHECKING:
    from companion.games.locomotion.strategy.solver.turns.solve import SolutionInTurns


def turns_as_json(found: SolutionInTurns) -> dict[str, Any]:
    """As programs are told it; ``bound`` counts turns."""
    return {
        "steps": None if found.plan is None else sum(len(turn.steps) for turn in found.plan),
        "turns": found.turns,
        "proven": found.is_proven,
        "bound": found.bound,
        "impossible": found.is_impossible,
        "plan": None if found.plan is None else [msgspec.to_builtins(turn) for turn in found.plan],
        "states": found.states,
    }


def turns_told(found: SolutionInTurns, say: Wording) -> Iterator[str]:
    """As people are told it, turn by turn."""
    if found.is_impossible:
        yield say("solve.impossible")
        return
    if found.plan is None:
        yield say("cards.nothing", bound=found.bound)
        return
    yield say.counted("cards.proven" if found.is_proven else "cards.best-known", count=found.turns, bound=found.bound)
    width, done = len(str(sum(len(turn.steps) for turn in found.plan))), 0
    for count, turn in enumerate(found.plan, 1):
        yield say("cards.turn", turn=count, speed=turn.speed)
        for number, motion in enumerate(turn.steps, done + 1):
            yield f"  {number:{width}}  {say.motion(motion)}"
        done += len(turn.steps)
        if len(turn.steps) < turn.speed and count < len(found.plan):
            yield f"  {'':{width}}  {say('turn.brakes')}"
