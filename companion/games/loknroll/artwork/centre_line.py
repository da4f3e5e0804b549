"""The line in the middle between a card's two rails. All lengths in mm from the card's top left corner."""

import math
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from companion.games.drawing.svg import XY
from vision.cards import Edge, Face, Port

WIDEST_BEND_MM: Final = 28.0
STEP_MM: Final = 0.8
_INWARD: Final = {Edge.N: (0.0, 1.0), Edge.E: (-1.0, 0.0), Edge.S: (0.0, -1.0), Edge.W: (1.0, 0.0)}


class Spot(NamedTuple):
    """A place on the line and the unit vector that points along it."""

    x: float
    y: float
    along_x: float
    along_y: float

    def beside(self, right: float, forward: float = 0) -> XY:
        """The point this far to the right and forward."""
        return (
            self.x - right * self.along_y + forward * self.along_x,
            self.y + right * self.along_x + forward * self.along_y,
        )

    @property
    def heading_degrees(self) -> float:
        """Clockwise from the top."""
        return math.degrees(math.atan2(self.along_x, -self.along_y))


class CentreLine:
    """From one edge of the card to the other, square to both."""

    def __init__(self, face: Face) -> None:
        """Of a face whose two ports are known."""
        first, last = face.ports
        into, out = _INWARD[first.edge], _INWARD[last.edge]
        start, end = (_on_card(face, index) for index in (0, 1))
        if _square_to_each_other(first, last):
            self._curve = _bend(start, into, end, out)
        else:
            self._curve = _swing(start, into, end, out, doubles_back=first.edge is last.edge)
        self._into, self._out = into, (-out[0], -out[1])
        self._is_straight = into == self._out and (start[0] == end[0] or start[1] == end[1])

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Places close enough together to draw the line through them, the first and the last on the edges."""
        if self._is_straight:
            (x, y), (end_x, end_y) = self._curve(0), self._curve(1)
            return Spot(x, y, *self._into), Spot(end_x, end_y, *self._out)
        # The curve's parameter is no length: how long it is shows a fine copy of it.
        fine = [self._curve(step / 400) for step in range(401)]
        count = math.ceil(sum(map(math.dist, fine, fine[1:])) / STEP_MM)
        points = [self._curve(step / count) for step in range(count + 1)]
        inner = [
            Spot(*point, *_towards(before, after))
            for before, point, after in zip(points, points[1:], points[2:], strict=False)
        ]
        # At the edges exactly square: there the rails have to meet those of the next card.
        return Spot(*points[0], *self._into), *inner, Spot(*points[-1], *self._out)

    @cached_property
    def length(self) -> float:
        """From edge to edge, in mm."""
        return self._reached[-1]

    def at(self, distance: float) -> Spot:
        """The place this far along the line."""
        for index, (before, after) in enumerate(pairwise(self._reached)):
            if distance <= after or index == len(self.spots) - 2:
                share = (distance - before) / (after - before)
                start, end = self.spots[index : index + 2]
                mixed = [a + share * (b - a) for a, b in zip(start, end, strict=True)]
                norm = math.hypot(mixed[2], mixed[3])
                return Spot(mixed[0], mixed[1], mixed[2] / norm, mixed[3] / norm)
        raise AssertionError

    def beside(self, right: float, start: float = 0, end: float | None = None) -> list[XY]:
        """The line shifted to the right, or the part of it between two distances."""
        last = self.length if end is None else end
        inner = [spot for spot, reached in zip(self.spots, self._reached, strict=True) if start < reached < last]
        return [spot.beside(right) for spot in (self.at(start), *inner, self.at(last))]

    def distance_to(self, point: XY) -> float:
        """From a point to the nearest place on the line."""
        x, y = point
        away = []
        # A drawing asks this ten thousand times, of some forty pieces each: nothing is called for each of them.
        for left, top, across, down, square in self._pieces:
            share = ((x - left) * across + (y - top) * down) / square
            share = 0.0 if share < 0 else 1.0 if share > 1 else share
            off_x, off_y = x - left - share * across, y - top - share * down
            away.append(off_x * off_x + off_y * off_y)
        return math.sqrt(min(away))

    @cached_property
    def _pieces(self) -> list[tuple[float, float, float, float, float]]:
        """The straight pieces of the line: where each begins, how far it leads across and down, and its square."""
        pieces = []
        for start, end in pairwise(self.spots):
            across, down = end.x - start.x, end.y - start.y
            pieces.append((start.x, start.y, across, down, across**2 + down**2))
        return pieces

    @cached_property
    def _reached(self) -> list[float]:
        reached = [0.0]
        for before, after in pairwise(self.spots):
            reached.append(reached[-1] + math.dist(before[:2], after[:2]))
        return reached


def _on_card(face: Face, port: int) -> XY:
    x, y = face.port_offsets[port][0]
    return x + face.size_mm[0] / 2, y + face.size_mm[1] / 2


def _square_to_each_other(first: Port, last: Port) -> bool:
    return (first.edge.heading - last.edge.heading) % 2 == 1


def _bend(start: XY, into: XY, end: XY, out: XY) -> Callable[[float], XY]:
    """A quarter circle with straight pieces before and after it."""
    to_corner = abs((end[0] - start[0]) * into[0] + (end[1] - start[1]) * into[1])
    from_corner = abs((end[0] - start[0]) * out[0] + (end[1] - start[1]) * out[1])
    radius = min(to_corner, from_corner, WIDEST_BEND_MM)
    before, arc, after = to_corner - radius, radius * math.pi / 2, from_corner - radius
    begin = start[0] + before * into[0], start[1] + before * into[1]
    centre = begin[0] - radius * out[0], begin[1] - radius * out[1]

    def curve(share: float) -> XY:
        distance = share * (before + arc + after)
        if distance <= before:
            return start[0] + distance * into[0], start[1] + distance * into[1]
        if distance >= before + arc:
            left = before + arc + after - distance
            return end[0] + left * out[0], end[1] + left * out[1]
        angle = (distance - before) / radius
        sine, cosine = radius * math.sin(angle), radius * math.cos(angle)
        return centre[0] + cosine * out[0] + sine * into[0], centre[1] + cosine * out[1] + sine * into[1]

    return curve


def _swing(start: XY, into: XY, end: XY, out: XY, *, doubles_back: bool) -> Callable[[float], XY]:
    """A Bézier curve: straight, an S, or back to the same edge."""
    apart = math.dist(start, end)
    handle = (
        max(0.67 * apart, 28)
        if doubles_back
        else abs((end[0] - start[0]) * into[0] + (end[1] - start[1]) * into[1]) / 2
    )
    points = (
        start,
        (start[0] + handle * into[0], start[1] + handle * into[1]),
        (end[0] + handle * out[0], end[1] + handle * out[1]),
        end,
    )

    def curve(share: float) -> XY:
        rest = 1 - share
        weights = (rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3)
        x, y = (sum(weight * point[axis] for weight, point in zip(weights, points, strict=True)) for axis in (0, 1))
        return x, y

    return curve


def _towards(before: XY, after: XY) -> XY:
    apart = math.dist(before, after)
    return (after[0] - before[0]) / apart, (after[1] - before[1]) / apart
