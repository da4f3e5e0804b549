"""What the active train may do next, and how far a turn can go (LRUN4, LSPD3, LSPD4, LWIN1)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.games.locomotion.rules import shunting
from companion.games.locomotion.rules.errors import NOWHERE, NotAllowed, RuleError
from companion.games.locomotion.rules.sides import Dot
from companion.games.locomotion.rules.state import Row, Setup, State, Stock
from companion.games.locomotion.rules.steps import Couple, Motion, Run, Uncouple


class Position(msgspec.Struct, frozen=True):
    """All that a train's next motion depends on. ``entered`` as in ``State``."""

    setup: Setup
    stock: Stock
    locomotive: int
    order: tuple[int, ...]
    entered: int | None = None

    @property
    def train(self) -> Row:
        """The train, from its locomotive on."""
        return self.stock.row_of(self.locomotive)

    @property
    def is_won(self) -> bool:
        """Whether all wagons stand in the colour order behind the locomotive, and nothing else there (LWIN1)."""
        return self.order == tuple(self.setup.colours[wagon] for wagon in self.train[1:])


def position(state: State) -> Position:
    """Where the active player's train stands."""
    return Position(state.setup, state.stock, state.locomotive, state.order, state.entered)


def moved(before: Position, motion: Motion) -> Position:
    """The position after a motion; raises RuleError. Whether a turn leaves room for it is not asked."""
    if isinstance(motion, Run):
        return _run(before, before.stock, before.train, motion.to, backwards=motion.backwards)
    if isinstance(motion, Couple):
        stock = shunting.after_coupling(before.setup, before.stock, before.train, motion.wagon)
        return msgspec.structs.replace(before, stock=stock)
    return _uncoupled(before, motion)


def _uncoupled(before: Position, motion: Uncouple) -> Position:
    stock = shunting.after_uncoupling(before.stock, before.train, motion.count)
    if not shunting.makes_gap(before.setup):
        if motion.to is not None:
            raise NotAllowed("LCPL3", "gap-needs-no-dot")
        return msgspec.structs.replace(before, stock=stock)
    train = stock.row_of(before.locomotive)
    if motion.to is None:
        free = shunting.can_run(before.setup, stock, train, backwards=False)
        dots = [before.setup.network.dots[run.dot] for run in free]
        raise NotAllowed("LCPL3", "gap-needs-a-dot", allowed=dots or NOWHERE)
    return _run(before, stock, train, motion.to, backwards=False)


def _run(before: Position, stock: Stock, train: Row, to: Dot, *, backwards: bool) -> Position:
    setup = before.setup
    run = shunting.chosen_run(setup, stock, train, to, backwards=backwards)
    left = shunting.side_left(setup, stock, run)
    if left == before.entered:
        raise NotAllowed("LRUN4", "reversing")
    entered = None if setup.knobs.reverse_in_turn else left.opposite
    return msgspec.structs.replace(before, stock=shunting.after_run(setup, stock, run), entered=entered)


def motions(before: Position) -> Iterator[tuple[Motion, Position]]:
    """Everything that the train can do, each with what follows."""
    for motion in _imaginable(before):
        try:
            yield motion, moved(before, motion)
        except RuleError:
            continue


def _imaginable(before: Position) -> Iterator[Motion]:
    setup, stock, train = before.setup, before.stock, before.train
    network = setup.network
    for backwards in (False, True)[: len(train)]:
        for run in shunting.can_run(setup, stock, train, backwards=backwards):
            yield Run(network.dots[run.dot], backwards)
    beside = {stock.on(dot) for dot in network.neighbours[stock.dots[train[-1]]] if dot is not None}
    for wagon in sorted(vehicle for vehicle in beside if vehicle is not None and vehicle not in train):
        yield Couple(wagon)
    for count in range(1, len(train)):
        if not shunting.makes_gap(setup):
            yield Uncouple(count)
            continue
        rest = train[:-count]
        for run in shunting.can_run(setup, stock, rest, backwards=False):
            yield Uncouple(count, network.dots[run.dot])


def longest(before: Position, most: int) -> int:
    """How many steps the train can take, up to ``most``; a win ends them."""
    found, seen, begun = 0, set(), [iter([before])]
    # Depth first, each motion worked out when it is its turn: what can run to and fro comes to ``most`` at once.
    while begun and found < most:
        here, steps = next(begun[-1], None), len(begun) - 1
        if here is None:
            begun.pop()
            continue
        # Of a position what a motion changes: the network is large, and the same for all.
        key = here.stock, here.entered, steps
        if key in seen:
            continue
        seen.add(key)
        found = max(found, steps)
        if not here.is_won:
            begun.append(after for _, after in motions(here))
    return found


def can_win(before: Position, most: int) -> bool:
    """Whether the train can win within so many steps."""
    reached = {(before.stock, before.entered): before}
    for steps in range(most + 1):
        if any(here.is_won for here in reached.values()):
            return True
        if steps < most:
            following = (after for here in reached.values() for _, after in motions(here))
            reached = {(after.stock, after.entered): after for after in following}
    return False


def is_long_enough(before: Position, after: Position, left: int) -> bool:
    """Whether a step can begin a run of ``left`` steps, or one of the longest (LSPD3, LSPD4)."""
    reached = 1 + longest(after, left - 1)
    return reached == left or reached >= longest(before, left)
