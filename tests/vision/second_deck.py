"""A second deck, drawn for tests in a style quite unlike our own: a blueprint.

Thin bright lines on a dark ground, a large roman numeral in the middle, the same small in two corners; no landscape.
Cards are narrower and longer than ours, and their rails do not leave them in the middle of their edges. Faces with
the same rails differ by their numerals only.
"""

from __future__ import annotations

import math
from typing import Final

from msgspec.structs import replace

from companion.games.drawing.raster import rasterized
from companion.games.drawing.svg import (
    XY,
    circle,
    document,
    group,
    placed,
    polygon,
    polyline,
    rectangle,
    stroke,
    turned,
)
from companion.games.drawing.svg import path as outline
from companion.games.loknroll.artwork.centre_line import CentreLine
from companion.games.loknroll.artwork.drawn_deck import FACE_PX_PER_MM
from vision.cards import Deck, Face, Kind, Port, standard_deck
from vision.cards.deck import checked_deck
from vision.deck_pictures import DeckPictures

CARD_MM: Final = (59.0, 92.0)
OFFSETS_MM: Final = {"N": 11.0, "E": 16.0, "S": 0.0, "W": 16.0}
"""Where the rails leave the card, from the middle of the edge to the right or down."""
STRAIGHT_MM: Final = 11.0
"""The same for both ends of a track from bottom to top."""

GROUND: Final = "#1d4f91"
GRID: Final = "#2f63a6"
LINE: Final = "#e6f1fb"
ALARM: Final = "#ffb169"
GAUGE_MM: Final = 10.0
SLEEPER_MM: Final = 14.0
NUMERAL_MM: Final = 21.0
SMALL_NUMERAL_MM: Final = 8.0
STROKES: Final[dict[int, tuple[tuple[XY, ...], ...]]] = {
    1: (((0, -0.5), (0, 0.5)),),
    2: (((-0.19, -0.5), (-0.19, 0.5)), ((0.19, -0.5), (0.19, 0.5))),
    3: (((-0.36, -0.5), (-0.36, 0.5)), ((0, -0.5), (0, 0.5)), ((0.36, -0.5), (0.36, 0.5))),
    4: (((-0.42, -0.5), (-0.42, 0.5)), ((-0.2, -0.5), (0.13, 0.5), (0.46, -0.5))),
}
"""Roman numerals in parts of their height, around their middle."""
WIDTHS: Final = {1: 0.3, 2: 0.66, 3: 1.0, 4: 1.08}


def blueprint_deck() -> DeckPictures:
    """The deck and pictures of its faces and back; its cards are those of our own, as far as the rules see them."""
    own = standard_deck("standard-55")
    faces = tuple(replace(face, ports=_ports(face), size_mm=CARD_MM) for face in own.faces)
    deck = checked_deck(Deck("blueprint", faces, CARD_MM))
    pictures = {face.id: rasterized(blueprint_svg(face), FACE_PX_PER_MM) for face in deck.faces}
    return DeckPictures(deck, pictures, rasterized(back_svg(), FACE_PX_PER_MM))


def blueprint_svg(face: Face) -> str:
    """The picture of a face."""
    width, height = CARD_MM
    line = CentreLine(face) if face.has_rails else None
    broken = _break(line) if line and face.kind is Kind.BROKEN else ""
    picture = _railway(line) + broken if line else _wreckage()
    return document(
        width,
        height,
        rectangle(0, 0, width, height, GROUND),
        _grid(),
        rectangle(2, 2, width - 4, height - 4, "none", stroke=LINE, stroke_width=0.45),
        picture,
        _title_block(),
        _numeral(face.value, width / 2, height / 2, NUMERAL_MM),
        _numeral(face.value, 8.2, 8.8, SMALL_NUMERAL_MM),
        turned(_numeral(face.value, width - 8.2, height - 8.8, SMALL_NUMERAL_MM), 180, width - 8.2, height - 8.8),
    )


def back_svg() -> str:
    """The picture of the back: a compass rose on the grid."""
    width, height = CARD_MM
    rays = (stroke([(0, 0), (0, -18 if index % 2 else -24)], LINE, 0.5) for index in range(16))
    rose = group(*(turned(ray, 22.5 * index) for index, ray in enumerate(rays)))
    rings = (circle(0, 0, radius, "none", stroke=LINE, stroke_width=0.5) for radius in (9, 18, 24))
    return document(
        width,
        height,
        rectangle(0, 0, width, height, GROUND),
        _grid(),
        rectangle(3, 3, width - 6, height - 6, "none", stroke=LINE, stroke_width=0.8),
        placed(group(rose, *rings), width / 2, height / 2),
    )


