"""Where the next card goes, and whether the camera sees it there."""

from __future__ import annotations

from typing import Final

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.rules import Phase
from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.rules.railway.geometry import card_boxes, first_overlap, in_frame, passage_box
from companion.games.loknroll.rules.setting_up import railway_is_ready
from companion.games.loknroll.table.outline import Outline
from vision.cards import Face

_MOST: Final = 0.5
"""Where more of the next card's places than this are out of sight, the railway has come too near to the border."""


def wants_push(desk: Desk) -> bool:
    """Whether people should push the whole railway to where the camera sees the next card."""
    state, outline = desk.state, desk.outline
    if outline is None or not state.railway.cards:
        return False
    if state.phase is Phase.ACTING and state.drawn is not None:
        return _is_drawn_out_of_sight(desk, state.drawn, outline)
    is_laying = state.phase is Phase.SETTING_UP and not railway_is_ready(state)
    return (is_laying or state.phase is Phase.ACTING) and is_front_out_of_sight(desk)


def _is_drawn_out_of_sight(desk: Desk, drawn: Face, outline: Outline) -> bool:
    if desk.own.people_place:
        places = [place.pose for place in legal_placements(desk.state, drawn)]
    else:
        choice = desk.choice
        places = [] if choice is None else [choice.placement.pose]
    hidden = [pose for pose in places if not outline.holds_card(pose, drawn.size_mm)]
    return len(hidden) > _MOST * len(places)


def is_front_out_of_sight(desk: Desk) -> bool:
    """Whether the camera does not see most of the places where any card of the deck could be laid next."""
    outline, railway = desk.outline, desk.state.railway
    if outline is None or not railway.cards:
        return False
    boxes = card_boxes(railway)
    ends = [in_frame(railway, end) for _, end in railway.open_ends()]
    places = [passage_box(passage, end) for passage in desk.state.setup.deck.passages for end in ends]
    free = [place for place in places if first_overlap(boxes, place) is None]
    hidden = [place for place in free if not outline.holds(place, railway.angle_deg)]
    return len(hidden) > _MOST * len(free)
