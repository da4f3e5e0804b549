"""What does not stand as it must."""

from __future__ import annotations

from typing import Final

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.rules import Phase, State
from companion.games.locomotion.table.seen import Seen, kind
from companion.screen.screen import Screen

PATIENCE_SECONDS: Final = 3.0
"""So long people may move things before they are told that something is wrong."""


def stands_as(seen: Seen, state: State) -> bool:
    """Whether all vehicles stand as in the state, as far as can be seen."""
    stock = state.stock
    fits = all(
        dot in seen.hidden or kind(state.setup, vehicle) in seen.kinds.get(dot, ())
        for vehicle, dot in enumerate(stock.dots)
    )
    return fits and set(seen.kinds) <= set(stock.dots)


def is_in_disorder(desk: Desk) -> bool:
    """Whether people are to be told what is wrong: it has been so for a while."""
    if not desk.has_begun or desk.state.phase is Phase.OVER:
        return False
    seen = desk.seen
    if (
        seen is None
        or min(desk.now - desk.clock.stepped_at, desk.watch.rest.quiet_seconds(desk.now)) < PATIENCE_SECONDS
    ):
        return False
    if desk.state.phase is Phase.MOVING and not desk.is_automatic:
        return desk.turn.way is None
    return not stands_as(seen, desk.state)


def trouble_screen(desk: Desk) -> Screen:
    """What is wrong."""
    return Screen(heading=desk.name, main=desk.word("wrong"), alert=True)
