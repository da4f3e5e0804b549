"""Small maps of the railway for the screen."""

from __future__ import annotations

from companion.games.loknroll.record.narration import BROKEN_MARK
from companion.games.loknroll.rules import State
from companion.games.loknroll.rules.railway.geometry import Placement
from companion.games.loknroll.rules.railway.railway import port_position
from companion.screen.screen import MapCard, RailwayMap
from vision.cards import Face, Kind, Pose


def railway_map(
    state: State, face: Face | None = None, placement: Placement | None = None, marked: tuple[int, ...] = ()
) -> RailwayMap | None:
    """The railway with Emma, and where a card comes to lie; None for a railway without places."""
    cards = tuple(map_card(card.face, card.pose) for card in state.railway.cards if card.pose is not None)
    if not cards:
        return None
    new: MapCard | None = None
    arrow: tuple[tuple[float, float], ...] = ()
    if face is not None and placement is not None:
        new = map_card(face, placement.pose)
        ends = (placement.entry, 1 - placement.entry)
        arrow = tuple(port_position(face, port, placement.pose) for port in ends)
    return RailwayMap(cards, state.emma, marked, new, arrow)


def map_card(face: Face, pose: Pose) -> MapCard:
    """A card on the map."""
    mark = BROKEN_MARK if face.kind is Kind.BROKEN else ""
    return MapCard(pose, face.size_mm, f"{face.value}{mark}")
