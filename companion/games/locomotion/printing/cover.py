"""The first page: what the game has, how it is printed, cut and folded, and a ruler. All lengths in mm."""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec

from companion.games.drawing.canvas import Canvas
from companion.games.drawing.marks import ruler
from companion.games.drawing.png import size_mm
from companion.games.drawing.svg import contents, document, group, placed
from companion.games.locomotion.artwork.picture import network_svg
from companion.games.locomotion.artwork.vehicles import COLOURS
from companion.games.locomotion.networks import draw_start
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.printing.pieces import piece_drawing, piece_svg
from companion.games.locomotion.printing.vehicles import WAGONS
from companion.games.locomotion.rules import Network, Piece, Side
from companion.texts.language import Texts

SIDE_MM: Final = 18.0
RULER_MM: Final = 50.0
_GREY: Final = "#59636b"
_POINTS: Final = 10.5
_PICTURE_MM: Final = 88.0
"""The height that the picture of a network may take."""
_MOST_PIECES: Final = 16
"""Of that network: more would be too small to be seen."""
_SECTIONS: Final = ("printing", "rails", "vehicles", "playing")


def cover_page(canvas: Canvas, piece: Piece, pieces: int, cards: int, say: Texts) -> None:
    """Title, picture, list, what to do, and the ruler."""
    canvas.add_page()
    width = canvas.paper.width - 2 * SIDE_MM
    y = canvas.write("Locomotion", SIDE_MM, SIDE_MM - 4, width, points=34, bold=True)
    y = canvas.write(say("cover.subtitle"), SIDE_MM, y - 1, width, points=13, colour=_GREY) + 4
    y = _picture(canvas, piece, y) + 5
    wagons = WAGONS * len(COLOURS)
    listed = say.counted("cover.contents", count=pieces, locomotives=len(COLOURS), wagons=wagons, cards=cards)
    y = canvas.write(listed, SIDE_MM, y, width, points=_POINTS, bold=True) + 3.5
    for section in _SECTIONS:
        y = canvas.write(say(f"cover.{section}-title"), SIDE_MM, y, width, points=_POINTS, bold=True)
        y = canvas.write(say(f"cover.{section}"), SIDE_MM, y, width, points=_POINTS) + 2.2
    foot = canvas.paper.height - SIDE_MM
    _joint(canvas, piece, y, foot - 8)
    canvas.draw(ruler(RULER_MM), SIDE_MM, foot - 5)
    canvas.write(say("cover.ruler"), SIDE_MM + RULER_MM + 4, foot - 5, width - RULER_MM - 4, points=_POINTS)


def _joint(canvas: Canvas, piece: Piece, top: float, bottom: float) -> None:
    """Two pieces at their real size that are about to be joined, if there is room for them."""
    edge = max(x for x, _ in piece.cells)
    port = next(((x, y) for (x, y), side in piece.ports() if x == edge and side is Side.E), None)
    if port is None:
        return
    left, below = (min(places) * CELL_MM for places in zip(*piece.cells, strict=True))
    # The other piece is turned by half about the middle of the joint, and then drawn away.
    middle, apart = (CELL_MM * (edge + 0.5), CELL_MM * port[1]), 10.0
    other = group(piece_drawing(piece), transform=f"translate({2 * middle[0] + apart:g} {2 * middle[1]:g}) rotate(180)")
    high = 2 * (CELL_MM * (max(y for _, y in piece.cells) + 1) - below)
    wide = 2 * (middle[0] - left + CELL_MM) + apart
    if wide > canvas.paper.width - 2 * SIDE_MM or high > bottom - top:
        return
    drawing = placed(piece_drawing(piece) + other, wide / 2 - middle[0] - apart / 2, high / 2 - middle[1])
    canvas.draw(document(wide, high, drawing), (canvas.paper.width - wide) / 2, (top + bottom - high) / 2)


def _picture(canvas: Canvas, piece: Piece, top: float) -> float:
    """A network of such pieces with a train in it, or the piece where none ships; returns where it ends."""
    network = _flattest(piece)
    if network is None:
        drawing = piece_svg(piece)
    else:
        drawing = network_svg(network, msgspec.structs.replace(draw_start(Random(1), network, 4).start(), order=()))
    wide, high = size_mm(drawing)
    width = canvas.paper.width - 2 * SIDE_MM
    scale = min(width / wide, _PICTURE_MM / high, 1.0)
    left = SIDE_MM + (width - scale * wide) / 2
    canvas.draw(document(scale * wide, scale * high, placed(contents(drawing), 0, 0, scale=scale)), left, top)
    return top + scale * high


def _flattest(piece: Piece) -> Network | None:
    """Of the smaller networks of such pieces that ship the one that is widest beside its height."""
    networks = [named.network() for named in named_networks().values()]
    those = [network for network in networks if network.piece == piece and len(network.pieces) <= _MOST_PIECES]
    return max(those, key=_flatness, default=None)


def _flatness(network: Network) -> float:
    columns, rows = ({dot[axis] for dot in network.dots} for axis in (0, 1))
    return len(columns) / len(rows)
