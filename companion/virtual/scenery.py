"""What a camera sees of a world."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from companion.virtual.disturbances import Disturbances
from companion.virtual.snapshot import Snapshot
from companion.virtual.things import Card, Figure, Hold, Place, within


class Scenery(msgspec.Struct, frozen=True):
    """What the camera can see: cards that lie, from the oldest to the newest, what is held above, figures, and hands.

    ``fingertips`` are those of hands that hold something, ``reach`` is where a hand has just done something, in mm.
    """

    lying: tuple[Card, ...]
    held: tuple[Card, ...]
    figures: tuple[Figure, ...]
    fingertips: tuple[tuple[float, float], ...]
    reach: tuple[float, float] | None
    has_pile: bool
    disturbances: Disturbances
    revision: int


def scenery_of(
    things: Snapshot,
    holds: Mapping[int, Hold],
    reach: tuple[float, float] | None,
    disturbances: Disturbances,
    revision: int,
) -> Scenery:
    """What is to be seen of things of which some are held, by their numbers."""
    cards, figures, (_, height) = things.cards, things.figures, things.card_mm
    poses = {number: hold.pose for number, hold in holds.items() if hold.pose is not None}
    known = {card.number: card for card in cards}
    held = [replace(known[number], pose=pose) for number, pose in poses.items() if number in known]
    stands = [
        replace(figure, pose=poses.get(figure.number)) if figure.number in holds else figure for figure in figures
    ]
    return Scenery(
        tuple(card for card in cards if card.place is Place.TABLE and card.number not in holds),
        tuple(card for card in held if within(card.pose, max(things.card_mm) / 2)),
        tuple(figure for figure in stands if figure.pose is not None),
        tuple((pose.x_mm, pose.y_mm + height / 4) for pose in poses.values() if within(pose, 0.0)),
        reach,
        has_pile=any(card.place is Place.PILE for card in cards),
        disturbances=disturbances,
        revision=revision,
    )