def _ports(face: Face) -> tuple[Port, ...]:
    edges = {port.edge for port in face.ports}
    if edges == {"N", "S"}:
        return tuple(Port(port.edge, STRAIGHT_MM) for port in face.ports)
    return tuple(Port(port.edge, OFFSETS_MM[port.edge]) for port in face.ports)


def _grid() -> str:
    width, height = CARD_MM
    across = (stroke([(x, 0), (x, height)], GRID, 0.3) for x in (4.5 + 5.0 * step for step in range(11)))
    down = (stroke([(0, y), (width, y)], GRID, 0.3) for y in (1.0 + 5.0 * step for step in range(19)))
    return group(*across, *down)


def _railway(line: CentreLine) -> str:
    """Two rails, thin sleepers and a dashed line in the middle, on bare ground to the card's edges."""
    count = max(2, round(line.length / 6.0))
    places = ((index + 0.5) * line.length / count for index in range(count))
    half = SLEEPER_MM / 2
    sleepers = (stroke([line.at(place).beside(side) for side in (-half, half)], LINE, 0.4) for place in places)
    rails = (stroke(line.beside(side), LINE, 0.8) for side in (-GAUGE_MM / 2, GAUGE_MM / 2))
    dashes = outline(polyline(line.beside(0)), stroke=LINE, stroke_width=0.35, stroke_dasharray="4 1.5 0.8 1.5")
    return group(stroke(line.beside(0), GROUND, SLEEPER_MM + 1), *sleepers, dashes, *rails)


def _break(line: CentreLine) -> str:
    """A gap between two jagged lines, as draughtsmen draw it, and a cross."""
    middle, half = 0.27 * line.length, SLEEPER_MM / 2 + 1.5
    gap = stroke(line.beside(0, middle - 4, middle + 4), GROUND, SLEEPER_MM + 1.5)
    jags = []
    for shift in (-4.0, 4.0):
        spot = line.at(middle + shift)
        points = [(-half, 0.0), (-1.5, 0.0), (-0.5, 2.2), (0.5, -2.2), (1.5, 0.0), (half, 0.0)]
        jags.append(stroke([spot.beside(right, forward) for right, forward in points], ALARM, 0.7))
    spot = line.at(middle)
    cross = (stroke([spot.beside(-4, -2.4 * lean), spot.beside(4, 2.4 * lean)], ALARM, 0.9) for lean in (-1, 1))
    return group(gap, *jags, *cross)


def _wreckage() -> str:
    """Rings and struck-out construction lines: no railway."""
    width, height = CARD_MM
    middle = (width / 2, height / 2)
    rings = (circle(*middle, radius, "none", stroke=ALARM, stroke_width=0.6) for radius in (17.5, 21.0, 24.5))
    rays = []
    for index in range(24):
        degrees = 15.0 * index
        # Sideways they stop at the frame.
        reach = min((38, 31, 34)[index % 3], 25 / max(abs(math.sin(math.radians(degrees))), 0.1))
        if reach > 26:
            ray = stroke([(middle[0], middle[1] - 26), (middle[0], middle[1] - reach)], ALARM, 0.7)
            rays.append(turned(ray, degrees, *middle))
    frame = polygon([(4, 4), (width - 4, 4), (width - 4, height - 4), (4, height - 4)], "none", stroke=ALARM)
    return group(*rings, *rays, frame)


def _title_block() -> str:
    """The corner in which a draughtsman signs: it tells which way up the card is."""
    bottom = CARD_MM[1] - 3.4
    cells = (rectangle(3.4, bottom - 3.2 * row, 11 - 2.5 * row, 3.2, GROUND, stroke=LINE) for row in (1, 2))
    inside = (
        stroke([(4.4, bottom - 1.6 - 3.2 * row), (10 - 3 * row, bottom - 1.6 - 3.2 * row)], LINE, 0.6) for row in (0, 1)
    )
    return group(*cells, *inside, stroke_width=0.4)


def _numeral(value: int, x: float, y: float, height: float) -> str:
    """A roman numeral with bars above and below, around its middle, on bare ground."""
    thick = 0.115 * height
    half = WIDTHS[value] / 2 * height
    lines = [[(x + height * across, y + height * down) for across, down in part] for part in STROKES[value]]
    bars = [[(x - half, y + end * height), (x + half, y + end * height)] for end in (-0.5, 0.5)]
    clear = rectangle(x - half - thick, y - 0.5 * height - thick, 2 * (half + thick), height + 2 * thick, GROUND)
    return clear + group(
        *(stroke(part, LINE, thick) for part in lines), *(stroke(part, LINE, 0.6 * thick) for part in bars)
    )
