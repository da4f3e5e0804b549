"""What lies on the table and stands there as plain data, and a drawing for each name in it. All lengths in mm."""

from __future__ import annotations

import math
import re
import zlib
from functools import lru_cache
from itertools import pairwise, product
from typing import Any, Final

from companion.games.drawing.svg import document, placed, rectangle
from companion.games.locomotion.artwork.picture import laid_mm, laid_svg, network_svg, stands
from companion.games.locomotion.artwork.rails import CELL_MM
from companion.games.locomotion.artwork.vehicles import COLOURS, INK, locomotive_svg, wagon_svg
from companion.games.locomotion.rules import Network, State
from companion.games.locomotion.wording import Kind, Paints, swatches

VEHICLES: Final = tuple(Kind(*each) for each in product(COLOURS, (True, False)))
"""All that can stand on a network."""


def figure_name(kind: Kind, paints: Paints = ()) -> str:
    """What a vehicle is called in ``lying`` and for ``drawing``; one of the people's own paint with that."""
    own = swatches(paints).get(kind.colour, "").replace("#", "-")
    return f"{'locomotive' if kind.is_locomotive else 'wagon'}-{kind.colour}{own}"


def vehicle_of(name: str) -> tuple[Kind, str] | None:
    """What a figure is that has this name, and its paint (``#rrggbb``), "" for the printed one; None for no vehicle."""
    told = _NAMED.fullmatch(name)
    if told is None:
        return None
    word, colour, paint = told.groups(default="")
    return Kind(int(colour), word == "locomotive"), paint.replace("-", "#")


_NAMED: Final = re.compile(rf"(locomotive|wagon)-([1-{len(COLOURS)}])(-[0-9a-f]{{6}})?")
NETWORK: Final = "network"
COUPLING: Final = "coupling"
_VEHICLE_MM: Final = (18.0, 12.0)
_COUPLING_MM: Final = (10.0, 2.4)
"""Long enough for two vehicles on straight tracks; what is too long of it lies beneath them."""


def lying(state: State, paints: Paints = ()) -> dict[str, Any]:
    """``cards`` and ``figures`` (``Moment``): the network as a single card, couplings, and the vehicles over them."""
    setup, places = state.setup, stands(state)
    couplings = [_coupling(places[one], places[other]) for row in state.stock.rows for one, other in pairwise(row)]
    vehicles = [{"name": name, **_place(place)} for name, place in zip(_names(state, paints), places, strict=True)]
    return {"cards": [{"face": NETWORK, **_middle(setup.network)}], "figures": [*couplings, *vehicles]}


@lru_cache(maxsize=4)
def watched(state: State, paints: Paints = ()) -> dict[str, Any]:
    """The same for a page that watches a game (``Play.facts``), with the ``size`` of each drawing.

    ``rows`` are the players' trains as names of figures, the locomotive first, ``wanted`` is how their wagons shall
    stand; both are empty until lots are drawn. Pages ask several times a second: nothing of it may be changed.
    """
    network, names, lies = state.setup.network, _names(state, paints), lying(state, paints)
    return {
        "cards": [{"face": _laid_name(network), "size": list(laid_mm(network)), **_middle(network)}],
        "figures": [{**figure, "size": list(figure_mm(figure["name"]))} for figure in lies["figures"]],
        "rows": [[names[vehicle] for vehicle in state.stock.row_of(locomotive)] for locomotive in state.drawn],
        "wanted": [figure_name(Kind(colour, is_locomotive=False), paints) for colour in state.order],
    }


def _names(state: State, paints: Paints) -> list[str]:
    setup = state.setup
    kinds = [Kind(colour, setup.is_locomotive(vehicle)) for vehicle, colour in enumerate(setup.colours)]
    return [figure_name(kind, paints) for kind in kinds]


def figure_mm(name: str) -> tuple[float, float]:
    """The size of a figure's drawing."""
    return _COUPLING_MM if name == COUPLING else _VEHICLE_MM


@lru_cache(maxsize=4)
def _laid_name(network: Network) -> str:
    """Another network has another name: a browser keeps drawings by their names."""
    return f"{NETWORK}-{zlib.crc32(repr((network.piece, network.pieces)).encode()):08x}"


def drawing(network: Network, name: str) -> str:
    """The SVG for a name in ``lying``, of its size; "" where there is none."""
    if name == NETWORK:
        return network_svg(network)
    if name == _laid_name(network):
        return laid_svg(network)
    return figure_drawing(name)


def figure_drawing(name: str) -> str:
    """The SVG of a coupling or a vehicle, of its size; "" for any other name."""
    if name == COUPLING:
        return document(*_COUPLING_MM, rectangle(0, 0, *_COUPLING_MM, INK))
    told = vehicle_of(name)
    if told is None:
        return ""
    (kind, paint), (width, height) = told, _VEHICLE_MM
    draw = locomotive_svg if kind.is_locomotive else wagon_svg
    return document(width, height, placed(draw(kind.colour, paint), width / 2, height / 2))


def _coupling(one: tuple[float, float, float], other: tuple[float, float, float]) -> dict[str, Any]:
    turn = math.degrees(math.atan2(other[1] - one[1], other[0] - one[0]))
    return {"name": COUPLING, **_place(((one[0] + other[0]) / 2, (one[1] + other[1]) / 2, turn))}


def _middle(network: Network) -> dict[str, float]:
    x, y = (CELL_MM * (min(dots) + max(dots) + 1) / 2 for dots in zip(*network.dots, strict=True))
    return _place((x, y, 0))


def _place(place: tuple[float, float, float]) -> dict[str, float]:
    return dict(zip(("x", "y", "turn"), (round(length, 1) for length in place), strict=True))
