"""A card's landscape: the ground of its season, and scenery wherever track and badges leave room."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Final, NamedTuple

from companion.games.drawing.svg import XY, group, moves, path, placed, polyline, rectangle
from companion.games.loknroll.artwork import places, plants
from companion.games.loknroll.artwork.palette import SEASONS


class Piece(NamedTuple):
    """Something that can stand in a landscape, within a circle of this radius in mm."""

    draw: Callable[[Random], str]
    radius: float


class Menu(NamedTuple):
    """What a season offers: large single things, trees in groves, and small things in between."""

    features: tuple[Piece, ...]
    trees: tuple[Piece, ...]
    companions: tuple[Piece, ...]
    small: tuple[Piece, ...]


class Circle(NamedTuple):
    """Room that is taken."""

    x: float
    y: float
    radius: float


_GREEN: Final = ("#4d8a3a", "#6aab4a", "#93cb68")
_RUST: Final = ("#86291a", "#b3531f", "#dd8136")

Put = Callable[[Piece, XY | None, float], Circle | None]
"""Draws a piece at a place and a scale, and tells the room that it takes; without a place it does nothing."""

MENUS: Final = {
    1: Menu(
        (Piece(places.cottage, 6.2), Piece(plants.tulips, 5.6), Piece(places.pond, 5.5), Piece(plants.young_crop, 5.9)),
        (Piece(plants.blossom_tree, 4.3), Piece(plants.blossom_tree, 4.3), Piece(plants.green_tree, 4.3)),
        (
            Piece(places.sheep, 2.3),
            Piece(places.sheep, 2.3),
            Piece(places.fence, 3.0),
            Piece(places.beehives, 2.8),
            Piece(partial(plants.bush, colours=_GREEN), 2.2),
        ),
        (
            Piece(partial(plants.flower, petals="#ffffff", heart="#f2b91f"), 1.1),
            Piece(partial(plants.flower, petals="#f6d32d", heart="#d98a12"), 1.1),
            Piece(partial(plants.tuft, colour="#5f9a3c"), 1.0),
            Piece(partial(plants.tuft, colour="#5f9a3c"), 1.0),
        ),
    ),
    2: Menu(
        (
            Piece(plants.wheat, 5.9),
            Piece(plants.sunflowers, 5.7),
            Piece(places.windmill, 6.4),
            Piece(places.farmhouse, 6.2),
            Piece(places.barn, 6.0),
        ),
        (Piece(plants.poplar, 4.8), Piece(plants.poplar, 4.8), Piece(plants.fruit_tree, 4.3)),
        (
            Piece(places.hay_bale, 2.3),
            Piece(places.hay_bale, 2.3),
            Piece(places.cow, 3.0),
            Piece(partial(plants.bush, colours=("#4c7a2c", "#6f9a39", "#9dbb55")), 2.2),
        ),
        (
            Piece(partial(plants.flower, petals="#e2382a", heart="#2a1a14"), 1.1),
            Piece(partial(plants.flower, petals="#3f74c4", heart="#f5e7a0"), 1.1),
            Piece(partial(plants.tuft, colour="#b98d1f"), 1.0),
            Piece(partial(plants.tuft, colour="#8f9a2f"), 1.0),
        ),
    ),
    3: Menu(
        (
            Piece(places.smoking_cottage, 6.4),
            Piece(plants.vines, 5.7),
            Piece(plants.ploughed, 5.9),
            Piece(places.chapel, 6.2),
        ),
        (Piece(plants.rusty_tree, 4.3), Piece(plants.rusty_tree, 4.3), Piece(plants.rusty_tree, 4.3)),
        (
            Piece(plants.pumpkins, 2.9),
            Piece(places.deer, 3.5),
            Piece(plants.mushrooms, 1.9),
            Piece(partial(plants.bush, colours=_RUST), 2.2),
        ),
        (
            Piece(plants.leaves, 1.5),
            Piece(plants.leaves, 1.5),
            Piece(partial(plants.tuft, colour="#95501f"), 1.0),
        ),
    ),
    4: Menu(
        (Piece(places.snowy_cottage, 6.2), Piece(places.frozen_pond, 5.5), Piece(places.snowman, 4.0)),
        (
            Piece(plants.snowy_fir, 4.6),
            Piece(plants.snowy_fir, 4.6),
            Piece(plants.snowy_fir, 4.6),
            Piece(plants.bare_tree, 4.3),
        ),
        (Piece(places.sledge, 2.6), Piece(places.snowman, 4.0), Piece(places.fence, 3.0), Piece(places.deer, 3.5)),
        (
            Piece(plants.snowdrift, 2.0),
            Piece(plants.snowflake, 1.1),
            Piece(partial(plants.tuft, colour="#7fa6c0"), 1.0),
        ),
    ),
}
"""By value: spring, summer, autumn, winter."""


class Room:
    """Where on a card scenery may still stand."""

    def __init__(self, size: tuple[float, float], margin: float, clearance: Callable[[XY], float]) -> None:
        """``clearance`` tells how far a point is from what scenery must never cover."""
        self._size, self._margin, self._clearance = size, margin, clearance
        self.taken: list[Circle] = []

    def find(self, radius: float, rng: Random, tries: int) -> XY | None:
        """Of some random free places the roomiest."""
        found = [(self._room_at(point, radius), point) for point in self._guesses(radius, rng, tries)]
        best, point = max(found, default=(-1.0, (0.0, 0.0)))
        return point if best >= 0 else None

    def find_near(self, anchor: Circle, radius: float, rng: Random) -> XY | None:
        """A place in the same grove: close behind or before the anchor, so that crowns overlap a little."""
        for _ in range(24):
            angle, apart = rng.uniform(0, 2 * math.pi), (anchor.radius + radius) * rng.uniform(0.62, 0.8)
            point = anchor.x + apart * math.cos(angle), anchor.y + apart * math.sin(angle)
            if self._is_on_card(point, radius) and self._room_at(point, radius, overlap=0.6) >= 0:
                return point
        return None

    def _guesses(self, radius: float, rng: Random, tries: int) -> list[XY]:
        reach = self._margin + radius
        width, height = self._size
        if min(width, height) <= 2 * reach:
            return []
        return [(rng.uniform(reach, width - reach), rng.uniform(reach, height - reach)) for _ in range(tries)]

    def _is_on_card(self, point: XY, radius: float) -> bool:
        reach = self._margin + radius
        return all(reach <= place <= side - reach for place, side in zip(point, self._size, strict=True))

    def _room_at(self, point: XY, radius: float, overlap: float = 1) -> float:
        """How much room is left around a circle there; below 0 none."""
        others = (math.dist(point, other[:2]) - overlap * (other.radius + radius) for other in self.taken)
        return min(self._clearance(point) - radius, *others, 99.0)


def ground(value: int, width: float, height: float, rng: Random) -> str:
    """The season's ground in soft waves."""
    season = SEASONS[value]
    waves, colours = [], (season.lighter, season.ground, season.darker, season.ground)
    top = rng.uniform(0.1, 0.2) * height
    tilt = rng.uniform(-0.22, 0.22)
    for index in range(5):
        swing, phase = rng.uniform(2.0, 4.0), rng.uniform(0, 2 * math.pi)
        heights = (
            top + tilt * width * (step / 24 - 0.5) + swing * math.sin(phase + 5 * step / 24) for step in range(25)
        )
        line = [(width * step / 24, min(height, max(0.0, y))) for step, y in enumerate(heights)]
        outline = polyline([*line, (width, height), (0, height)]) + "Z"
        waves.append(path(outline, colours[index % 4]))
        top += rng.uniform(0.16, 0.24) * height
    return group(rectangle(0, 0, width, height, season.ground), *waves)


