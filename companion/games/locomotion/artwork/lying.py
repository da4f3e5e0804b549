"""What lies on the table and stands there as plain data, and a drawing for each name in it. All lengths in mm."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, Final

from companion.games.drawing.svg import document, placed, rectangle
from companion.games.locomotion.artwork.picture import network_svg, stands
from companion.games.locomotion.artwork.rails import CELL_MM
from companion.games.locomotion.artwork.vehicles import COLOURS, INK, locomotive_svg, wagon_svg
from companion.games.locomotion.rules import Network, State

NETWORK: Final = "network"
COUPLING: Final = "coupling"
_VEHICLE_MM: Final = (18.0, 12.0)
_COUPLING_MM: Final = (10.0, 2.4)
"""Long enough for two vehicles on straight tracks; what is too long of it lies beneath them."""


def lying(state: State) -> dict[str, Any]:
    """``cards`` and ``figures`` (``Moment``): the network as a single card, couplings, and the vehicles over them."""
    setup, places = state.setup, stands(state)
    couplings = [_coupling(places[one], places[other]) for row in state.stock.rows for one, other in pairwise(row)]
    names = ("locomotive" if setup.is_locomotive(vehicle) else "wagon" for vehicle in range(len(places)))
    vehicles = [
        {"name": f"{name}-{colour}", **_place(place)}
        for name, colour, place in zip(names, setup.colours, places, strict=True)
    ]
    return {"cards": [{"face": NETWORK, **_middle(setup.network)}], "figures": [*couplings, *vehicles]}


def drawing(network: Network, name: str) -> str:
    """The SVG for a name in ``lying``, of its size; "" where there is none."""
    if name == NETWORK:
        return network_svg(network)
    if name == COUPLING:
        return document(*_COUPLING_MM, rectangle(0, 0, *_COUPLING_MM, INK))
    vehicles = {f"locomotive-{colour}": locomotive_svg for colour in COLOURS}
    vehicles |= {f"wagon-{colour}": wagon_svg for colour in COLOURS}
    if name not in vehicles:
        return ""
    width, height = _VEHICLE_MM
    return document(width, height, placed(vehicles[name](int(name[-1])), width / 2, height / 2))


def _coupling(one: tuple[float, float, float], other: tuple[float, float, float]) -> dict[str, Any]:
    turn = math.degrees(math.atan2(other[1] - one[1], other[0] - one[0]))
    return {"name": COUPLING, **_place(((one[0] + other[0]) / 2, (one[1] + other[1]) / 2, turn))}


def _middle(network: Network) -> dict[str, float]:
    x, y = (CELL_MM * (min(dots) + max(dots) + 1) / 2 for dots in zip(*network.dots, strict=True))
    return _place((x, y, 0))


def _place(place: tuple[float, float, float]) -> dict[str, float]:
    return dict(zip(("x", "y", "turn"), (round(length, 1) for length in place), strict=True))
