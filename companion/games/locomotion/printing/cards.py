"""Cards for locomotives, wagons and speeds, and the back that they all have. All lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from companion.games.drawing.canvas import INK, LINE_HEIGHT, POINT_MM, Canvas
from companion.games.drawing.sheets import Card
from companion.games.drawing.svg import XY, circle, document, group, path, placed, polygon, rectangle, stroke, turned
from companion.games.locomotion.artwork.rails import (
    BALLAST,
    BAND_MM,
    CELL_MM,
    GAUGE_MM,
    RAIL,
    SLEEPER,
    SLEEPER_MM,
    tracks,
)
from companion.games.locomotion.artwork.vehicles import (
    COLOURS,
    LIGHT,
    locomotive_sign,
    locomotive_svg,
    wagon_sign,
    wagon_svg,
)
from companion.games.locomotion.rules import Side as CellSide
from companion.games.locomotion.rules.state import FASTEST
from companion.games.locomotion.wording import Wording
from companion.texts.language import Texts

CARD_MM: Final = (39.0, 63.0)
"""Small enough to lie beside a network, and all 36 fit on two sheets."""
BACK: Final = "#17402f"
_PAPER, _MEADOW, _GREY = "#fffdf6", "#c8d6a4", "#59636b"
_WIDTH, _HEIGHT = CARD_MM
_MIDDLE: Final = _WIDTH / 2
_HEAD: Final = 11.0
"""Height of the coloured band with the sign."""
_FOOT: Final = 12.0
_NAME_AT, _LABEL_AT, _NUMERAL_AT = 55.4, 60.0, 43.0
_LABEL: Final = 7.5
_TILE: Final = 8.0
_TILES: Final = ("/\\\\/", "\\//\\", "/\\/\\", "\\//\\", "\\/\\/", "\\//\\", "/\\\\/")
"""The back, in squares: / has arcs around its upper left and lower right corners. By half a turn it stays the same."""


class _Line(NamedTuple):
    """A line of writing in the middle of a card, and how far down."""

    text: str
    middle: float
    points: float
    is_bold: bool = False


def game_cards(canvas: Canvas, say: Texts) -> list[Card]:
    """All cards: one for each colour of locomotives and wagons, and a set of speeds for each locomotive (LMAT1)."""
    colour_of = Wording(say.language).colour
    locomotives = [(_vehicle_svg(locomotive_svg(each), locomotive_sign(each), each), each) for each in COLOURS]
    wagons = [(_vehicle_svg(wagon_svg(each), wagon_sign(each), each), each) for each in COLOURS]
    fronts = [
        (
            drawing,
            (_Line(colour_of(colour).capitalize(), _NAME_AT, 13.0, is_bold=True), _Line(label, _LABEL_AT, _LABEL)),
        )
        for drawings, label in ((locomotives, say("cards.locomotive")), (wagons, say("cards.wagon")))
        for drawing, colour in drawings
    ]
    label = _Line(say("cards.speed"), _LABEL_AT, _LABEL)
    fronts += [
        (_speed_svg(colour, speed), (_Line(str(speed), _NUMERAL_AT, 58.0, is_bold=True), label))
        for colour in COLOURS
        for speed in range(FASTEST + 1)
    ]
    back = partial(canvas.draw, back_svg())
    return [Card(partial(_front, canvas, *front), back, bleed=BACK) for front in fronts]


def back_svg() -> str:
    """Tracks that wind over the whole card."""
    left, top = (_WIDTH - _TILE * len(_TILES[0])) / 2, (_HEIGHT - _TILE * len(_TILES)) / 2
    scale = _TILE / CELL_MM
    arcs = [
        arc for row, line in enumerate(_TILES) for column, way in enumerate(line) for arc in _arcs(column, row, way)
    ]
    layers = [
        _along(arcs, 0, BALLAST, BAND_MM),
        _along(arcs, 0, SLEEPER, SLEEPER_MM[0], stroke_dasharray="1.9 2.2"),
        _along(arcs, GAUGE_MM / 2, RAIL, 1.5),
        _along(arcs, -GAUGE_MM / 2, RAIL, 1.5),
    ]
    frame = rectangle(1.8, 1.8, _WIDTH - 3.6, _HEIGHT - 3.6, "none", rx=1.6, stroke=BALLAST, stroke_width=0.5)
    drawn = group(*layers, transform=f"translate({left:g} {top:g}) scale({scale:g})")
    return document(_WIDTH, _HEIGHT, rectangle(0, 0, _WIDTH, _HEIGHT, BACK), drawn, frame)


def _arcs(column: int, row: int, way: str) -> Iterator[tuple[XY, float]]:
    """The corners of a square around which its arcs run, and where in degrees an arc begins there."""
    corners = ((0, 0, 0), (1, 1, 180)) if way == "/" else ((1, 0, 90), (0, 1, 270))
    for right, down, degrees in corners:
        yield ((column + right) * CELL_MM, (row + down) * CELL_MM), degrees


def _along(arcs: list[tuple[XY, float]], aside: float, colour: str, width: float, **attributes: str) -> str:
    """A line along all arcs, so far aside of their middles."""
    radius = CELL_MM / 2 + aside
    return path("".join(_quarter(*arc, radius) for arc in arcs), stroke=colour, stroke_width=width, **attributes)


def _quarter(centre: XY, degrees: float, radius: float) -> str:
    """A quarter of a circle as a curve, which is drawn four times as fast as an arc."""
    across, down = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    bent = 4 / 3 * math.tan(math.pi / 8)
    points = ((1, 0), (1, bent), (bent, 1), (0, 1))
    places = (
        f"{centre[0] + radius * (x * across - y * down):.2f} {centre[1] + radius * (x * down + y * across):.2f}"
        for x, y in points
    )
    return "M{} C{} {} {}".format(*places)


def _front(canvas: Canvas, drawing: str, lines: tuple[_Line, ...], x: float, y: float) -> None:
    canvas.draw(drawing, x, y)
    for text, middle, points, is_bold in lines:
        top = y + middle - points * POINT_MM * LINE_HEIGHT / 2
        colour = INK if is_bold else _GREY
        canvas.write(text, x, top, _WIDTH, points=points, bold=is_bold, colour=colour, align="C")


def _vehicle_svg(vehicle: str, sign: str, colour: int) -> str:
    """The vehicle from above on a track through a meadow, upwards."""
    scale, high = 1.75, _HEIGHT - _HEAD - _FOOT
    way = (CellSide.S, CellSide.N)
    rails = group(*tracks([((0, 0), way), ((0, 1), way)]))
    railway = placed(rails, _MIDDLE - scale * CELL_MM / 2, _HEAD + high / 2 - scale * CELL_MM, scale=scale)
    above = placed(turned(vehicle, -90), _MIDDLE, _HEAD + high / 2, scale=scale)
    return document(
        _WIDTH,
        _HEIGHT,
        rectangle(0, 0, _WIDTH, _HEIGHT, _MEADOW),
        railway,
        above,
        rectangle(0, _HEIGHT - _FOOT, _WIDTH, _FOOT, _PAPER),
        _head(sign, colour),
    )


def _head(sign: str, colour: int) -> str:
    band = rectangle(0, 0, _WIDTH, _HEAD, COLOURS[colour])
    line = stroke([(0, _HEAD), (_WIDTH, _HEAD)], INK, 0.6)
    return band + line + placed(sign, _MIDDLE, _HEAD / 2, scale=1.1)


def _speed_svg(colour: int, speed: int) -> str:
    """A dial above the place of the numeral, with its hand at the speed."""
    radius, foot = 12.5, 29.0

    def at(tick: float, far: float) -> XY:
        angle = math.pi * (1 - tick / FASTEST)
        return _MIDDLE + far * math.cos(angle), foot - far * math.sin(angle)

    ticks = (
        circle(*at(tick, radius), 1.5, COLOURS[colour] if tick <= speed else _PAPER, stroke=INK, stroke_width=0.5)
        for tick in range(FASTEST + 1)
    )
    (tip_x, tip_y), wide = at(speed, radius - 3), 1.0
    across = (foot - tip_y) / (radius - 3) * wide, (tip_x - _MIDDLE) / (radius - 3) * wide
    hand = polygon(
        [(_MIDDLE - across[0], foot - across[1]), (tip_x, tip_y), (_MIDDLE + across[0], foot + across[1])], INK
    )
    return document(
        _WIDTH,
        _HEIGHT,
        rectangle(0, 0, _WIDTH, _HEIGHT, _PAPER),
        _head(locomotive_sign(colour), colour),
        *ticks,
        hand,
        circle(_MIDDLE, foot, 1.7, INK),
        circle(_MIDDLE, foot, 0.7, LIGHT),
    )