def scenery(value: int, room: Room, rng: Random) -> str:
    """Trees, houses, animals and flowers of the season, those further down before those further up."""
    menu = MENUS[value]
    drawn: list[tuple[float, str]] = []

    def put(piece: Piece, point: XY | None, scale: float) -> Circle | None:
        if point is None:
            return None
        circle = Circle(*point, scale * piece.radius)
        room.taken.append(circle)
        # By the foot of things: what stands farther down is nearer, and is drawn over what is behind it.
        drawn.append((point[1] + circle.radius, placed(piece.draw(rng), *point, scale=scale)))
        return circle

    for piece in rng.sample(menu.features, 2):
        for scale in (1.6, 1.4, 1.2, 1):
            if put(piece, room.find(scale * piece.radius, rng, 90), scale):
                break
    for _ in range(5):
        _grove(menu.trees, put, room, rng)
    for piece in rng.choices(menu.companions, k=6):
        put(piece, room.find(1.2 * piece.radius, rng, 12), 1.2)
    for piece in rng.choices(menu.small, k=22):
        put(piece, room.find(piece.radius, rng, 5), 1)
    return group(*(drawing for _, drawing in sorted(drawn)))


def _grove(trees: Sequence[Piece], put: Put, room: Room, rng: Random) -> None:
    """A tree with one to three more around it."""
    first, scale = rng.choice(trees), rng.uniform(1.1, 1.35)
    anchor = put(first, room.find(scale * first.radius, rng, 14), scale)
    if anchor is None:
        return
    for _ in range(rng.randint(1, 3)):
        piece, scale = rng.choice(trees), rng.uniform(0.95, 1.3)
        put(piece, room.find_near(anchor, scale * piece.radius, rng), scale)


def frame(width: float, height: float, border: float, fill: str) -> str:
    """A border around the card, rounded on its inner side."""
    left, right, top, bottom, corner = border, width - border, border, height - border, 2.2
    arc = ("A", corner, corner, "0 0 1")
    inner = moves(
        *("M", left + corner, top, "H", right - corner, *arc, right, top + corner),
        *("V", bottom - corner, *arc, right - corner, bottom),
        *("H", left + corner, *arc, left, bottom - corner),
        *("V", top + corner, *arc, left + corner, top, "Z"),
    )
    return path(moves("M0 0 H", width, "V", height, "H0 Z", inner), fill, fill_rule="evenodd")
