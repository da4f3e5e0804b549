"""The discard piles: putting cards down and combining them (PEN3, CMB1 to CMB3, BET7)."""

from collections.abc import Iterable

import msgspec

from companion.games.loknroll.rules.errors import NotAllowed
from companion.games.loknroll.rules.state import Player, PutDown
from vision.cards import Face


def put_down(player: Player, face: Face, *, combine: bool) -> tuple[Player, tuple[Face, ...]]:
    """The player's things after the card was put down, and the cards that went into the box by it.

    Raises NotAllowed where the card does not combine (CMB1).
    """
    if not combine:
        return msgspec.structs.replace(player, pile=(*player.pile, face)), ()
    if player.top is None:
        raise NotAllowed("CMB1", "cannot-combine-empty", card=face)
    if player.top.value != face.value:
        raise NotAllowed("CMB1", "cannot-combine", card=face, top=player.top)
    return msgspec.structs.replace(player, pile=player.pile[:-1]), (face, player.top)


def put_down_as_automaton(
    player: Player, faces: Iterable[Face]
) -> tuple[Player, tuple[Face, ...], tuple[PutDown, ...]]:
    """The automaton's things, the cards boxed and what was put down: it combines whenever it can (BET7)."""
    boxed: tuple[Face, ...] = ()
    put: tuple[PutDown, ...] = ()
    for face in faces:
        combine = player.top is not None and player.top.value == face.value
        player, into_box = put_down(player, face, combine=combine)
        boxed += into_box
        put += (PutDown(face, combine),)
    return player, boxed, put
