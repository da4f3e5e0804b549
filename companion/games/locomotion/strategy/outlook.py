"""What is known of the way on from where a solo game stands: how few steps may do, and a plan (LSOLO1)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.locomotion.rules import Couple, Motion, RuleError, Run, State, Uncouple
from companion.games.locomotion.rules.motions import moved, position
from companion.games.locomotion.rules.state import Stock

MOST_BYTES: Final = 32_000_000
"""Of states in memory at the table: a Raspberry Pi Zero has 512 MB for everything, and the eye needs most of it."""
MOST_SECONDS: Final = 300.0
"""A search goes on no longer. Puzzles that are drawn by lot take one second here, ten on a Raspberry Pi Zero."""


class Outlook(NamedTuple):
    """Fewer steps than ``least`` are not enough. ``plan`` is the best that is known, None where none is."""

    least: int
    plan: tuple[Motion, ...] | None = None
    is_impossible: bool = False

    @property
    def steps(self) -> int | None:
        """How many the plan has."""
        return None if self.plan is None else len(self.plan)

    @property
    def is_proven(self) -> bool:
        """Whether there is nothing more to find out: no plan has fewer steps, or there is none at all."""
        return self.is_impossible or self.steps == self.least

    @property
    def first_change(self) -> Couple | Uncouple | None:
        """What is coupled or uncoupled first; None where no plan is known, or the order stands already."""
        return next((motion for motion in self.plan or () if not isinstance(motion, Run)), None)


class Outlooks:
    """What is known from each state that was asked about, and from those on the plans from there."""

    def __init__(self) -> None:
        self._known: dict[Stock, Outlook] = {}

    def learn(self, state: State, outlook: Outlook) -> None:
        """Something is known of a state. What is left of a plan with the fewest steps has the fewest, too."""
        self._merge(state.stock, outlook)
        plan, here = outlook.plan or (), position(state)
        for done, motion in enumerate(plan, 1):
            # Where the train may not turn back within a turn, it ends the turn.
            here = moved(replace(here, entered=None), motion)
            self._merge(here.stock, Outlook(max(0, outlook.least - done), plan[done:]))

    def of(self, state: State) -> Outlook | None:
        """What is known of a state; None where nothing is."""
        return self._known.get(state.stock)

    def _merge(self, stock: Stock, new: Outlook) -> None:
        old = self._known.get(stock)
        if old is None:
            self._known[stock] = new
            return
        plans = [plan for plan in (old.plan, new.plan) if plan is not None]
        plan = min(plans, key=len, default=None)
        self._known[stock] = Outlook(max(old.least, new.least), plan, old.is_impossible or new.is_impossible)


def looked_ahead(states: Sequence[State], is_wanted: Callable[[], bool], watch: Callable[[Outlook], None]) -> Outlook:
    """Searches until all is proven, and no longer than it is wanted, or than there is time and memory.

    All stands as in one of the states, which differ in lies alone: the plan is one from the first of them, and fewer
    steps than ``least`` are not enough from any. ``watch`` is told what is known so far.
    """
    from companion.games.locomotion.strategy.solver.tracks import TooLarge
    from companion.games.locomotion.strategy.solver.turns.solve import fewest_steps

    begun = time.monotonic()

    def has_time(share: float = 1, /) -> bool:
        return is_wanted() and time.monotonic() - begun < share * MOST_SECONDS

    def searched(first: State, also: Sequence[State] = ()) -> Outlook:
        told = watch if also or len(states) == 1 else _nobody
        found = fewest_steps(
            first, also, has_time=has_time, watch=lambda least, _: told(Outlook(least)), most_bytes=MOST_BYTES
        )
        return Outlook(found.bound, found.plan, found.is_impossible)

    try:
        outlook = searched(states[0], states[1:])
        if outlook.plan is not None and not _can_be_done(states[0], outlook.plan):
            return outlook._replace(plan=searched(states[0]).plan)
    except TooLarge:
        return Outlook(1)
    return outlook


def _nobody(_: Outlook) -> None:
    """Nobody watches."""


def _can_be_done(state: State, plan: Sequence[Motion]) -> bool:
    here = position(state)
    try:
        for motion in plan:
            here = moved(replace(here, entered=None), motion)
    except RuleError:
        return False
    return True
