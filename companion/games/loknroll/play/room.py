"""Where the next card goes, and whether the camera sees it there."""

from __future__ import annotations

import math
from typing import Final

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.rules import Phase
from companion.games.loknroll.rules.railway.building import legal_placements
from companion.games.loknroll.rules.railway.geometry import card_boxes, first_overlap, in_frame, passage_box
from companion.games.loknroll.rules.setting_up import railway_is_ready
from companion.games.loknroll.strategy.automaton import Choice, choose_placement
from companion.games.loknroll.table.outline import Outline
from vision.cards import Face, Motion
from vision.cards.area import Area

_MOST: Final = 0.5
"""Where more of the next card's places than this are out of sight, the railway has come too near to the border."""


def choice_of(desk: Desk) -> Choice | None:
    """Where the automaton wants its card; the same as long as the card is not laid."""
    state = desk.state
    if state.drawn is None or not state.setup.rails:
        return None
    if desk.automatons_choice is None or desk.automatons_choice[0] is not state:
        desk.automatons_choice = (state, choose_placement(state, state.drawn, visible_area(desk)))
    return desk.automatons_choice[1]


def wants_push(desk: Desk) -> bool:
    """Whether people should push the whole railway to where the camera sees the next card."""
    state, outline = desk.state, _outline(desk)
    if outline is None or not state.railway.cards:
        return False
    if state.phase is Phase.ACTING and state.drawn is not None:
        return _is_drawn_out_of_sight(desk, state.drawn, outline)
    is_laying = state.phase is Phase.SETTING_UP and not railway_is_ready(state)
    return (is_laying or state.phase is Phase.ACTING) and is_front_out_of_sight(desk)


def _is_drawn_out_of_sight(desk: Desk, drawn: Face, outline: Outline) -> bool:
    if desk.settings.people_place:
        places = [place.pose for place in legal_placements(desk.state, drawn)]
    else:
        choice = choice_of(desk)
        places = [] if choice is None else [choice.placement.pose]
    hidden = [pose for pose in places if not outline.holds_card(pose, drawn.size_mm)]
    return len(hidden) > _MOST * len(places)


def is_front_out_of_sight(desk: Desk) -> bool:
    """Whether the camera does not see most of the places where any card of the deck could be laid next."""
    outline, railway = _outline(desk), desk.state.railway
    if outline is None or not railway.cards:
        return False
    boxes = card_boxes(railway)
    ends = [in_frame(railway, end) for _, end in railway.open_ends()]
    places = [passage_box(passage, end) for passage in desk.state.setup.deck.passages for end in ends]
    free = [place for place in places if first_overlap(boxes, place) is None]
    hidden = [place for place in free if not outline.holds(place, railway.angle_deg)]
    return len(hidden) > _MOST * len(free)


def _outline(desk: Desk) -> Outline | None:
    table = None if desk.is_blind else desk.eye.table(desk.state)
    return None if table is None else table.outline


def visible_area(desk: Desk) -> Area | None:
    """An upright part of the table that the camera sees well, in the axes of the game; None where none is known."""
    reading = desk.eye.reading
    table = desk.eye.table(desk.state)
    if desk.is_blind or reading is None or reading.area is None or table is None:
        return None
    return shifted_area(reading.area, table.shift)


def shifted_area(area: Area, shift: Motion) -> Area:
    """An upright rectangle within an area that is seen by other axes, around the same middle."""
    x, y = shift.point((area.x_mm + area.width_mm / 2, area.y_mm + area.height_mm / 2))
    askew = math.radians(shift.turn_deg)
    width, height = area.width_mm, area.height_mm
    along, across = abs(math.cos(askew)), abs(math.sin(askew))
    if across > along:
        width, height, along, across = height, width, across, along
    share = min(width / (width * along + height * across), height / (width * across + height * along))
    width, height = share * width, share * height
    return Area(x - width / 2, y - height / 2, width, height)
