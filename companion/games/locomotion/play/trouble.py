"""What does not lie or stand as it must."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from companion.games.locomotion.artwork.map import network_map, state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.rules import Dot, Network, Phase, RuleError, State
from companion.games.locomotion.table.errors import STEPS_TO_GO, places_in
from companion.games.locomotion.table.moves import moves_to
from companion.games.locomotion.table.seen import Seen
from companion.games.locomotion.table.setting_up import to_put_right
from companion.screen.screen import NetworkMap, Screen

PATIENCE_SECONDS: Final = 3.0
"""So long people may move things before they are told that something is wrong."""
HELPING_SECONDS: Final = 12.0
"""So long they may rest while they move an automatic player's train: they read on the screen where it goes."""


def stands_as(seen: Seen, state: State) -> bool:
    """Whether all vehicles stand as in the state, as far as can be seen."""
    return not seen.stray and not moves_to(state.setup, state.stock, seen)


def has_rested(desk: Desk) -> bool:
    """Whether nobody has touched the table for so long that it is meant so.

    Who has to move a train for an automatic player, and has not begun to, is still reading where it goes.
    """
    rest, stepped_at = desk.watch.rest, desk.clock.stepped_at
    is_helping = desk.state.phase is Phase.MOVING and desk.is_automatic
    if is_helping and rest.changed_at <= stepped_at:
        return False
    patience = HELPING_SECONDS if is_helping else PATIENCE_SECONDS
    return min(desk.now - stepped_at, rest.quiet_seconds(desk.now)) >= patience


def trouble(desk: Desk) -> RuleError | None:
    """What is wrong with the table and has been so for a while, the first thing to be done."""
    if not desk.has_begun or desk.state.phase is Phase.OVER or not has_rested(desk):
        return None
    seen = desk.seen
    if seen is None:
        return None
    if desk.state.phase is Phase.MOVING and not desk.is_automatic:
        if desk.turn.is_thought_over:
            return None
        error = desk.turn.refusal(desk.state, seen)
        return None if error is None or error.code == STEPS_TO_GO else error
    return misplaced(seen, desk.goal)


def misplaced(seen: Seen, wanted: State) -> RuleError | None:
    """What stands otherwise than it is wanted; None where all stands so."""
    if stands_as(seen, wanted):
        return None
    moves = moves_to(wanted.setup, wanted.stock, seen)
    return to_put_right(moves[0]) if moves else None


def trouble_screen(desk: Desk, error: RuleError) -> Screen:
    """What is wrong large, and what to do; what it is about is marked on the map."""
    message, advice = desk.reason(error)
    is_moving = desk.state.phase is Phase.MOVING and not desk.is_automatic
    first, second = ("", desk.word("key-list")) if is_moving else (desk.word("key-ok"), "")
    keys = (first, second, desk.word("key-look"), "", desk.word("key-back"))
    picture = _map_of(desk.state, error)
    return Screen(heading=desk.name, main=message, lines=(advice,), map=picture, keys=keys, alert=True)


def _map_of(state: State, error: RuleError) -> NetworkMap:
    """Everything as it should stand, with what an error is about: what has to go elsewhere with an arrow."""
    network, told = state.setup.network, error.details
    ends = [network.number(place) for place in (told.get("dot"), told.get("to")) if isinstance(place, tuple)]
    way = [dot for dot in ends if dot is not None]
    if len(way) < 2:
        return state_map(state, marked=_dots_in(network, error))
    vehicle = state.stock.on(way[0])
    return state_map(state, way=way, marked=way[:1]) if vehicle is None else state_map(state, way=way, moved=[vehicle])


def marked_map(network: Network, places: Iterable[Dot]) -> NetworkMap:
    """A network that nothing stands on yet, with places that are spoken of."""
    return replace(network_map(network), marked=_numbers(network, places))


def _dots_in(network: Network, error: RuleError) -> tuple[int, ...]:
    """The dots that an error is about."""
    return _numbers(network, places_in(error))


def _numbers(network: Network, places: Iterable[Dot]) -> tuple[int, ...]:
    numbers = (network.number(place) for place in sorted(places))
    return tuple(number for number in numbers if number is not None)
