"""Where the automaton lays its card (BET2): where it keeps most room for the railway.

The texts do not say which place it takes where there are several. Our policy: room is the number of ways in which
the next two cards could be laid after this one, with any cards of the deck, not counting values. The place with more
ways wins. Where both leave the same, the one whose open end lies farther from the middle of the railway wins, since
there the railway will be longest in coming back to itself; and if that is equal too, the first in order of ports.
"""

import math
from collections.abc import Callable, Sequence

import msgspec

from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.rules.railway.geometry import (
    Placement,
    card_boxes,
    first_overlap,
    in_frame,
    passage_box,
    passage_exit,
    placement_box,
)
from companion.games.loknroll.rules.railway.railway import RailEnd, Railway
from companion.games.loknroll.rules.state import State
from vision.cards import Face, Passage
from vision.cards.area import Area, Box

CARDS_AHEAD = 2


class Choice(msgspec.Struct, frozen=True):
    """The place chosen, and why: the ways left by it and by the next best place, and the distances that decided.

    ``other_ways`` is None where there was only one place.
    """

    placement: Placement
    ways: int
    other_ways: int | None
    distance_mm: float
    other_distance_mm: float | None

    @property
    def reason(self) -> str:
        """A code for what decided: ``only``, ``room``, ``distance`` or ``equal``."""
        if self.other_ways is None:
            return "only"
        if self.ways != self.other_ways:
            return "room"
        return "equal" if self.distance_mm == self.other_distance_mm else "distance"


def choose_placement(state: State, face: Face, area: Area | None = None) -> Choice | None:
    """Where the automaton lays this card, or None if it cannot be laid.

    Where the table's usable ``area`` is known, places beyond it are no room, and the card goes there only if it must.
    """
    ranked = []
    for way in legal_placements(state, face):
        railway = state.railway.with_card(face, way.pose, way.entry, way.exit_port)
        on_table = area is None or area.holds(placement_box(state.railway, face, way), railway.angle_deg)
        # Below zero: worse than any place on the table, even one after which nothing fits.
        ways = ways_ahead(railway, state.setup.deck.passages, area) if on_table else -1
        ranked.append((ways, _distance(railway), way))
    if not ranked:
        return None
    # Sorting keeps the order of equals, which is that of the ports.
    ranked.sort(key=lambda entry: entry[:2], reverse=True)
    (ways, distance, best), *others = ranked
    other_ways, other_distance = others[0][:2] if others else (None, None)
    return Choice(best, ways, other_ways, distance, other_distance)


def has_room(state: State, face: Face, way: Placement, area: Area) -> bool:
    """Whether the card would lie within the area, with room for another one after it."""
    railway = state.railway.with_card(face, way.pose, way.entry, way.exit_port)
    on_table = area.holds(placement_box(state.railway, face, way), railway.angle_deg)
    return on_table and ways_ahead(railway, state.setup.deck.passages, area, enough=1) > 0


def ways_ahead(
    railway: Railway, passages: Sequence[Passage], area: Area | None = None, enough: float = math.inf
) -> int:
    """In how many ways the next cards could be laid, two deep; no more are counted than are ``enough``."""
    (_, end), *_ = railway.open_ends()
    end = in_frame(railway, end)
    # Cards farther off cannot be in the way of the next ones; a long railway need not be looked at as a whole.
    reach = 2 * CARDS_AHEAD * max(max(passage.half_length, passage.half_width) for passage in passages)
    near = [
        box
        for box in card_boxes(railway)
        if max(abs(box.x - end.x_mm) - box.half_width, abs(box.y - end.y_mm) - box.half_height) < reach
    ]

    def fits(box: Box, laid: Sequence[Box]) -> bool:
        return first_overlap(laid, box) is None and (area is None or area.holds(box, railway.angle_deg))

    return _count_ways(near, end, passages, CARDS_AHEAD, fits, enough=enough)


def _count_ways(
    boxes: list[Box],
    end: RailEnd,
    passages: Sequence[Passage],
    depth: int,
    fits: Callable[[Box, Sequence[Box]], bool],
    *,
    enough: float,
) -> int:
    ways = 0
    for passage in passages:
        box = passage_box(passage, end)
        if not fits(box, boxes):
            continue
        if depth == 1:
            ways += 1
        else:
            beyond = passage_exit(passage, end)
            ways += _count_ways([*boxes, box], beyond, passages, depth - 1, fits, enough=enough - ways)
        if ways >= enough:
            break
    return ways


def _distance(railway: Railway) -> float:
    """How far the open end is from the middle of the railway, in mm."""
    (_, end), *_ = railway.open_ends()
    poses = [card.pose for card in railway.cards if card.pose is not None]
    middle = (sum(pose.x_mm for pose in poses) / len(poses), sum(pose.y_mm for pose in poses) / len(poses))
    # In tenths: what only rounding tells apart shall be equal.
    return round(math.dist(middle, end[:2]), 1)
