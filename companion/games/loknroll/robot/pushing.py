"""Where a railway that has come too near to the border is pushed to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Final

from msgspec.structs import replace

from companion.games.loknroll.rules import State
from companion.games.loknroll.rules.railway.geometry import card_boxes
from companion.games.loknroll.rules.railway.railway import Railway
from companion.games.loknroll.strategy.automaton import ways_ahead
from vision.cards import Face, Pose
from vision.cards.area import Area

_LEAST_MM: Final = 30.0
"""Less than this is no push."""
_ENOUGH: Final = 4
"""With so many ways to lay the next two cards there is room for the railway to go on."""


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
