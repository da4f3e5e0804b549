"""Why what is seen cannot have come about in a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from companion.games.locomotion.rules import Couple, Mode, Motion, RuleError, Run, State
from companion.games.locomotion.rules.motions import Position, moved, position
from companion.games.locomotion.table.errors import STEPS_TO_GO, Mismatch
from companion.games.locomotion.table.moves import Move, moves_to
from companion.games.locomotion.table.relaxed import OTHER_RULES, Relaxation, round_corners
from companion.games.locomotion.table.search import Goal, reached
from companion.games.locomotion.table.seen import Seen, kinds_in
from companion.games.locomotion.wording import Shift

MISCOUNTED: Final = 2
"""So many steps too many are a mistake in counting, before they are any other but a corner that was cut."""
MANY: Final = 6
"""So many steps too many are looked for at most: another turn's."""

_CODES: Final = {
    # of the rules: here
    "corner": "round-a-corner",
    "no-track-between": "round-a-corner",
    "occupied": "in-the-way",
    "same-colour": "twice",
    "reversing": "to-and-fro",
    "wrong-end": "on-the-front",
}


def explained(state: State, seen: Seen) -> Mismatch:
    """What speaks against a table to which no way leads from the state at the beginning of a turn.

    What lies nearest comes first: what is not there, what nobody may move, a corner, steps miscounted, another rule
    that was broken, what was moved without a train. At a speed it may only say how many steps are still to go.
    """
    moves = moves_to(state.setup, state.stock, seen)
    return (
        _count(state, seen)
        or _others(state, seen, moves)
        or _broken_rule(state, seen, (round_corners,))
        or _steps(state, seen, MISCOUNTED)
        or _broken_rule(state, seen, OTHER_RULES)
        or _steps(state, seen, MANY)
        or _moved_alone(state, seen, moves)
        or Mismatch("LRUN2", "no-way", **_told(min(moves, key=lambda move: not move.kind.is_locomotive)))
    )


def _count(state: State, seen: Seen) -> Mismatch | None:
    """Whether vehicles are not on the network, or others are."""
    if seen.stray:
        return Mismatch("LRUN1", "stray", count=seen.stray)
    setup = state.setup
    here, needed = Counter(kinds[0] for kinds in seen.kinds.values()), Counter(kinds_in(setup))
    surplus, short = here - needed, needed - here
    if len(seen.kinds) > len(setup.colours) and surplus:
        kind = min(surplus)
        dot = next(dot for dot, kinds in seen.kinds.items() if kinds[0] == kind)
        return Mismatch("LMAT1", "too-many", vehicle=kind, dot=setup.network.dots[dot])
    if len(seen.kinds) + len(seen.hidden) < len(setup.colours) and short:
        return Mismatch("LMAT1", "missing", vehicle=min(short))
    return None


def _others(state: State, seen: Seen, moves: Sequence[Move]) -> Mismatch | None:
    """Whether another's train was moved (LRUN6)."""
    setup, stock = state.setup, state.stock
    goal = Goal(setup, seen)
    trains = {vehicle for row in stock.rows if setup.is_locomotive(row[0]) and row != state.train for vehicle in row}
    left = {setup.network.dots[stock.dots[vehicle]] for vehicle in goal.misplaced(stock) if vehicle in trains}
    move = next((move for move in moves if move.to in left), None)
    return None if move is None else Mismatch("LRUN6", "others-train", **_told(move))


def _steps(state: State, seen: Seen, too_many: int) -> Mismatch | None:
    """Whether it takes more steps or, at a speed, fewer (LDIE2, LSPD3)."""
    start, goal = position(state), Goal(state.setup, seen)
    is_speed = state.setup.mode is Mode.SPEED
    ends = reached(start, state.left + too_many, goal)
    if not ends:
        return None
    steps = min(len(end.motions) for end in ends)
    if steps > state.left:
        return Mismatch("LSPD3" if is_speed else "LDIE2", "too-many-steps", steps=steps, left=state.left)
    return Mismatch("LSPD3", STEPS_TO_GO, steps=steps, left=state.left)


def _broken_rule(state: State, seen: Seen, relaxations: Sequence[Relaxation]) -> Mismatch | None:
    """Whether it could be if one of the rules were none: what that rule says against it."""
    start = position(state)
    for relaxed in relaxations:
        question = relaxed(start, seen)
        ends = reached(question.start, state.left, question.goal)
        if ends:
            return _refusal(start, min(ends, key=lambda end: len(end.motions)).motions)
    return None


def _refusal(here: Position, motions: Sequence[Motion]) -> Mismatch | None:
    """What the rules say against the first of these steps that they refuse."""
    for motion in motions:
        try:
            here = moved(here, motion)
        except RuleError as error:
            return _named(here, motion, error)
    return None


def _named(here: Position, motion: Motion, error: RuleError) -> Mismatch | None:
    code = _CODES.get(error.code)
    if code is None:
        return None
    stock, setup = here.stock, here.setup
    network, kinds = setup.network, kinds_in(setup)
    if isinstance(motion, Couple):
        return Mismatch(error.clause, code, vehicle=kinds[motion.wagon], dot=network.dots[stock.dots[motion.wagon]])
    leads = here.train[-1] if isinstance(motion, Run) and motion.backwards else here.train[0]
    to = network.number(motion.to) if motion.to is not None else None
    blocking = None if to is None else stock.on(to)
    return Mismatch(error.clause, code, vehicle=kinds[leads if blocking is None else blocking], dot=motion.to)


def _moved_alone(state: State, seen: Seen, moves: Sequence[Move]) -> Mismatch | None:
    """Whether a wagon was moved that no train can have moved (LRUN6)."""
    network = state.setup.network
    for move in moves:
        if move.kind.is_locomotive or move.start is None or move.to is None:
            continue
        start, to = network.number(move.start), network.number(move.to)
        if start is not None and to is not None and to not in seen.kinds:
            kinds = {**seen.kinds, to: (move.kind,)}
            del kinds[start]
            if reached(position(state), state.left, Goal(state.setup, seen._replace(kinds=kinds))):
                return Mismatch("LRUN6", "moved-alone", **_told(move))
    return None


def _told(move: Move) -> dict[str, object]:
    return {"vehicle": move.kind, "dot": move.start, "to": move.to, "shift": move.shift or Shift(0, 0)}
