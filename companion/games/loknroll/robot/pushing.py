"""Where a railway that has come too near to the border is pushed to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from msgspec.structs import replace

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.room import wants_push
from companion.games.loknroll.robot.lying_railway import LyingRailway, way_of
from companion.games.loknroll.rules import Phase, State
from companion.games.loknroll.rules.railway.geometry import card_boxes
from companion.games.loknroll.rules.railway.railway import Railway
from companion.games.loknroll.strategy.automaton import has_room, ways_ahead
from companion.virtual.hands import Hands
from vision.cards import Face, Pose
from vision.cards.area import Area
from vision.rendering.places import AREA

_LEAST_MM: Final = 30.0
"""Less than this is no push."""
_ENOUGH: Final = 4
"""With so many ways to lay the next two cards there is room for the railway to go on."""
_MOST_PUSHES: Final = 2
"""Who has pushed in vain so often lays nevertheless, and says that it lies right."""
_FARTHER_MM: Final = 80.0
"""Who has pushed in vain pushes so much farther from the border."""


class Pusher:
    """Pushes the railway on a robot's table."""

    def __init__(self, hands: Hands, railway: LyingRailway) -> None:
        self._hands = hands
        self._railway = railway
        self._times = 0
        self._cramped: bool | None = None

    def forget(self) -> None:
        """The game has gone on: all is judged anew."""
        self._times, self._cramped = 0, None

    def push(self, desk: Desk, hand: Sequence[Face]) -> bool:
        """Pushes to the middle where the screen asks for it, or where the next card has no room; says whether.

        ``hand`` is what the person who is to play can lay.
        """
        is_asked = wants_push(desk)
        if self._times >= _MOST_PUSHES or not (is_asked or (self._times == 0 and self._is_cramped(desk, hand))):
            return False
        here = self._railway.as_it_lies(desk.state)
        push = best_push(here, self._next_place(desk), inset(AREA, self._times * _FARTHER_MM))
        if not is_asked and not stays_in(here.railway, push, AREA):
            self._cramped = False
            return False
        self._hands.push([self._railway.number(card) for card in desk.state.railway.cards], *push)
        self._times += 1
        return True

    def _next_place(self, desk: Desk) -> tuple[Face, Pose] | None:
        """The automaton's card, and where on the table it must lie."""
        drawn, choice = desk.state.drawn, desk.choice
        if drawn is None or choice is None:
            return None
        ways = [way for way in self._railway.places(desk.state, drawn) if way_of(way) == way_of(choice.placement)]
        return (drawn, ways[0].pose) if ways else None

    def _is_cramped(self, desk: Desk, hand: Sequence[Face]) -> bool:
        """Whether the next card can be laid, but only where there is no room on the table; looked at once a step."""
        state, choice = desk.state, desk.choice
        if state.phase is not Phase.ACTING or (state.is_automatons_turn and choice is None):
            return False
        if self._cramped is None:
            here = self._railway.as_it_lies(state)
            faces = hand if state.drawn is None else [state.drawn]
            ways = [(face, way) for face in faces if face.is_track for way in self._railway.places(state, face)]
            if choice is not None and not desk.own.people_place:
                ways = [(face, way) for face, way in ways if way_of(way) == way_of(choice.placement)]
            self._cramped = bool(ways) and not any(has_room(here, face, way, AREA) for face, way in ways)
        return self._cramped


def best_push(state: State, place: tuple[Face, Pose] | None, area: Area) -> tuple[float, float]:
    """How far (right, down, mm) to push a railway, so that there is room in the area where it goes on.

    ``place`` is where the next card must lie, if that is known. As much as possible of the railway stays in the area.
    """
    railway = state.railway

    def worth(push: tuple[float, float]) -> tuple[bool, int, int, float]:
        there = _moved(railway, *push)
        has_room = place is None or _holds(area, *place, push)
        ways = ways_ahead(there, state.setup.deck.passages, area)
        seen = sum(area.holds(box, railway.angle_deg) for box in card_boxes(there))
        return has_room, min(ways, _ENOUGH), seen, -math.hypot(*push)

    far_enough = [push for push in _pushes(railway, area) if math.hypot(*push) >= _LEAST_MM]
    return max(far_enough, key=worth, default=(0.0, 0.0))


def stays_in(railway: Railway, push: tuple[float, float], area: Area) -> bool:
    """Whether all of a railway lies in the area after a push (right, down, mm)."""
    return all(area.holds(box, railway.angle_deg) for box in card_boxes(_moved(railway, *push)))


def _pushes(railway: Railway, area: Area) -> Iterator[tuple[float, float]]:
    """Pushes that bring the railway to a side of the area, or not so far, or its front into the middle."""
    poses = [card.pose for card in railway.cards if card.pose is not None]
    reach = max(max(card.half_sides) for card in railway.cards)
    right = _moves([pose.x_mm for pose in poses], reach, area.x_mm, area.width_mm)
    down = _moves([pose.y_mm for pose in poses], reach, area.y_mm, area.height_mm)
    yield from product(right, down)


def _moves(places: list[float], reach: float, start: float, length: float) -> list[float]:
    low, high = min(places) - reach, max(places) + reach
    first, last = start - low, start + length - high
    steps = [first + share * (last - first) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    return [*steps, start + length / 2 - places[-1], 0.0]


def inset(area: Area, mm: float) -> Area:
    """The area without so much along each of its sides."""
    return Area(area.x_mm + mm, area.y_mm + mm, area.width_mm - 2 * mm, area.height_mm - 2 * mm)


def _moved(railway: Railway, right_mm: float, down_mm: float) -> Railway:
    cards = [replace(card, pose=card.pose.moved(right_mm, down_mm)) for card in railway.cards if card.pose is not None]
    return Railway(tuple(cards), railway.angle_deg)


def _holds(area: Area, face: Face, pose: Pose, push: tuple[float, float]) -> bool:
    reach = max(face.size_mm) / 2
    x, y = pose.x_mm + push[0], pose.y_mm + push[1]
    return (
        area.x_mm + reach <= x <= area.x_mm + area.width_mm - reach
        and area.y_mm + reach <= y <= area.y_mm + area.height_mm - reach
    )
