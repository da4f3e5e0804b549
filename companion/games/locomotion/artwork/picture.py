"""A network as it lies on a table, with what stands on it, as vectors. All lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Final

from companion.games.drawing.svg import circle, document, element, group, path, rectangle, stroke, turned
from companion.games.locomotion.artwork.rails import CELL_MM, GAUGE_MM, OUT, RAIL, line, middle, tracks
from companion.games.locomotion.artwork.vehicles import locomotive_svg, wagon_svg
from companion.games.locomotion.rules import Network, Passage, Side, State
from companion.games.locomotion.rules.network import cells_of
from companion.games.locomotion.wording import Paints, swatches

MARGIN_MM: Final = 14.0
_TABLE: Final = "#dfe8dc"
_PIECE: Final = "#fdf9ee"
_PIECE_EDGE: Final = "#b9ad94"
_SHADE: Final = "#c3cdbf"
_SHADE_ON_ANY: Final = "rgba(0,0,0,.3)"
"""On a table whose colour is not known."""
_DOT: Final = "#20262d"
_BUFFER: Final = "#c8261d"


def network_svg(network: Network, state: State | None = None, title: str = "", paints: Paints = ()) -> str:
    """The network, and if a state on it is given its vehicles, with the order of colours beneath.

    ``paints`` are the people's own.
    """
    left, top = (min(dot[axis] for dot in network.dots) for axis in (0, 1))
    right, bottom = (max(dot[axis] for dot in network.dots) + 1 for axis in (0, 1))
    width, height = (right - left) * CELL_MM + 2 * MARGIN_MM, (bottom - top) * CELL_MM + 2 * MARGIN_MM
    order = "" if state is None else wanted_train(state, paints)
    order_width = 0 if state is None else (len(state.order) + 1) * CELL_MM + 2 * MARGIN_MM
    whole_width, whole_height = max(width, order_width), height + (CELL_MM + MARGIN_MM if order else 0)
    aside = (whole_width - width) / 2
    moved = group(
        *_pieces(network),
        *_tracks(network),
        *_dots(network),
        *([] if state is None else _vehicles(state, paints)),
        transform=f"translate({MARGIN_MM + aside - left * CELL_MM:g} {MARGIN_MM - top * CELL_MM:g})",
    )
    beneath = group(order, transform=f"translate({(whole_width - order_width) / 2 + MARGIN_MM:g} {height:g})")
    told = "".join(character if character.isprintable() else " " for character in title)
    inside = [element("title", escape(told))] if told else []
    inside += [rectangle(0, 0, whole_width, whole_height, _TABLE), moved]
    return document(whole_width, whole_height, *inside, *([beneath] if order else []))


def laid_svg(network: Network, *, has_buffers: bool = True) -> str:
    """The network alone, without the table below it: its cells from edge to edge."""
    left, top = (min(dot[axis] for dot in network.dots) for axis in (0, 1))
    moved = group(
        *_pieces(network, _SHADE_ON_ANY),
        *_tracks(network, has_buffers=has_buffers),
        *_dots(network),
        transform=f"translate({-left * CELL_MM:g} {-top * CELL_MM:g})",
    )
    return document(*laid_mm(network), moved)


def laid_mm(network: Network) -> tuple[float, float]:
    """Width and height of that."""
    columns, rows = ({dot[axis] for dot in network.dots} for axis in (0, 1))
    return (max(columns) - min(columns) + 1) * CELL_MM, (max(rows) - min(rows) + 1) * CELL_MM


def wanted_train(state: State, paints: Paints = ()) -> str:
    """The train that is wanted, in cells side by side from (0, 0) on: the locomotive, and its wagons in their order."""
    if not state.order:
        return ""
    at = [(index + 0.5) * CELL_MM for index in range(len(state.order) + 1)]
    # It looks away from its wagons.
    own, number = swatches(paints), state.drawn[0] + 1
    wagons = [wagon_svg(colour, own.get(colour, "")) for colour in state.order]
    wanted = [turned(locomotive_svg(number, own.get(number, "")), 180), *wagons]
    line = stroke([(at[0], CELL_MM / 2), (at[-1], CELL_MM / 2)], RAIL, 2.4)
    return line + "".join(
        group(drawing, transform=f"translate({x:g} {CELL_MM / 2:g})") for x, drawing in zip(at, wanted, strict=True)
    )


def _pieces(network: Network, shade: str = _SHADE) -> Iterator[str]:
    """Each piece's outline: its cells as one, with a shade below."""
    for fill, down in ((shade, 1.1), (_PIECE, 0.0)):
        for placed in network.pieces:
            cells = cells_of(network.piece, placed)
            edges = [
                (cell, side)
                for cell in cells
                for side in Side
                if (cell[0] + OUT[side][0], cell[1] + OUT[side][1]) not in cells
            ]
            outline = "".join(_edge(cell, side, down) for cell, side in edges)
            yield group(
                *(
                    rectangle(x * CELL_MM + 0.4, y * CELL_MM + 0.4 + down, CELL_MM - 0.8, CELL_MM - 0.8, fill)
                    for x, y in cells
                ),
                *(_bond(one, other, fill, down) for one in cells for other in cells if _is_next(one, other)),
                *([] if down else [path(outline, stroke=_PIECE_EDGE, stroke_width=0.6, stroke_linecap="round")]),
            )


