"""Cards that people have laid on the table: which are meant to be part of the railway, and what is wrong with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from companion.games.loknroll.play.desk import Desk, Objection
from companion.games.loknroll.rules import IllegalPlacement, Lay, RuleError, StartCard
from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.rules.railway.geometry import Placement
from companion.games.loknroll.rules.railway.railway import Railway, port_position
from companion.games.loknroll.table.comparison import Comparison
from companion.games.loknroll.table.same_cards import distance
from vision.cards import Face
from vision.watching.table_reading import SeenCard

NEAR_RAILWAY_MM: Final = 100.0
"""What lies farther from the front is not laid, but shown."""
FORGOTTEN_SECONDS: Final = 3.0
"""A track card that lies apart for so long is meant to be laid, too."""


def is_near(railway: Railway, face: Face, card: SeenCard) -> bool:
    """Whether a card lies so near to the railway that it must be meant to be part of it."""
    if not railway.cards:
        return True
    centre = min(distance(laid.pose, card.pose) for laid in railway.cards)
    return min(centre, front_gap(railway, face, card)) <= NEAR_RAILWAY_MM


def front_gap(railway: Railway, face: Face, card: SeenCard) -> float:
    """How far the nearest of the card's rails is from the open ones of the railway, in mm."""
    if not face.has_rails:
        return math.inf
    ports = [port_position(face, port, card.pose) for port in range(len(face.ports))]
    return min(math.dist(end[:2], port) for _, end in railway.open_ends() for port in ports)


def laid(desk: Desk, cards: Sequence[SeenCard], kind: type[Lay | StartCard] = Lay) -> bool:
    """Accepts the first of the cards that can lie as it does."""
    for card in cards:
        if desk.game.can(kind(card.face, card.pose)):
            desk.lay(kind(card.face, card.pose), card)
            desk.sound("right")
            return True
    return False


def object_to(desk: Desk, cards: Sequence[SeenCard], kind: type[Lay | StartCard] = Lay) -> None:
    """Says what is wrong with the card that lies nearest to the front, if there is one."""
    deck, railway = desk.state.setup.deck, desk.state.railway
    is_late = desk.memory.rest.quiet_seconds(desk.now) >= FORGOTTEN_SECONDS
    meant = [card for card in cards if is_late or is_near(railway, deck[card.face], card)]
    if not meant:
        desk.disputes.withdraw()
        return
    card = min(meant, key=lambda card: front_gap(railway, deck[card.face], card) if railway.cards else 0.0)
    if not is_near(railway, deck[card.face], card) or _is_beside(railway, deck[card.face], card):
        tell(
            desk,
            Objection(
                desk.word("apart", card=deck[card.face]),
                "LAY0" if kind is Lay else "SET2",
                card,
                desk.word("apart-help" if kind is Lay else "apart-start"),
            ),
        )
        return
    try:
        desk.game.check(kind(card.face, card.pose))
    except RuleError as error:
        # What is wrong with the value needs no map: the sentence is large instead.
        is_about_place = isinstance(error, IllegalPlacement) and error.clause in {"LAY1", "LAY2", "LAY3"}
        marked = error.between if isinstance(error, IllegalPlacement) and is_about_place else ()
        is_place = is_about_place and bool(places(desk, card))
        message, advice = desk.word.reason(error)
        tell(desk, Objection(message, error.clause, card, advice, marked, is_place))


def _is_beside(railway: Railway, face: Face, card: SeenCard) -> bool:
    """Whether it lies near some card of the railway but not at its front: how far off its rails are helps nobody."""
    return bool(railway.cards) and face.has_rails and front_gap(railway, face, card) > NEAR_RAILWAY_MM


def tell(desk: Desk, objection: Objection) -> None:
    """Says what is wrong with a card, with a sound if it is said for the first time."""
    if desk.objection is None or desk.objection.text != objection.text:
        desk.sound("wrong")
    desk.disputes.object_to(objection)


def places(desk: Desk, card: SeenCard) -> list[Placement]:
    """Where the rules let this card lie, the nearest to where it was seen first."""
    face = desk.state.setup.deck[card.face]
    if not desk.state.railway.cards or not desk.state.setup.rails:
        return []
    return sorted(legal_placements(desk.state, face), key=lambda place: distance(place.pose, card.pose))


def tidied(desk: Desk) -> Comparison | None:
    """The steady table, with what has been taken away forgotten."""
    table = desk.table
    if table is not None:
        desk.memory.tidy(table)
    return table
