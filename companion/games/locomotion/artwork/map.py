"""A network and what stands on it as a map of the small screen."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from companion.games.locomotion.artwork.rails import CELL_MM, line, middle
from companion.games.locomotion.rules import Dot, Network, Passage, Side, State
from companion.screen.screen import MapFigure, NetworkMap


@lru_cache(maxsize=4)
def network_map(network: Network) -> NetworkMap:
    """The network without anything on it; its dots have the same numbers there."""
    tracks = [
        _in_cells(line(dot, way, 0)) for dot, ways in zip(network.dots, network.passages, strict=True) for way in ways
    ]
    dots = (_on_track(dot, ways) for dot, ways in zip(network.dots, network.passages, strict=True))
    return NetworkMap(tuple(dots), tuple(tracks))


def state_map(
    state: State, *, moved: Iterable[int] = (), way: Iterable[int] = (), marked: Iterable[int] = ()
) -> NetworkMap:
    """The network with its vehicles, whose numbers are the map's too: locomotives lead, labels are colours.

    ``moved`` are vehicles that somebody has to move, ``way`` the dots that they take, ``marked`` dots spoken of.
    """
    setup, stock = state.setup, state.stock
    figures = tuple(
        MapFigure(dot, str(setup.colours[vehicle]), setup.is_locomotive(vehicle))
        for vehicle, dot in enumerate(stock.dots)
    )
    couplings = tuple((stock.dots[one], stock.dots[other]) for row in stock.rows for one, other in pairwise(row))
    return replace(
        network_map(setup.network),
        figures=figures,
        couplings=couplings,
        moved=tuple(moved),
        way=tuple(way),
        marked=tuple(marked),
    )


def turned_map(shown: NetworkMap, turn: Side) -> NetworkMap:
    """The same map, turned clockwise as far as a piece that comes to head this way from the east."""
    tracks = tuple(tuple(_turned(point, turn) for point in track) for track in shown.tracks)
    return replace(shown, dots=tuple(_turned(dot, turn) for dot in shown.dots), tracks=tracks)


def _turned(point: tuple[float, float], turn: Side) -> tuple[float, float]:
    x, y = point
    return ((x, y), (-y, x), (-x, -y), (y, -x))[turn]


def _on_track(dot: Dot, ways: tuple[Passage, ...]) -> tuple[float, float]:
    """A dot lies in the middle of its cell, but on an arc where there is nothing else."""
    if any(first.opposite is last for first, last in ways):
        return float(dot[0]), float(dot[1])
    points = _in_cells(line(dot, ways[0], 0))
    return points[len(points) // 2]


def _in_cells(points: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Points in mm as cells from the middle of the first one; of an arc three are enough for so few pixels."""
    kept = points if len(points) == 2 else [points[0], points[len(points) // 2], points[-1]]
    left, top = middle((0, 0))
    return tuple((round((x - left) / CELL_MM, 2), round((y - top) / CELL_MM, 2)) for x, y in kept)