def _is_next(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return (other[0] - one[0], other[1] - one[1]) in {(1, 0), (0, 1)}


def _bond(one: tuple[int, int], other: tuple[int, int], fill: str, down: float) -> str:
    """What lies between two cells of a piece."""
    x, y = max(one[0], other[0]) * CELL_MM, max(one[1], other[1]) * CELL_MM + down
    across = one[1] == other[1]
    inner = CELL_MM - 0.8
    return rectangle(x - 0.6, y + 0.4, 1.2, inner, fill) if across else rectangle(x + 0.4, y - 0.6, inner, 1.2, fill)


def _edge(cell: tuple[int, int], side: Side, down: float) -> str:
    x, y = middle(cell)
    out_x, out_y = OUT[side]
    half = CELL_MM / 2 - 0.4
    mid_x, mid_y = x + out_x * half, y + out_y * half + down
    return f"M{mid_x - out_y * half:g} {mid_y - out_x * half:g}L{mid_x + out_y * half:g} {mid_y + out_x * half:g}"


def _tracks(network: Network, *, has_buffers: bool = True) -> Iterator[str]:
    ways = [(dot, way) for dot, passages in zip(network.dots, network.passages, strict=True) for way in passages]
    yield from tracks(ways)
    for number, dot in enumerate(network.dots if has_buffers else ()):
        sides = {side for way in network.passages[number] for side in way}
        joined = [side for side in sides if network.neighbours[number][side] is not None]
        if len(joined) == 1 and joined[0].opposite in sides:
            yield _buffer(dot, joined[0].opposite)


def _buffer(dot: tuple[int, int], side: Side) -> str:
    """What stops who runs on where a spur ends."""
    (x, y), (out_x, out_y) = middle(dot), OUT[side]
    x, y = x + out_x * (CELL_MM / 2 - 1.6), y + out_y * (CELL_MM / 2 - 1.6)
    half = GAUGE_MM / 2 + 1.4
    return stroke([(x - out_y * half, y - out_x * half), (x + out_y * half, y + out_x * half)], _BUFFER, 2.0, "round")


def _dots(network: Network) -> Iterator[str]:
    for dot, passages in zip(network.dots, network.passages, strict=True):
        x, y, _ = stand(dot, passages)
        yield circle(x, y, 2.3, _PIECE, stroke=_DOT, stroke_width=0.7)


def stand(dot: tuple[int, int], passages: tuple[Passage, ...]) -> tuple[float, float, float]:
    """Where the middle of a track is, and its direction in degrees: of a straight one before an arc."""
    way = next((way for way in passages if way[0].opposite == way[1]), passages[0])
    first, last = Side(way[0]), Side(way[1])
    if first.opposite is last:
        return *middle(dot), 90.0 * (first % 2)
    points = line(dot, (first, last), 0)
    (x, y), (start, end) = points[len(points) // 2], (points[0], points[-1])
    return x, y, math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))


def stands(state: State) -> list[tuple[float, float, float]]:
    """Where each vehicle stands: its middle in mm from the corner of the cell (0, 0), and degrees clockwise."""
    dots, stock = state.setup.network.dots, state.stock
    found = [stand(dots[dot], lie) for dot, lie in zip(stock.dots, stock.lies, strict=True)]
    # What a locomotive pulls hangs on its back.
    for front, behind in [row[:2] for row in stock.rows if len(row) > 1 and state.setup.is_locomotive(row[0])]:
        x, y, degrees = found[front]
        ahead = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        if (found[behind][0] - x) * ahead[0] + (found[behind][1] - y) * ahead[1] > 0:
            found[front] = x, y, degrees + 180
    return found


def _vehicles(state: State, paints: Paints) -> Iterator[str]:
    """Couplings, and over them locomotives and wagons along the tracks on which they stand."""
    places = stands(state)
    for row in state.stock.rows:
        for one, other in pairwise(row):
            yield stroke([places[one][:2], places[other][:2]], RAIL, 2.4, "round")
    for vehicle, (x, y, degrees) in enumerate(places):
        draw = locomotive_svg if state.setup.is_locomotive(vehicle) else wagon_svg
        colour = state.setup.colours[vehicle]
        yield group(
            draw(colour, swatches(paints).get(colour, "")),
            transform=f"translate({x:.2f} {y:.2f}) rotate({degrees:.1f})",
        )
