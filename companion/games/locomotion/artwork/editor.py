"""A network that is being laid, piece by piece, and the tools with which a page puts it right. All lengths in mm."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Mapping
from itertools import combinations
from typing import Any, Final

from companion.games.drawing.svg import document, path, stroke
from companion.games.locomotion.artwork.lying import VEHICLES, figure_drawing, figure_mm, figure_name
from companion.games.locomotion.artwork.picture import laid_mm, laid_svg, stand
from companion.games.locomotion.artwork.rails import CELL_MM, RAIL, middle
from companion.games.locomotion.artwork.rails import tracks as rails
from companion.games.locomotion.rules import Network, Passage, Piece, PlacedPiece, Side
from companion.games.locomotion.rules.network import cells_of, joined
from companion.games.locomotion.wording import Kind, Paints, Wording
from vision.watching.network_reading import Cell, NetworkReading

TURN: Final = "turn"
TAKE: Final = "take"
_TOOL_MM: Final = (18.0, 18.0)
_TOOLS: Final = {
    TURN: path("M14.2 9A5.4 5.4 0 1 1 11 4.1", stroke=RAIL, stroke_width=1.8)
    + path("M9.2 1.2L14.4 4.4L9.6 7.6Z", RAIL),
    TAKE: stroke([(4.4, 4.4), (13.6, 13.6)], RAIL, 2.2, "round")
    + stroke([(13.6, 4.4), (4.4, 13.6)], RAIL, 2.2, "round"),
}


def _track_name(way: Passage) -> str:
    return f"track-{way[0].name}{way[1].name}".lower()


TRACKS: Final[Mapping[str, Passage]] = {_track_name(way): way for way in combinations(Side, 2)}
"""All tracks that can be in a cell, by the names of their drawings."""


def piece_name(piece: Piece) -> str:
    """What a piece is called as a card. Another shape has another name: a browser keeps drawings by their names."""
    return f"piece-{zlib.crc32(repr(piece).encode()):08x}"


def tools(piece: Piece, players: int, colours: int, paints: Paints) -> list[str]:
    """What can be put onto the table by a touch, and done to what lies there: names for ``editor_drawing``."""
    locomotives = [Kind(number, is_locomotive=True) for number in range(1, players + 1)]
    wagons = [Kind(colour, is_locomotive=False) for colour in range(1, colours + 1)]
    return [piece_name(piece), TURN, TAKE, *(figure_name(kind, paints) for kind in (*locomotives, *wagons))]


def editor_drawing(piece: Piece, name: str) -> str:
    """The SVG of a piece of rail that heads east, of a tool or a vehicle; "" for any other name."""
    if name == piece_name(piece):
        return laid_svg(_alone(piece), has_buffers=False)
    if name in TRACKS:
        return document(CELL_MM, CELL_MM, *rails([((0, 0), TRACKS[name])]))
    return document(*_TOOL_MM, _TOOLS[name]) if name in _TOOLS else figure_drawing(name)


def tracks_laid(tracks: Mapping[Cell, Collection[Passage]]) -> dict[str, Any]:
    """``cards`` for a page: each track on its cell."""
    ways = [(cell, way) for cell, told in sorted(tracks.items()) for way in sorted(told)]
    places = [(*middle(cell), _track_name(way)) for cell, way in ways]
    return {
        "cards": [{"face": name, "size": (CELL_MM, CELL_MM), "x": x, "y": y, "turn": 0} for x, y, name in places],
        "figures": [],
    }


def laid(piece: Piece, reading: NetworkReading, is_marked: Callable[[Cell], bool], paints: Paints) -> dict[str, Any]:
    """``cards`` and ``figures`` for a page (``Play.facts``): each piece, and the vehicles, whether they may or not.

    What lies on a marked cell is marked.
    """
    pieces = [PlacedPiece(seen.cell, seen.heading) for seen in reading.pieces]
    network, look = joined(piece, pieces), {"face": piece_name(piece), "size": list(laid_mm(_alone(piece)))}
    cards = []
    for seen, placed in zip(reading.pieces, pieces, strict=True):
        cells = cells_of(piece, placed)
        x, y = (CELL_MM * (min(ends) + max(ends) + 1) / 2 for ends in zip(*cells, strict=True))
        mark = {"marked": True} if any(map(is_marked, cells)) else {}
        cards.append({**look, "x": x, "y": y, "turn": 90 * Side[seen.heading], **mark})
    figures = []
    for vehicle in reading.vehicles:
        name = figure_name(Kind(vehicle.colour, vehicle.is_locomotive), paints)
        x, y, turn = _stand(network, vehicle.dot)
        mark = {"marked": True} if is_marked(vehicle.dot) else {}
        figures.append(
            {"name": name, "size": list(figure_mm(name)), "x": round(x, 1), "y": round(y, 1), "turn": turn, **mark}
        )
    return {"cards": cards, "figures": figures}


def called(piece: Piece, say: Wording, paints: Paints) -> dict[str, str]:
    """What people call all this, by the names of the drawings."""
    own = {piece_name(piece): "piece", TURN: "turn", TAKE: "take"}
    vehicles = {figure_name(kind, paints): say.kind(kind) for kind in VEHICLES}
    tracks = {name: say(f"tool.{name}") for name in TRACKS}
    return {**vehicles, **tracks, **{name: say(f"tool.{tool}") for name, tool in own.items()}}


def cell_at(x_mm: float, y_mm: float) -> Cell:
    """The cell that a place of a page is in."""
    return int(x_mm // CELL_MM), int(y_mm // CELL_MM)


def _alone(piece: Piece) -> Network:
    return joined(piece, [PlacedPiece((0, 0), "E")])


def _stand(network: Network, dot: Cell) -> tuple[float, float, float]:
    number = network.number(dot)
    return (*middle(dot), 0.0) if number is None else stand(dot, network.passages[number])
